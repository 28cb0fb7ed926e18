package ebb.ledbat.connection;

import ebb.ledbat.recovery.SentPackets;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;

/**
 * Decides what a sender puts into the next burst: lost packets first, then new data, then the FIN,
 * as far as cwnd, the peer's window and the pacer allow; and so knows what does not.
 */
final class BurstFiller {
  private static final long NONE = -1;
  private static final int NOTHING = -1;

  private final Sender sender;
  private final SentPackets sent;
  private final SendBuffer buffer;

  /** A burst is at most this part of the window, so that acknowledgements keep coming. */
  private static final int MAX_BURST_DIVISOR = 2;

  /**
   * A turn is at most this part of the window: less than a burst's, or what a burst leaves of the
   * window would never be used.
   */
  private static final int MAX_TURN_DIVISOR = 3;

  /**
   * In flight at most, while turns are taken, of what the path itself does not hold; else who has
   * the largest window gets the most.
   */
  private static final int MAX_TURNS_IN_FLIGHT = 2;

  private long newestSmallPacket = NONE;
  private boolean pacingBlocks;
  private boolean burstIsFull;
  private SendLimit limit = SendLimit.APPLICATION;
  private boolean persistDue;

  BurstFiller(Sender sender) {
    this.sender = sender;
    this.sent = sender.sent;
    this.buffer = sender.buffer;
  }

  /** Allows one byte past a closed window. */
  void probeClosedWindow() {
    persistDue = true;
  }

  /** Whether the last {@link #fill} left something that only the pacer holds back. */
  boolean pacingBlocks() {
    return pacingBlocks;
  }

  /** What kept the last {@link #fill} from putting anything into its burst, when it did not. */
  SendLimit limit() {
    return sender.waitsAfterTimeout() ? SendLimit.RECOVERY : limit;
  }

  /** Adds a part to {@code burst}: nothing, when nothing may go now or nothing fits. */
  void fill(Burst burst, int maxPacketsInFlight, PacketHeaders header, long nowMicros) {
    pacingBlocks = false;
    sender.onFill();
    if (sent.lostPackets() == 0 && buffer.unsentBytes() == 0 && !buffer.finDue()) {
      limit = wantOfData();
      return;
    }
    boolean slowed = sender.pacer.isBoundByMaxRate();
    long turnBytes = slowed ? 0 : (long) burst.turnPackets() * sender.mssBytes();
    sender.updatePacer(turnBytes, nowMicros);
    long allowanceBytes = sender.pacer.availableBytes(nowMicros);
    long burstBytes =
        Math.max(2L * sender.mssBytes(), sender.congestion.cwndBytes() / MAX_BURST_DIVISOR);
    if (turnBytes > 0) {
      burstBytes = Math.min(burstBytes, turnBytes);
      if (isWorthWaiting(turnBytes, allowanceBytes)) {
        sender.noteHeldBack(maxPacketsInFlight);
        return;
      }
    }
    burstIsFull = false;
    while (!burstIsFull) {
      int payloadBytes;
      if (sent.lostPackets() > 0) {
        payloadBytes = resend(burst, header, allowanceBytes, nowMicros);
      } else if (buffer.unsentBytes() > 0) {
        payloadBytes = sendNew(burst, maxPacketsInFlight, header, allowanceBytes, nowMicros);
      } else {
        sendFin(burst, header, nowMicros);
        return;
      }
      if (payloadBytes < 0) {
        break;
      }
      allowanceBytes -= payloadBytes;
      burstBytes -= payloadBytes;
      burstIsFull = burstBytes <= 0;
    }
    if (pacingBlocks || (burstIsFull && sent.lostPackets() == 0)) {
      sender.noteHeldBack(maxPacketsInFlight);
    }
  }

