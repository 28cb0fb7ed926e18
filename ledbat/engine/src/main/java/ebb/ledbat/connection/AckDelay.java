package ebb.ledbat.connection;

/**
 * For how long an acknowledgement of packets in order may wait for more of them: not at all, unless
 * they come so fast that the next ones are there at once. It knows when packets came, not what is
 * in them; what must not wait is {@link Receiver}'s to say.
 *
 * <p>A bare acknowledgement costs both sides about as much as the packet that it is for, where each
 * is a system call. The wait is bounded far below what a round trip outside of a machine room
 * takes, and a sender whose window is smaller than what is waited for is found out by the wait's
 * running out.
 */
final class AckDelay {
  /**
   * An acknowledgement is for at most so many packets that wait for it. RFC 5681, 4.2: "an ACK
   * SHOULD be generated for at least every second full-sized segment"; docs/deviations.md says why
   * it is not.
   */
  static final int MAX_PACKETS = 16;

  /**
   * So long an acknowledgement waits at most. RFC 6817, 4.1: "the receiver MUST transmit at least
   * one ACK in every RTT." RFC 5681, 4.2: "MUST be generated within 500 ms of the arrival of the
   * first unacknowledged packet."
   */
  static final long MAX_MICROS = 1_000;

  /** Packets come fast when so many of them, more than most bursts have, come in a run ... */
  private static final int RUN_PACKETS = 4 * MAX_PACKETS;

  /** ... no longer than this, so that what is waited for would come in time. */
  private static final long RUN_MICROS = 4 * MAX_MICROS;

  /** A sender that was waited for in vain is trusted again after so many packets, at least. */
  private static final int MIN_DISTRUST_PACKETS = 64;

  private static final int MAX_DISTRUST_PACKETS = 1 << 16;

  private long runStartMicros;
  private int runPackets;
  private boolean fast;
  private int waiting;
  private long waitingSinceMicros;
  private int distrust = MIN_DISTRUST_PACKETS;
  private int trustedAfterPackets = MIN_DISTRUST_PACKETS;

  /**
   * Notes a packet.
   *
   * @return whether the acknowledgement has to go now
   */
  boolean onPacket(long nowMicros) {
    measure(nowMicros);
    if (trustedAfterPackets > 0) {
      trustedAfterPackets--;
      return true;
    }
    if (!fast) {
      return true;
    }
    if (waiting++ == 0) {
      waitingSinceMicros = nowMicros;
    }
    if (waiting < MAX_PACKETS) {
      return false;
    }
    distrust = Math.max(MIN_DISTRUST_PACKETS, distrust - MAX_PACKETS);
    return true;
  }

  private void measure(long nowMicros) {
    if (runPackets > 0 && nowMicros - runStartMicros > RUN_MICROS) {
      fast = false;
      runPackets = 0;
    } else if (runPackets == RUN_PACKETS) {
      fast = true;
      runPackets = 0;
    }
    if (runPackets++ == 0) {
      runStartMicros = nowMicros;
    }
  }

  /** When what waits has waited long enough; {@link Timers#NEVER} when nothing does. */
  long deadlineMicros() {
    return waiting == 0 ? Timers.NEVER : waitingSinceMicros + MAX_MICROS;
  }

  /** That time has come: whoever sends may be waiting for the acknowledgement. */
  void onDeadline() {
    waiting = 0;
    distrust = Math.min(MAX_DISTRUST_PACKETS, distrust * 2);
    trustedAfterPackets = distrust;
  }

  /** An acknowledgement has gone, for whatever reason. */
  void onAckSent() {
    waiting = 0;
  }
}
