package ebb.ledbat.connection;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.SeqNr;
import ebb.ledbat.wire.Timestamps;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a connection: puts packets in order, keeps what the application has not
 * read, and knows what acknowledgements and windows have to say. It sends nothing itself.
 */
final class Receiver {
  /**
   * BEP 29, Selective ACK: "The bitmask is not limited to 32 bits but can be of any size." Its
   * length byte allows 255, and it is a multiple of 4.
   */
  private static final int MAX_SELECTIVE_ACK_BYTES = 252;

  private static final long UNKNOWN = -1;

  private final int bufferBytes;
  private final ChunkPool pool;
  private final ByteQueue queue;
  private final ReorderBuffer reorder;
  private final AckDelay ackDelay = new AckDelay();
  private @Nullable ReceiverControl control;
  private final WindowGrowth growth;
  private long next;
  private long finPosition = UNKNOWN;
  private boolean finReached;
  private boolean ackPending;
  private int largestPayloadBytes;

  /**
   * BEP 29, timestamp_difference_microseconds: "When a socket is newly opened and doesn't have any
   * delay samples yet, this must be set to 0."
   */
  private int peerDelayMicros;

  private long advertisedRoomBytes;
  private long bytesReceived;
  private long packetsDuplicate;

  /**
   * A receiver that has received nothing.
   *
   * @param control decides how much the peer may send; null for as much as the buffer has room for
   */
  Receiver(int bufferBytes, ChunkPool pool, @Nullable ReceiverControl control) {
    this.bufferBytes = bufferBytes;
    this.pool = pool;
    this.control = control;
    queue = new ByteQueue(pool, 0);
    reorder = new ReorderBuffer(pool);
    growth = new WindowGrowth(bufferBytes);
    advertisedRoomBytes = growth.offeredBytes();
  }

  /** Sets the sequence number of the first packet that the peer will send. */
  void start(int firstSeqNr) {
    next = 0x10000L + firstSeqNr;
  }

  /**
   * R12. RFC 6817, 2.3: "acknowledgement.delay = local_timestamp() - remote_timestamp". RFC 6817,
   * 2.3: "The receiver then feeds the computed one-way delay back to the sender in the next
   * acknowledgement.", and in every other packet.
   */
  void onTimestamp(int timestampMicros, long nowMicros) {
    int difference = Timestamps.difference(Timestamps.toWire(nowMicros), timestampMicros);
    // 0 says "nothing measured" to a peer, and Integer.MAX_VALUE does to libutp. Clocks whose
    // offset gives just these are 1 us off instead, or the peer would see no delay at all and
    // never grow its window.
    boolean reserved = difference == 0 || difference == Integer.MAX_VALUE;
    peerDelayMicros = reserved ? difference + 1 : difference;
  }

  int peerDelayMicros() {
    return peerDelayMicros;
  }

  /**
   * Takes an ST_DATA or ST_FIN.
   *
   * @return whether {@link #readableBytes()} grew or the end was reached
   */
  boolean onPacket(Packet packet, long nowMicros) {
    boolean taken = take(packet, nowMicros);
    growth.onPacket(packet, bytesReceived + reorder.bytes(), nowMicros);
    return taken;
  }

  private boolean take(Packet packet, long nowMicros) {
    if (control != null && packet.type() == PacketType.ST_DATA) {
      control.onData(packet, nowMicros);
    }
    long position = next + SeqNr.distance((int) next & 0xffff, packet.seqNr());
    if (position < next) {
      packetsDuplicate++;
      ackPending = true;
      return false;
    }
    if (position - next >= ReorderBuffer.MAX_PACKETS
        || (finPosition != UNKNOWN && position > finPosition)) {
      // BEP 29, type: "This connection will never have a sequence number greater than the sequence
      // number in this packet."
      return false; // Out of any honest sender's window, or past the peer's own end.
    }
    // BEP 29, type: "This lets the socket wait for packets that might still be missing and arrive
    // out of order even after receiving the ST_FIN packet."
    if (packet.type() == PacketType.ST_FIN
        && finPosition == UNKNOWN
        && position + 1 >= reorderEnd()) {
      finPosition = position;
    }
    // BEP 29, seq_nr: "The sequence number tells the other end in which order packets should be
    // served back to the application layer."
    if (control != null && !reorder.isEmpty() && position < reorder.end()) {
      control.onMissed(position);
    }
    if (position == next) {
      boolean mayWait = ackMayWait(packet);
      boolean taken = reorder.contains(next) ? drainWaiting() : onNext(packet);
      ackPending |= !(mayWait && taken) || ackDelay.onPacket(nowMicros);
      return taken;
    }
    ackPending = true;
    if (reorder.contains(position)) {
      packetsDuplicate++;
    } else if (packet.payloadBytes() <= roomBytes() && leavesRoomForNext(packet.payloadBytes())) {
      reorder.put(next, position, packet.datagram(), packet.payloadOffset(), packet.payloadBytes());
    }
    if (control != null) {
      control.onAhead(next, position, reorder);
    }
    return false;
  }