  /**
   * Whether acknowledgements that are on their way, or the pacer, will let more of a turn go at
   * once.
   */
  private boolean isWorthWaiting(long turnBytes, long allowanceBytes) {
    if (sent.lostPackets() > 0 || buffer.finRequested()) {
      return false;
    }
    long cwndBytes = sender.congestion.cwndBytes();
    long windowBytes = Math.min(cwndBytes, turnsInFlightBytes(turnBytes, cwndBytes));
    long wantedBytes =
        Math.min(Math.min(turnBytes, windowBytes / MAX_TURN_DIVISOR), buffer.unsentBytes());
    if (sent.pipeBytes() >= wantedBytes) {
      if (windowBytes - sent.pipeBytes() < wantedBytes) {
        limit = windowBytes < cwndBytes ? SendLimit.DRIVER : SendLimit.CWND;
        return true;
      }
      if (sender.peerRoomBytes() < wantedBytes) {
        limit = SendLimit.PEER_WINDOW;
        return true;
      }
    }
    if (allowanceBytes < wantedBytes / 2) {
      nothingUntilPaced();
      return true;
    }
    return false;
  }

  /**
   * Where the shortest round trip is most of today's, what is in flight is on its way; where it is
   * not, acknowledgements wait for this host.
   */
  private long turnsInFlightBytes(long turnBytes, long cwndBytes) {
    long onItsWayBytes =
        2 * cwndBytes * sender.rtt.minRttMicros() / Math.max(1, sender.rtt.smoothedRttMicros());
    return Math.max(MAX_TURNS_IN_FLIGHT * turnBytes, onItsWayBytes);
  }

  /** Sends the oldest lost packet again; -1 when it cannot go in this burst. */
  private int resend(Burst burst, PacketHeaders header, long allowanceBytes, long nowMicros) {
    long position = sent.firstLost();
    int bytes = sent.payloadBytes(position);
    // RFC 5681, 3.2: "The lost segment starting at SND.UNA MUST be retransmitted": at once,
    // whatever the halved window says. RFC 6675, 5: "Retransmit the first data segment presumed
    // dropped".
    boolean first = position == sent.first() && !sent.isRetransmitted(position);
    if (!first && !sender.tailProbeDue() && !fitsCwnd(bytes)) {
      return nothing(SendLimit.RECOVERY);
    }
    if (allowanceBytes <= 0) {
      return nothingUntilPaced();
    }
    int datagramBytes = header.bytes() + bytes;
    // RFC 8899, 3: "A PL MUST NOT send a datagram (other than a probe packet) with a size at the PL
    // that is larger than the current PLPMTU." One that was cut before it fell may be fragmented.
    boolean mayFragment = datagramBytes > sender.mtu.datagramBytes();
    if (!burst.accepts(datagramBytes, mayFragment)) {
      burstIsFull = true;
      return NOTHING;
    }
    // BEP 29, overview: "This means uTP cannot repackage data when resending it."
    PacketType type = sent.isFin(position) ? PacketType.ST_FIN : PacketType.ST_DATA;
    header.begin(burst.buffer(), type, (int) position & 0xffff, nowMicros);
    if (bytes > 0) {
      buffer.copy(sent.streamOffset(position), bytes, burst.buffer());
    }
    burst.added(datagramBytes, mayFragment);
    sender.onResent(position, nowMicros);
    return bytes;
  }

