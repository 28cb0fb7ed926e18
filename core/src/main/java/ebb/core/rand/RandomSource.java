package ebb.core.rand;

/**
 * The only source of randomness for Ebb's code. Simulations hand out seeded sources, so that the
 * same seed gives the same run; live endpoints hand out unpredictable ones, for connection ids and
 * first sequence numbers are what an off-path attacker has to guess.
 */
public interface RandomSource {
  /** 64 uniformly distributed bits. */
  long nextLong();

  /**
   * Uniform in {@code [0, bound)}; {@code bound} must be positive. The remainder of 63 bits favours
   * small values, but by less than one part in 2^32: {@code bound} is below 2^31, so no value's
   * share is off by more than {@code bound / 2^63} of itself.
   */
  default int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound must be positive: " + bound);
    }
    return (int) Math.floorMod(nextLong() >>> 1, (long) bound);
  }

  /** Uniform in {@code [0, 1)}. */
  default double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }
}
