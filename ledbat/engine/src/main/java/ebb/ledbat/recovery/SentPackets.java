package ebb.ledbat.recovery;

import java.util.Arrays;

/**
 * The packets that were sent and not yet cumulatively acknowledged, indexed by sequence number,
 * with what loss detection needs to know of each. It owns no payload (a packet remembers where its
 * bytes start in the stream) and decides nothing.
 *
 * <p>Sequence numbers are given as positions: 64-bit counts that never wrap, whose low 16 bits are
 * the number on the wire. The arrays grow as needed and are dropped by {@link #trim()}.
 */
public final class SentPackets {
  private static final int INITIAL_CAPACITY = 16;
  private static final short ACKED = 1;
  private static final short LOST = 2;
  private static final short RETRANSMITTED = 4;
  private static final short FIN = 8;
  private static final short PROBE = 16;
  private static final short LEFT = 32;
  private static final short WITHHELD = 64;
  private static final short LATE = 128;
  private static final short SUSPECT = 256;

  private int capacity;
  private long[] streamOffset = {};
  private int[] payloadBytes = {};
  private long[] sentMicros = {};
  private long[] transmission = {};
  private short[] flags = {};

  private long first;
  private long end;
  private long outstandingBytes;
  private long pipeBytes;
  private int lostPackets;
  private int mostPackets;
  private long lostHint;
  private long nextTransmission;

  /** Starts with nothing outstanding; the first packet will be at {@code first}. */
  public SentPackets(long first) {
    this.first = first;
    this.end = first;
  }

  /** The oldest packet not cumulatively acknowledged; equals {@link #end()} when there is none. */
  public long first() {
    return first;
  }

  /** One past the newest packet. */
  public long end() {
    return end;
  }

  public int count() {
    return (int) (end - first);
  }

  /** The largest {@link #count()} so far. */
  public int mostPackets() {
    return mostPackets;
  }

  public boolean isEmpty() {
    return first == end;
  }

  /** RFC 6817's flightsize: payload bytes sent and not acknowledged, lost ones included. */
  public long outstandingBytes() {
    return outstandingBytes;
  }

  /**
   * Payload bytes believed to be in the network: outstanding without those lost or arrived.
   *
   * <p>RFC 6675, 5: "this is the data which has been sent by the TCP sender but for which no
   * cumulative or selective acknowledgment has been received and the data has not been determined
   * to have been dropped in the network."
   */
  public long pipeBytes() {
    return pipeBytes;
  }

  /** Packets marked lost and not sent again yet. */
  public int lostPackets() {
    return lostPackets;
  }

  /** Notes a packet sent for the first time, at {@link #end()}. */
  public void add(long offset, int bytes, boolean fin, boolean probe, long nowMicros) {
    if (count() == capacity) {
      grow();
    }
    int i = index(end);
    streamOffset[i] = offset;
    payloadBytes[i] = bytes;
    sentMicros[i] = nowMicros;
    transmission[i] = nextTransmission++;
    flags[i] = (short) ((fin ? FIN : 0) | (probe ? PROBE : 0));
    outstandingBytes += bytes;
    pipeBytes += bytes;
    end++;
    mostPackets = Math.max(mostPackets, count());
  }

  /**
   * Notes a packet that takes its place at {@link #end()} and is not sent. It is outstanding, for
   * the peer has to keep room for it, and not in the network; {@link #resent} notes that it goes
   * out.
   */
  public void withhold(long offset, int bytes, long nowMicros) {
    add(offset, bytes, false, false, nowMicros);
    flags[index(end - 1)] = WITHHELD | LEFT;
    pipeBytes -= bytes;
  }

  /**
   * Notes that the packet was sent again, whether or not it had been marked lost, or that one that
   * was withheld is sent.
   */
  public void resent(long position, long nowMicros) {
    int i = index(position);
    short sentAs = (flags[i] & WITHHELD) == 0 ? RETRANSMITTED : LATE;
    if ((flags[i] & LOST) != 0) {
      lostPackets--;
    }
    if ((flags[i] & (LOST | LEFT)) != 0) {
      pipeBytes += payloadBytes[i];
    }
    flags[i] = (short) ((flags[i] & ~(LOST | LEFT | PROBE | WITHHELD)) | sentAs);
    sentMicros[i] = nowMicros;
    transmission[i] = nextTransmission++;
  }

  /**
   * Marks the packet acknowledged.
   *
   * <p>RFC 2018, 5: "the data sender SHOULD record the selective acknowledgment for future
   * reference."
   *
   * @return its payload bytes, or -1 when it had been acknowledged before
   */
  public int acknowledge(long position) {
    int i = index(position);
    if ((flags[i] & ACKED) != 0) {
      return -1;
    }
    if ((flags[i] & LOST) != 0) {
      lostPackets--;
    } else if ((flags[i] & LEFT) == 0) {
      pipeBytes -= payloadBytes[i];
    }
    flags[i] = (short) ((flags[i] & ~(LOST | LEFT)) | ACKED);
    // R8. RFC 6817, 2.4.2: "flightsize = flightsize - bytes_newly_acked"
    outstandingBytes -= payloadBytes[i];
    return payloadBytes[i];
  }

