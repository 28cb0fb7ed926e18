package ebb.ledbat.recovery;

/**
 * How much later than its successors a packet may arrive before it is taken for lost. Nothing until
 * the path was seen to reorder; then RFC 8985's reordering window, which grows while
 * retransmissions prove spurious. Owns what was learnt of the path's order; which packets are late
 * is {@link LossDetector}'s.
 */
final class ReorderingWindow {
  /**
   * RFC 8985, 6.2: "Grow the reordering window per round that sees DSACK. Reset the window after 16
   * DSACK-free recoveries".
   */
  private static final int PERSISTENCE_RECOVERIES = 16;

  /** Beyond this the bound of a smoothed round trip holds on any path. */
  private static final int MAX_MULTIPLIER = 1_000;

  private int multiplier = 1;
  private int seenForRecoveries;
  private int grownForRecoveries;
  private long roundEndTransmission;

  /**
   * Whether the path has reordered packets lately.
   *
   * <p>RFC 8985, 6.2: "if some reordering has been observed, then RACK does not trigger fast
   * recovery based on DupThresh."
   */
  boolean isSeen() {
    return seenForRecoveries > 0;
  }

  /** A packet arrived after one that was sent later. */
  void onReordered() {
    seenForRecoveries = PERSISTENCE_RECOVERIES;
  }

  /**
   * A packet that was taken for lost has arrived after all.
   *
   * @param newestAcked the newest transmission that is known to have arrived
   * @param nextTransmission the number of the next one
   */
  void onSpurious(long newestAcked, long nextTransmission) {
    onReordered();
    grownForRecoveries = PERSISTENCE_RECOVERIES;
    if (newestAcked >= roundEndTransmission) {
      multiplier = Math.min(multiplier + 1, MAX_MULTIPLIER);
      roundEndTransmission = nextTransmission;
    }
  }

  /** Packets were lost, and the window was reduced for them. */
  void onRecovery() {
    seenForRecoveries = Math.max(0, seenForRecoveries - 1);
    grownForRecoveries = Math.max(0, grownForRecoveries - 1);
    if (grownForRecoveries == 0) {
      multiplier = 1;
    }
  }

  /**
   * RFC 8985, 6.2: "Return min(RACK.reo_wnd_mult * RACK.min_RTT / 4, SRTT)".
   *
   * <p>RFC 8985, 3.3.2: "The RACK reordering window MUST be bounded, and this bound SHOULD be
   * SRTT."
   */
  long micros(long minRttMicros, long smoothedRttMicros) {
    return Math.min(multiplier * minRttMicros / 4, smoothedRttMicros);
  }
}
