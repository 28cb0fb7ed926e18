package ebb.ledbat.connection;

import ebb.ledbat.wire.Packet;

/**
 * Finds out a peer that acknowledges what it has not received. Now and then a packet of a long
 * stream takes its place there and is not sent, at places that nobody can foresee. An honest peer
 * reports the gap, as it does when a packet is lost, and gets it then; who acknowledges it lies.
 * One at a time. It chooses the places and judges acknowledgements; sending is {@link
 * BurstFiller}'s, and that the gap is no loss {@link LossRecovery}'s.
 */
final class Withholding {
  private static final long NONE = -1;

  /** Early, while few packets are in flight; and at once where the address is hardly proven. */
  private static final int FIRST_DISTANCE_PACKETS = 64;

  private static final int FIRST_DISTANCE_TO_STRANGER_PACKETS = 8;

  /** Each is about twice as far from the last one as that was, up to this. */
  private static final int MAX_DISTANCE_PACKETS = 1 << 17;

  /**
   * Acknowledgements of a flight with a gap are many: in this many flights there is one of them.
   */
  private static final int MIN_DISTANCE_FLIGHTS = 1_024;

  /**
   * A gap takes the window's first place for a round trip. Where that is the limit nothing else
   * goes then, so that one flight in about this many may be lost to it, however long the flights
   * are.
   */
  private static final int MEAN_DISTANCE_FLIGHTS = 64;

  /** Less data than this may be a message that somebody waits for. */
  static final int MIN_UNSENT_PACKETS = 8;

  private long random;
  private long distancePackets = FIRST_DISTANCE_PACKETS;
  private long nextPosition;
  private long distanceFlights;
  private long latest;
  private long position = NONE;

  /**
   * @param seed unpredictable
   * @param firstPosition of the stream's packets
   */
  Withholding(long seed, long firstPosition) {
    random = seed;
    nextPosition = firstPosition;
    chooseNext();
  }

  /** The peer's address is not proven by more than 16 bits; before anything is sent. */
  void onStranger(long firstPosition) {
    distancePackets = FIRST_DISTANCE_TO_STRANGER_PACKETS;
    nextPosition = firstPosition;
    chooseNext();
  }

  private void chooseNext() {
    random += 0x9E3779B97F4A7C15L; // SplitMix64's step.
    long drawn = SplitMix64.mix(random);
    nextPosition += distancePackets / 2 + Long.remainderUnsigned(drawn, distancePackets);
    distanceFlights = MEAN_DISTANCE_FLIGHTS / 2 + (drawn >>> 32) % MEAN_DISTANCE_FLIGHTS;
    distancePackets = Math.min(2 * distancePackets, MAX_DISTANCE_PACKETS);
  }

  /**
   * Whether a full packet is to be withheld.
   *
   * @param end where it would be sent
   * @param flightPackets that are in flight
   */
  boolean isDue(long end, int flightPackets) {
    long fewPackets = Math.min((long) MIN_DISTANCE_FLIGHTS * flightPackets, MAX_DISTANCE_PACKETS);
    return position == NONE
        && end >= nextPosition
        && end - latest >= Math.max(fewPackets, distanceFlights * flightPackets);
  }

  void onWithheld(long withheld) {
    position = withheld;
  }

  /** Whether this packet was not sent yet. */
  boolean isWithheld(long asked) {
    return asked == position;
  }

  /** The packet that was not sent yet, or less than 0. */
  long position() {
    return position;
  }

  /** The packet goes out. */
  void onSent(long end) {
    position = NONE;
    latest = end;
    nextPosition = end;
    chooseNext();
  }

  /**
   * Whether an acknowledgement says that the packet arrived.
   *
   * @param acked the first packet that it does not acknowledge in order
   */
  boolean isAcked(Packet packet, long acked) {
    if (position == NONE) {
      return false;
    }
    long bit = position - (acked + 1);
    return position < acked
        || (bit >= 0 && bit < packet.selectiveAckBits() && packet.isSelectivelyAcked((int) bit));
  }
}
