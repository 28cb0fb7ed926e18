package ebb.core.rand;

/**
 * The same numbers for the same seed on every machine: SplitMix64 (Steele, Lea and Flood, 2014),
 * whose whole state is a counter. Not for anything that an attacker must not guess.
 */
public final class SeededRandom implements RandomSource {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  public SeededRandom(long seed) {
    state = seed;
  }

  @Override
  public long nextLong() {
    state += GOLDEN_GAMMA;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * A source of its own. All sources walk the same cycle of 2^64 states from different places, so a
   * thousand sources of a thousand million numbers each overlap with a probability below 10^-4.
   */
  public SeededRandom split() {
    return new SeededRandom(nextLong());
  }
}
