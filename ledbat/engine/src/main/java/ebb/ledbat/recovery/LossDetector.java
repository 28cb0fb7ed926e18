package ebb.ledbat.recovery;

/**
 * Decides which outstanding packets are lost, from the order in which transmissions were
 * acknowledged. It owns the reordering rules and the early-loss deadline; congestion control and
 * sending again are the connection's.
 *
 * <p>BEP 29, packet loss: "3 or more packets have been acked past it (through Selective ACK), the
 * packet is assumed to have been lost." Counting transmissions rather than sequence numbers extends
 * the rule to packets that were sent again. On a path that reorders, a packet is given time instead
 * ({@link ReorderingWindow}). A tail of fewer than three packets is covered by a threshold of time.
 * RFC 9002, 6.1.2: "an endpoint SHOULD declare an earlier packet lost if it was sent a threshold
 * amount of time in the past."
 */
public final class LossDetector {
  /**
   * BEP 29, packet loss: "should trigger a re-send of packets that had at least 3 packets acked
   * after them."
   */
  public static final int REORDERING_PACKETS = 3;

  /** What is to be done with the packets found lost. */
  @FunctionalInterface
  public interface LossHandler {
    void onLost(long position);
  }

  private final SentPackets sent;
  private final ReorderingWindow reordering = new ReorderingWindow();
  private long newestAckedTransmission = -1;
  private long highestAcked = -1;
  private long deadlineMicros = Long.MAX_VALUE;
  private long knownEnd = Long.MAX_VALUE;

  public LossDetector(SentPackets sent) {
    this.sent = sent;
  }

  /**
   * Notes a packet that is newly acknowledged, before it is marked so. One that was sent twice
   * counts only when the acknowledgement cannot be for its first transmission.
   *
   * @return whether it was taken for lost and has arrived after all
   */
  public boolean onAcked(long position, long minRttMicros, long nowMicros) {
    boolean again = sent.isRetransmitted(position);
    // RFC 8985, 6.2: "The segment was last retransmitted less than RACK.min_rtt ago."
    boolean first = again && nowMicros - sent.sentMicros(position) < minRttMicros;
    if (!first) {
      newestAckedTransmission = Math.max(newestAckedTransmission, sent.transmission(position));
    }
    if (position > highestAcked) {
      highestAcked = position;
    } else if (sent.isInOrder(position)) {
      // RFC 8985, 6.2: "If a never-retransmitted segment that's below RACK.fack is (selectively or
      // cumulatively) acknowledged, it has been delivered out of order."
      reordering.onReordered();
    }
    boolean spurious = sent.isSuspect(position) && (first || sent.isLost(position));
    if (spurious) {
      reordering.onSpurious(newestAckedTransmission, sent.nextTransmission());
    }
    return spurious;
  }

  /** The window was reduced for what {@link #detect} found. */
  public void onRecovery() {
    reordering.onRecovery();
  }

  /**
   * Notes how far the peer's last acknowledgement could tell what has arrived. A selective ack is
   * at most 2,040 packets long, libutp's 32; with more in flight than that, silence about the
   * packets behind it says nothing. After a round trip such a packet is not in the network any
   * more, whether it arrived or not, but it is not sent again yet.
   */
  public void setKnownEnd(long position) {
    knownEnd = position;
  }

  /** Looks for losses after an acknowledgement or when the deadline has passed. */
  public void detect(RttEstimator rtt, long nowMicros, LossHandler handler) {
    deadlineMicros = Long.MAX_VALUE;
    long smoothedRttMicros = rtt.smoothedRttMicros();
    long latestRttMicros = rtt.latestRttMicros();
    // RFC 9002, 6.1.2: "max(kTimeThreshold * max(smoothed_rtt, latest_rtt), kGranularity)"
    // RFC 9002, 6.1.2: "The RECOMMENDED time threshold (kTimeThreshold), expressed as an RTT
    // multiplier, is 9/8."
    long tailMicros = Math.max(1_000, Math.max(smoothedRttMicros, latestRttMicros) * 9 / 8);
    // RFC 8985, 3.3.2: "The reordering window SHOULD be set to zero if no reordering has been
    // observed on the connection so far, and either (a) three segments have been SACKed since the
    // last recovery or (b) the sender is already in fast or RTO recovery."
    // RFC 8985, 6.2: "remaining = Segment.xmit_ts + RACK.rtt + RACK.reo_wnd - Now()"
    boolean reorders = reordering.isSeen();
    long overtakenMicros =
        reorders ? latestRttMicros + reordering.micros(rtt.minRttMicros(), smoothedRttMicros) : 0;
    for (long position = sent.first(); position < sent.end(); position++) {
      if (sent.isAcked(position) || sent.isLost(position)) {
        continue;
      }
      long newer = newestAckedTransmission - sent.transmission(position);
      if (newer <= 0) {
        if (sent.isInOrder(position)) {
          return; // Everything after it was sent later still, or has just been sent again.
        }
        continue;
      }
      if (position >= knownEnd) {
        if (nowMicros >= sent.sentMicros(position) + tailMicros) {
          sent.markLeft(position);
        }
        continue;
      }
      long patienceMicros =
          newer >= REORDERING_PACKETS ? overtakenMicros : Math.max(tailMicros, overtakenMicros);
      long lostAtMicros = sent.sentMicros(position) + patienceMicros;
      if (nowMicros >= lostAtMicros) {
        handler.onLost(position);
      } else {
        // RFC 8985, 6.2: "For timely loss detection, it is RECOMMENDED that the sender install a
        // reordering timer."
        deadlineMicros = Math.min(deadlineMicros, lostAtMicros);
      }
    }
  }

  /** When {@link #detect} should run again without an acknowledgement. */
  public long deadlineMicros() {
    return deadlineMicros;
  }

  /** After a congestion timeout the order of the past means nothing any more. */
  public void reset() {
    deadlineMicros = Long.MAX_VALUE;
  }
}