  /**
   * A packet smaller than others ends something. RFC 5681, 4.2: "Out-of-order data segments SHOULD
   * be acknowledged immediately, in order to accelerate loss recovery." RFC 5681, 4.2: "the
   * receiver SHOULD send an immediate ACK when it receives a data segment that fills in all or part
   * of a gap in the sequence space."
   */
  private boolean ackMayWait(Packet packet) {
    int bytes = packet.payloadBytes();
    boolean full = bytes >= largestPayloadBytes;
    largestPayloadBytes = Math.max(largestPayloadBytes, bytes);
    return full && packet.type() == PacketType.ST_DATA && reorder.isEmpty();
  }

  /** When an acknowledgement that waits for more packets is due; {@link Timers#NEVER} for none. */
  long ackDeadlineMicros() {
    return ackDelay.deadlineMicros();
  }

  /** That time has come. */
  void onAckDeadline() {
    ackDelay.onDeadline();
    ackPending = true;
  }

  private long reorderEnd() {
    return reorder.isEmpty() ? next : reorder.end();
  }

  private boolean onNext(Packet packet) {
    int bytes = packet.payloadBytes();
    if (queue.size() + bytes > bufferBytes || !poolHasRoomFor(bytes)) {
      // The window was closed: the sender will come again. RFC 9293, 3.8.6.1: "it must still send
      // an acknowledgment showing its next expected sequence number and current window (zero)."
      return false;
    }
    queue.append(packet.datagram(), packet.payloadOffset(), bytes);
    bytesReceived += bytes;
    passNext();
    drainReorder();
    return true;
  }

  private void drainReorder() {
    while (!finReached && reorder.contains(next)) {
      if (!poolHasRoomFor(reorder.payloadBytes(next))) {
        return; // It stays where it is: a selective ack has promised that it arrived.
      }
      byte[] waiting = reorder.take(next);
      if (waiting == null) {
        return;
      }
      queue.append(ByteBuffer.wrap(waiting), 0, waiting.length);
      bytesReceived += waiting.length;
      passNext();
    }
  }

  /**
   * Takes packets in that only want of memory kept from being next in line.
   *
   * @return whether there were any
   */
  boolean drainWaiting() {
    long before = next;
    drainReorder();
    ackPending |= next != before;
    return next != before;
  }

  /** Whether the packet that is missed can still be taken when one that waits for it is. */
  private boolean leavesRoomForNext(int bytes) {
    return pool.freeBytes() >= bytes + 4L * ChunkPool.CHUNK_BYTES;
  }

  private boolean poolHasRoomFor(int bytes) {
    return pool.freeBytes() >= bytes + 2L * ChunkPool.CHUNK_BYTES;
  }

  private void passNext() {
    if (next == finPosition) {
      finReached = true;
      reorder.clear();
    }
    next++;
  }

  int read(ByteBuffer target) {
    int bytes = Math.min(target.remaining(), queue.size());
    if (bytes > 0) {
      queue.copy(0, bytes, target);
      queue.discard(bytes);
      // A sender that was told of a small window waits for an update. RFC 9293, 3.8.6.2.2: "A TCP
      // implementation MUST include a SWS avoidance algorithm in the receiver (MUST-39)."
      long largestBytes = Math.min(growth.offeredBytes(), pool.maxBytes());
      if (advertisedRoomBytes < largestBytes / 8 && windowBytes() >= largestBytes / 4) {
        ackPending = true;
      }
    }
    return bytes;
  }

