package ebb.files;

/**
 * How many lines peers may cause on the receiver's standard error. Times are in nanoseconds of any
 * steady clock. Thread-safe.
 */
final class LineBudget {
  private double lines = ReceiveLimits.LINES_AT_ONCE;
  private long lastNanos;
  private long leftOut;

  LineBudget(long nowNanos) {
    lastNanos = nowNanos;
  }

  /** Whether one more may be printed; if not, it is counted. */
  synchronized boolean take(long nowNanos) {
    double more = (nowNanos - lastNanos) * ReceiveLimits.LINES_PER_SECOND / 1e9;
    lines = Math.min(ReceiveLimits.LINES_AT_ONCE, lines + more);
    lastNanos = nowNanos;
    if (lines < 1) {
      leftOut++;
      return false;
    }
    lines--;
    return true;
  }

  /** How many were left out since this was asked last. */
  synchronized long leftOut() {
    long count = leftOut;
    leftOut = 0;
    return count;
  }
}
