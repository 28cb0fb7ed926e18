package ebb.ledbat.recovery;

/**
 * Decides which outstanding packets are lost, from the order in which transmissions were
 * acknowledged. It owns the reordering rules and the early-loss deadline; congestion control and
 * sending again are the connection's.
 *
 * <p>BEP 29, packet loss: "3 or more packets have been acked past it (through Selective ACK), the
 * packet is assumed to have been lost." Counting transmissions rather than sequence numbers extends
 * the rule to packets that were sent again. A tail of fewer than three packets is covered by a
 * threshold of time. RFC 9002, 6.1.2: "an endpoint SHOULD declare an earlier packet lost if it was
 * sent a threshold amount of time in the past."
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
  private long newestAckedTransmission = -1;
  private long deadlineMicros = Long.MAX_VALUE;
  private long knownEnd = Long.MAX_VALUE;

  public LossDetector(SentPackets sent) {
    this.sent = sent;
  }

  /**
   * Notes an acknowledged packet, before it is forgotten. A packet that was sent twice counts only
   * when the acknowledgement cannot be for its first transmission.
   */
  public void onAcked(long position, long minRttMicros, long nowMicros) {
    if (!sent.isRetransmitted(position) || nowMicros - sent.sentMicros(position) >= minRttMicros) {
      newestAckedTransmission = Math.max(newestAckedTransmission, sent.transmission(position));
    }
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
  public void detect(
      long smoothedRttMicros, long latestRttMicros, long nowMicros, LossHandler handler) {
    deadlineMicros = Long.MAX_VALUE;
    // RFC 9002, 6.1.2: "max(kTimeThreshold * max(smoothed_rtt, latest_rtt), kGranularity)"
    // RFC 9002, 6.1.2: "The RECOMMENDED time threshold (kTimeThreshold), expressed as an RTT
    // multiplier, is 9/8."
    long reorderingMicros = Math.max(1_000, Math.max(smoothedRttMicros, latestRttMicros) * 9 / 8);
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
      long lostAtMicros = sent.sentMicros(position) + reorderingMicros;
      if (position >= knownEnd) {
        if (nowMicros >= lostAtMicros) {
          sent.markLeft(position);
        }
      } else if (newer >= REORDERING_PACKETS || nowMicros >= lostAtMicros) {
        handler.onLost(position);
      } else {
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
