package ebb.ledbat.connection;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.Timestamps;

/**
 * How large a window is worth offering: little at first, and more once a sender fills it. What the
 * buffer has room for is {@link Receiver}'s.
 *
 * <p>A window that nobody needs makes others doubt that this is uTP: Wireshark takes no packet for
 * uTP whose window is above 0x380000 bytes, the most that the first libutp offered.
 */
final class WindowGrowth {
  /** What is offered at first. */
  static final int START_BYTES = 0x380000;

  /**
   * So many times what arrives in a round trip. A sender that doubles its window each round trip
   * needs twice that, and the news of it is underway for a part of one.
   */
  private static final int LEAD = 3;

  /** Shorter round trips are those of the driver's and the peer's turns, not of a path. */
  private static final long MIN_ROUND_MICROS = 2_000;

  /** A round trip that nothing tells is taken for a long one: that wastes nothing but the offer. */
  private static final long UNKNOWN_ROUND_MICROS = 1_000_000;

  /** libutp sends this timestamp_difference when it has measured nothing. */
  private static final int NO_DELAY_SAMPLE = Integer.MAX_VALUE;

  private final int maxBytes;
  private int offeredBytes;
  private long roundStartMicros;
  private long roundStartBytes;

  /**
   * An offer that nobody has used yet.
   *
   * @param maxBytes the largest offer
   */
  WindowGrowth(int maxBytes) {
    this.maxBytes = maxBytes;
    offeredBytes = Math.min(START_BYTES, maxBytes);
  }

  /** The largest window to offer; it never becomes smaller. */
  int offeredBytes() {
    return offeredBytes;
  }

  /**
   * A packet came.
   *
   * @param arrivedBytes payload that has arrived so far, in order or not
   */
  void onPacket(Packet packet, long arrivedBytes, long nowMicros) {
    if (offeredBytes == maxBytes) {
      return;
    }
    long needed = LEAD * (arrivedBytes - roundStartBytes);
    boolean over = nowMicros - roundStartMicros >= roundMicros(packet, nowMicros);
    if (needed > offeredBytes && !over) {
      offeredBytes = (int) Math.min(needed, maxBytes);
    }
    if (over) {
      roundStartMicros = nowMicros;
      roundStartBytes = arrivedBytes;
    }
  }

  /** Both ends return what they see of the other's timestamps: the sum has no offset in it. */
  private static long roundMicros(Packet packet, long nowMicros) {
    int reply = packet.timestampDifferenceMicros();
    int sum = Timestamps.difference(Timestamps.toWire(nowMicros), packet.timestampMicros()) + reply;
    boolean measured = reply != 0 && reply != NO_DELAY_SAMPLE && sum > 0;
    return measured ? Math.max(sum, MIN_ROUND_MICROS) : UNKNOWN_ROUND_MICROS;
  }
}