  int readableBytes() {
    return queue.size();
  }

  boolean finReached() {
    return finReached;
  }

  boolean ackPending() {
    return ackPending;
  }

  void requestAck() {
    ackPending = true;
  }

  /** Whether an acknowledgement would carry a selective ack. */
  boolean hasGap() {
    return !reorder.isEmpty();
  }

  /**
   * ack_nr: the last packet received in order.
   *
   * <p>BEP 29, ack_nr: "This is the sequence number the sender of the packet last received in the
   * other direction."
   */
  int ackNr() {
    return (int) (next - 1) & 0xffff;
  }

  /**
   * What wnd_size says: room for bytes not yet received, as far as it is of use.
   *
   * <p>BEP 29, wnd_size: "this should be set to the number of bytes left in the socket's receive
   * buffer."
   */
  long windowBytes() {
    return Math.min(roomBytes(), growth.offeredBytes());
  }

  private long roomBytes() {
    long room = (long) bufferBytes - queue.size() - reorder.bytes();
    return Math.max(0, Math.min(room, pool.freeBytes() - 2L * ChunkPool.CHUNK_BYTES));
  }

  /** The window that goes out with a packet; remembered for window updates. */
  long advertise(long nowMicros) {
    advertisedRoomBytes = windowBytes();
    return control == null
        ? advertisedRoomBytes
        : control.advertise(bytesReceived + reorder.bytes(), advertisedRoomBytes, nowMicros);
  }

  /** The peer tells a new window from a duplicate acknowledgement. */
  void onPeerReadsWindows() {
    if (control != null) {
      control.onPeerReadsWindows();
    }
  }

  /** What decides how much the peer may send; null for as much as the buffer has room for. */
  @Nullable ReceiverControl control() {
    return control;
  }

  /** Another one decides from here on; what the peer was given it keeps. */
  void setControl(@Nullable ReceiverControl next) {
    long arrivedBytes = bytesReceived + reorder.bytes();
    if (next != null) {
      next.takeOver(arrivedBytes, arrivedBytes + advertisedRoomBytes);
    }
    control = next;
    ackPending |= next == null; // Who waits for a window hears of it.
  }

  /** When the peer is to be told of its window, if it is not before; or {@link Timers#NEVER}. */
  long windowDeadlineMicros() {
    return control == null || finReached ? Timers.NEVER : control.deadlineMicros();
  }

  /** That time has come. */
  void onWindowDeadline() {
    if (control != null) {
      control.onDeadline();
      ackPending = true;
    }
  }

  /** What this side does about what comes in. */
  ConnectionStats.Incoming controlStats() {
    return control == null ? ConnectionStats.Incoming.NONE : control.stats();
  }

  /**
   * An acknowledgement, on an ST_STATE or piggybacked, is on its way.
   *
   * <p>RFC 5681, 4.2: "A TCP receiver MUST NOT generate more than one ACK for every incoming
   * segment".
   */
  void onAckSent() {
    ackPending = false;
    ackDelay.onAckSent();
  }

  /**
   * BEP 29, Selective ACK: "The selective ACK is only sent when at least one sequence number was
   * skipped in the received stream."
   */
  void writeSelectiveAck(PacketWriter writer) {
    if (reorder.isEmpty()) {
      return;
    }
    long firstBit = next + 1;
    int bits = (int) Math.min(reorder.end() - firstBit, MAX_SELECTIVE_ACK_BYTES * 8L);
    int bytes = Math.max(4, (bits + 31) / 32 * 4);
    int at = writer.selectiveAck(bytes);
    for (int bit = 0; bit < bits; bit++) {
      if (reorder.contains(firstBit + bit)) {
        writer.setSelectiveAckBit(at, bit);
      }
    }
  }

  long bytesReceived() {
    return bytesReceived;
  }

  /** Payload bytes that came and wait behind a hole. */
  int bytesWaiting() {
    return reorder.bytes();
  }

  long packetsDuplicate() {
    return packetsDuplicate;
  }

  void release() {
    queue.clear();
    reorder.clear();
  }
}