  /** Forgets everything before {@code position}, all of which must have been acknowledged. */
  public void advanceTo(long position) {
    first = position;
  }

  /**
   * Takes back every acknowledgement that was not cumulative: those packets are lost and wait to be
   * sent again.
   *
   * @return their payload bytes
   */
  public long forgetSelectiveAcks() {
    long bytes = 0;
    for (long position = first; position < end; position++) {
      int i = index(position);
      if ((flags[i] & ACKED) != 0) {
        flags[i] = (short) ((flags[i] & ~(ACKED | PROBE)) | LOST);
        lostHint = lostPackets == 0 ? position : Math.min(lostHint, position);
        lostPackets++;
        outstandingBytes += payloadBytes[i];
        bytes += payloadBytes[i];
      }
    }
    return bytes;
  }

  /**
   * Marks the packet lost: it leaves the pipe and waits to be sent again. Not so one that was
   * acknowledged. RFC 2018, 5: "the data sender will skip that segment during any later
   * retransmission."
   */
  public void markLost(long position) {
    int i = index(position);
    if ((flags[i] & (ACKED | LOST)) == 0) {
      if ((flags[i] & LEFT) == 0) {
        pipeBytes -= payloadBytes[i];
      }
      flags[i] = (short) ((flags[i] & ~LEFT) | LOST);
      lostHint = lostPackets == 0 ? position : Math.min(lostHint, position);
      lostPackets++;
    }
  }

  /**
   * Notes that the last reduction of the window was for this packet too, which is or was marked
   * lost because others overtook it.
   */
  public void suspect(long position) {
    flags[index(position)] |= SUSPECT;
  }

  /** Forgets all of {@link #suspect}. */
  public void clearSuspects() {
    for (long position = first; position < end; position++) {
      flags[index(position)] &= ~SUSPECT;
    }
  }

  public boolean isSuspect(long position) {
    return (flags[index(position)] & SUSPECT) != 0;
  }

  /** Notes that the packet is not in the network any more, arrived or lost: it leaves the pipe. */
  public void markLeft(long position) {
    int i = index(position);
    if ((flags[i] & (ACKED | LOST | LEFT)) == 0) {
      flags[i] |= LEFT;
      pipeBytes -= payloadBytes[i];
    }
  }

  /** The oldest packet marked lost; there must be one. */
  public long firstLost() {
    long position = Math.max(lostHint, first);
    while (!isLost(position)) {
      position++;
    }
    lostHint = position;
    return position;
  }

  public boolean isAcked(long position) {
    return (flags[index(position)] & ACKED) != 0;
  }

  public boolean isLost(long position) {
    return (flags[index(position)] & LOST) != 0;
  }

  public boolean isRetransmitted(long position) {
    return (flags[index(position)] & RETRANSMITTED) != 0;
  }

  /** Whether every packet after it was sent later, as far as none of those was sent again. */
  public boolean isInOrder(long position) {
    return (flags[index(position)] & (RETRANSMITTED | LATE)) == 0;
  }

  public boolean isFin(long position) {
    return (flags[index(position)] & FIN) != 0;
  }

  /** Whether the packet's latest transmission carried the padding of a path MTU probe. */
  public boolean isProbe(long position) {
    return (flags[index(position)] & PROBE) != 0;
  }

  public long streamOffset(long position) {
    return streamOffset[index(position)];
  }

  public int payloadBytes(long position) {
    return payloadBytes[index(position)];
  }

  /** When the packet was last sent. */
  public long sentMicros(long position) {
    return sentMicros[index(position)];
  }

  /** The number of its latest transmission; grows by one with every packet sent or sent again. */
  public long transmission(long position) {
    return transmission[index(position)];
  }

  /** The number that the next transmission will have. */
  public long nextTransmission() {
    return nextTransmission;
  }

  /** Gives back the arrays while nothing is outstanding. */
  public void trim() {
    if (isEmpty()) {
      capacity = 0;
      streamOffset = new long[0];
      payloadBytes = new int[0];
      sentMicros = new long[0];
      transmission = new long[0];
      flags = new short[0];
    }
  }

  private int index(long position) {
    return (int) position & (capacity - 1);
  }

  private void grow() {
    int old = capacity;
    int grown = old == 0 ? INITIAL_CAPACITY : old * 2;
    long[] oldStreamOffset = streamOffset;
    int[] oldPayloadBytes = payloadBytes;
    long[] oldSentMicros = sentMicros;
    long[] oldTransmission = transmission;
    short[] oldFlags = flags;
    streamOffset = Arrays.copyOf(streamOffset, grown);
    payloadBytes = Arrays.copyOf(payloadBytes, grown);
    sentMicros = Arrays.copyOf(sentMicros, grown);
    transmission = Arrays.copyOf(transmission, grown);
    flags = Arrays.copyOf(flags, grown);
    capacity = grown;
    for (long position = first; position < end; position++) {
      int from = (int) position & (old - 1);
      int to = index(position);
      streamOffset[to] = oldStreamOffset[from];
      payloadBytes[to] = oldPayloadBytes[from];
      sentMicros[to] = oldSentMicros[from];
      transmission[to] = oldTransmission[from];
      flags[to] = oldFlags[from];
    }
  }
}
