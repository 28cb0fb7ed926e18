package ebb.ledbat.congestion;

import java.util.Arrays;

/**
 * Which part of the data is lost, and which part always is: a path with random loss loses the same
 * share at any rate, a policer or a full queue loses more the faster one sends. Owns the counts of
 * the running window and the least share of the last windows.
 *
 * <p>Not thread-safe.
 */
final class LossShare {
  private static final long WINDOW_MICROS = 5_000_000;
  private static final int WINDOWS = 6;
  private static final int MIN_SEGMENTS = 50;

  private final double[] shares = new double[WINDOWS];
  private int next;
  private double base;

  private long windowSinceMicros = Long.MIN_VALUE;
  private double windowAcked;
  private double windowLost;

  private double roundAcked;
  private double roundLost;

  void onAck(long bytes, int mssBytes, long nowMicros) {
    roundAcked += bytes;
    windowAcked += bytes;
    if (windowSinceMicros == Long.MIN_VALUE) {
      windowSinceMicros = nowMicros;
    }
    if (nowMicros - windowSinceMicros >= WINDOW_MICROS
        && windowAcked >= (double) MIN_SEGMENTS * mssBytes) {
      shares[next] = windowLost / (windowAcked + windowLost);
      next = (next + 1) % WINDOWS;
      base = Arrays.stream(shares).min().orElse(0);
      windowSinceMicros = nowMicros;
      windowAcked = 0;
      windowLost = 0;
    }
  }

  void onLoss(long bytes) {
    roundLost += bytes;
    windowLost += bytes;
  }

  /** Ends a round: the share lost in it beyond what is always lost, 0 to 1. */
  double takeRoundExcess() {
    double total = roundAcked + roundLost;
    double share = total == 0 ? 0 : roundLost / total;
    roundAcked = 0;
    roundLost = 0;
    return Math.max(0, share - base);
  }
}