  private int sendNew(
      Burst burst,
      int maxPacketsInFlight,
      PacketHeaders header,
      long allowanceBytes,
      long nowMicros) {
    // BEP 29, type: "An ST_DATA packet always has a data payload."
    int fullBytes = sender.mtu.datagramBytes() - header.bytes();
    int bytes = newSegmentBytes(fullBytes, maxPacketsInFlight);
    if (bytes <= 0) {
      return NOTHING;
    }
    if (allowanceBytes <= 0) {
      return nothingUntilPaced();
    }
    // RFC 8899, 3: "In IPv4, a probe packet MUST be sent with the Don't Fragment (DF) bit set in
    // the IP header and without network layer endpoint fragmentation."
    int paddingBytes = 0;
    int probeBytes = sender.mtu.dueBytes(nowMicros);
    if (probeBytes > 0 && bytes == fullBytes && !header.isProving()) {
      if (!burst.acceptsFirst()) {
        return NOTHING; // A probe is larger than the rest, and may be refused: it goes alone.
      }
      paddingBytes = probeBytes - header.bytes() - bytes;
    }
    if (paddingBytes == 0 && bytes == fullBytes && sender.mayWithhold(bytes)) {
      sender.onWithheld(bytes, nowMicros);
      return 0;
    }
    int datagramBytes = header.bytes() + paddingBytes + bytes;
    if (!burst.accepts(datagramBytes, false)) {
      burstIsFull = true;
      return NOTHING;
    }
    if (bytes < fullBytes) {
      newestSmallPacket = sent.end();
    }
    PacketWriter writer =
        header.begin(burst.buffer(), PacketType.ST_DATA, (int) sent.end() & 0xffff, nowMicros);
    if (paddingBytes > 0) {
      writer.probePadding(Handshake.EBB_EXTENSION_BITS, paddingBytes);
      burst.complete();
      sender.mtu.onProbeSent();
    }
    buffer.copy(buffer.unsentOffset(), bytes, burst.buffer());
    burst.added(datagramBytes, false);
    sender.onSent(bytes, false, paddingBytes > 0, nowMicros);
    persistDue = false;
    return paddingBytes > 0 ? NOTHING : bytes;
  }

  private SendLimit wantOfData() {
    return buffer.writerWaits() ? SendLimit.SEND_BUFFER : SendLimit.APPLICATION;
  }

  private int nothing(SendLimit because) {
    limit = because;
    return NOTHING;
  }

  private int nothingUntilPaced() {
    pacingBlocks = true;
    return nothing(sender.pacer.isBoundByMaxRate() ? SendLimit.RATE : SendLimit.PACING);
  }

  /** How many new bytes may go in one packet now; 0 or less for none. */
  private int newSegmentBytes(int fullBytes, int maxPacketsInFlight) {
    int bytes = (int) Math.min(fullBytes, buffer.unsentBytes());
    if (sent.count() >= maxPacketsInFlight) {
      return nothing(SendLimit.PACKETS);
    }
    if (!fitsCwnd(bytes)) {
      return nothing(SendLimit.CWND);
    }
    long roomBytes = sender.peerRoomBytes();
    if (roomBytes < bytes) {
      if (sent.isEmpty() && (roomBytes > 0 || persistDue)) {
        return (int) Math.max(1, roomBytes);
      }
      return nothing(SendLimit.PEER_WINDOW);
    }
    // Minshall's form of Nagle's rule: one small packet in flight, so that a stream of small
    // writes fills packets and a lone message goes at once.
    if (bytes < fullBytes && !buffer.finRequested() && smallPacketInFlight()) {
      return nothing(wantOfData());
    }
    return bytes;
  }

  private boolean smallPacketInFlight() {
    return newestSmallPacket >= sent.first() && !sent.isAcked(newestSmallPacket);
  }

  /**
   * BEP 29, overview: "A socket may only send a packet if cur_window + packet_size is less than or
   * equal to min(max_window, wnd_size)." The peer's window is looked at apart. RFC 6675, 5: "If
   * cwnd - pipe >= 1 SMSS, the sender SHOULD transmit one or more segments".
   */
  private boolean fitsCwnd(int bytes) {
    return sent.pipeBytes() == 0 || sent.pipeBytes() + bytes <= sender.congestion.cwndBytes();
  }

  private void sendFin(Burst burst, PacketHeaders header, long nowMicros) {
    if (buffer.finDue() && burst.accepts(header.bytes(), false)) {
      header.begin(burst.buffer(), PacketType.ST_FIN, (int) sent.end() & 0xffff, nowMicros);
      burst.added(header.bytes(), false);
      sender.onSent(0, true, false, nowMicros);
    }
  }
}
