package ebb.ledbat.congestion;

/**
 * Whether a full buffer of this path would show as a queue before it loses packets. A policer and a
 * buffer of one or two packets lose without a warning. Owns the queues that were seen.
 *
 * <p>Not thread-safe.
 */
final class BufferWarning {
  /** A queue of this part of what one makes alone, for so many round trips without a loss. */
  private static final double OWN_PART = 0.7;

  private static final int ROUND_TRIPS = 8;

  /** Less than this part of what the buffer has held waits when packets are lost: not full. */
  private static final double NOT_FULL = 0.4;

  private static final double FORGETTING = 0.9995;

  /** So many packets lost in a round trip overflow what was full at its longest queue ... */
  private static final int OVERFLOW_PACKETS = 8;

  /** ... unless that is as short as hosts that are late let it seem. */
  private static final double LATE_HOST_MICROS = 2_000;

  private int rounds;
  private boolean kept;
  private double heldMicros;

  /**
   * A round trip ended.
   *
   * @param steering whether this connection keeps a queue of its own
   */
  void onRound(double queueMicros, boolean lossy, boolean steering, double aloneMicros) {
    heldMicros = Math.max(FORGETTING * heldMicros, queueMicros);
    if (steering) {
      rounds = !lossy && queueMicros > OWN_PART * aloneMicros ? rounds + 1 : 0;
      kept |= rounds >= ROUND_TRIPS;
    }
  }

  /** A round trip ended that lost so many packets. */
  void onLosses(double lostPackets, double longestMicros) {
    if (lostPackets >= OVERFLOW_PACKETS && longestMicros > LATE_HOST_MICROS) {
      heldMicros = Math.max(heldMicros, longestMicros);
    }
  }

  /** Whether a queue of its own was kept there. */
  boolean isKnown() {
    return kept;
  }

  /**
   * Whether a full buffer would have shown.
   *
   * @param mostMicros the longest queue in the round trip in which packets were lost
   */
  boolean isDue(double mostMicros, double aloneMicros) {
    return kept || (heldMicros > aloneMicros && mostMicros < NOT_FULL * heldMicros);
  }
}
