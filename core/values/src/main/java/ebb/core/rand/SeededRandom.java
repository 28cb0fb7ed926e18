package ebb.core.rand;

import java.util.random.RandomGenerator;

/**
 * The same numbers for the same seed on every machine: SplitMix64 (Steele, Lea and Flood, 2014),
 * whose whole state is a counter. Not for anything that an attacker must not guess.
 */
public final class SeededRandom implements RandomGenerator {
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
   * Uniform in {@code [0, bound)}; {@code bound} must be positive. The remainder of 63 bits favours
   * small values, but by less than one part in 2^32: {@code bound} is below 2^31, so no value's
   * share is off by more than {@code bound / 2^63} of itself. Written here, so that simulations do
   * not depend on how a JDK does it.
   */
  @Override
  public int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound must be positive: " + bound);
    }
    return (int) Math.floorMod(nextLong() >>> 1, (long) bound);
  }

  /** Uniform in {@code [0, 1)}. */
  @Override
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /**
   * A source of its own. All sources walk the same cycle of 2^64 states from different places, so a
   * thousand sources of a thousand million numbers each overlap with a probability below 10^-4.
   */
  public SeededRandom split() {
    return new SeededRandom(nextLong());
  }
}
