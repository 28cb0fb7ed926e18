package ebb.background.law;

import java.util.Arrays;

/**
 * The round trip of the path without a queue: the least of the last ten minutes (RFC 6817's
 * history), or what it stood at for long while next to nothing was sent, which is a longer path.
 */
final class BaseRoundTrip {
  private static final int MINUTES = 10;
  private static final long MINUTE_MICROS = 60_000_000;

  /** A rival's queue moves within so long; a longer path does not. */
  private static final long STILL_MICROS = 5_000_000;

  /** The kernel's time stamps are whole milliseconds at both ends. */
  private static final long STILL_RANGE_MICROS = 2_000;

  private final long[] least = new long[MINUTES];
  private long minuteBegan = Long.MIN_VALUE;
  private long stillSince = Long.MIN_VALUE;
  private long stillLeast;
  private long stillMost;

  /** A round trip was measured. quiet: while the own window was the least that it can be. */
  void sample(long nowMicros, long rttMicros, boolean quiet) {
    if (minuteBegan == Long.MIN_VALUE) {
      minuteBegan = nowMicros;
    }
    for (int i = 0; i < MINUTES && nowMicros - minuteBegan >= MINUTE_MICROS; i++) {
      System.arraycopy(least, 0, least, 1, MINUTES - 1);
      least[0] = 0;
      minuteBegan += MINUTE_MICROS;
    }
    minuteBegan = Math.max(minuteBegan, nowMicros - MINUTE_MICROS);
    if (least[0] == 0 || rttMicros < least[0]) {
      least[0] = rttMicros;
    }
    watchForLongerPath(nowMicros, rttMicros, quiet);
  }

  private void watchForLongerPath(long nowMicros, long rttMicros, boolean quiet) {
    boolean moved =
        Math.max(stillMost, rttMicros) - Math.min(stillLeast, rttMicros) > STILL_RANGE_MICROS;
    if (!quiet || stillSince == Long.MIN_VALUE || moved) {
      stillSince = quiet ? nowMicros : Long.MIN_VALUE;
      stillLeast = rttMicros;
      stillMost = rttMicros;
      return;
    }
    stillLeast = Math.min(stillLeast, rttMicros);
    stillMost = Math.max(stillMost, rttMicros);
    if (nowMicros - stillSince >= STILL_MICROS && stillLeast > micros() + STILL_RANGE_MICROS) {
      Arrays.fill(least, 0);
      least[0] = stillLeast;
    }
  }

  /** 0 before the first sample. */
  long micros() {
    long found = 0;
    for (long one : least) {
      if (one > 0 && (found == 0 || one < found)) {
        found = one;
      }
    }
    return found;
  }
}
