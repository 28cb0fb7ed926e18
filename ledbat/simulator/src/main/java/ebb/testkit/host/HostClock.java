package ebb.testkit.host;

/**
 * A host's own clock over virtual time: local = virtual * (1 + drift) + offset, in whole
 * microseconds. It never runs backwards.
 *
 * @param offsetMicros what it shows when virtual time begins; may be negative
 * @param driftPpm how much it gains, in parts per million; -1,000..1,000
 */
public record HostClock(long offsetMicros, long driftPpm) {
  private static final long MILLION = 1_000_000;

  /** A clock that shows virtual time. */
  public static final HostClock EXACT = new HostClock(0, 0);

  /** Ranges are checked. */
  public HostClock {
    if (Math.abs(driftPpm) > 1_000) {
      throw new IllegalArgumentException("driftPpm must be between -1000 and 1000: " + driftPpm);
    }
  }

  /** What this clock shows at {@code virtualMicros}. */
  public long localMicros(long virtualMicros) {
    return virtualMicros + Math.floorDiv(virtualMicros * driftPpm, MILLION) + offsetMicros;
  }

  /** The first virtual microsecond at which this clock shows {@code localMicros} or more. */
  public long virtualMicros(long localMicros) {
    long elapsed = localMicros - offsetMicros;
    long guess = (long) (elapsed * (1 - driftPpm / (double) (MILLION + driftPpm)));
    while (localMicros(guess) < localMicros) {
      guess++;
    }
    while (localMicros(guess - 1) >= localMicros) {
      guess--;
    }
    return guess;
  }
}
