package ebb.ledbat.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.SeqNr;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One connection as the peer of Ebb sees it: what it has sent, what Ebb has sent, and what must
 * therefore be true. It makes honest packets and judges Ebb's; what is sent when is the {@link
 * Script}'s.
 *
 * <p>Packets of a direction are counted from 0; a sequence number is the first one's plus the
 * index, modulo 2^16.
 */
final class ModelPeer {
  /** Half of the sequence space, beyond which Ebb takes no packet (its reorder buffer's reach). */
  private static final int WINDOW_PACKETS = 1 << 14;

  /** No model sends farther ahead of Ebb's acknowledgement. */
  static final int MAX_AHEAD = 900;

  private static final long EBB_BITS = 0x4542_4201_0000_0000L;

  final InetSocketAddress address;
  final boolean ebbInitiates;

  /** In packets to Ebb, and from it. */
  final int idToEbb;

  final int idFromEbb;

  /** The sequence number of whichever SYN opens this; below 0 until Ebb has sent its own. */
  private int synSeqNr;

  final boolean saysEbb;
  final Pattern toEbb;
  final Pattern toPeer;

  /** Ebb's side of it, once Ebb has told the application. */
  @Nullable ModelApp app;

  /** Whether Ebb can know where this peer's sequence numbers begin. */
  boolean introduced;

  // ---- peer to Ebb
  private int firstSeqNr;
  private int[] lengths = new int[16];
  private long[] offsets = new long[17];
  private int cut;
  private boolean ended;
  int sent;
  private int ackedByEbb;
  long ebbWindowBytes = Long.MAX_VALUE;

  // ---- Ebb to peer
  private int ebbFirstSeqNr = -1;
  private long[] ebbOffsets = new long[17];
  private int ebbSent;
  private boolean ebbEnded;

  /** The one packet that Ebb has not sent although it has sent later ones; below 0 for none. */
  private int withheld = -1;

  private final BitSet received = new BitSet();
  int receivedInOrder;

  private ModelPeer(
      InetSocketAddress address,
      boolean ebbInitiates,
      int synId,
      int synSeqNr,
      int firstSeqNr,
      boolean saysEbb,
      int salt) {
    this.address = address;
    this.ebbInitiates = ebbInitiates;
    this.synSeqNr = synSeqNr;
    this.saysEbb = saysEbb;
    // The SYN carries the initiator's receive id; it sends with that plus 1.
    idToEbb = ebbInitiates ? synId : SeqNr.plus(synId, 1);
    idFromEbb = ebbInitiates ? SeqNr.plus(synId, 1) : synId;
    this.firstSeqNr = firstSeqNr;
    introduced = !ebbInitiates;
    toEbb = new Pattern(2 * salt);
    toPeer = new Pattern(2 * salt + 1);
  }

  /** A peer that opens a connection to Ebb. */
  static ModelPeer initiator(
      InetSocketAddress address, int synId, int synSeqNr, boolean saysEbb, int salt) {
    return new ModelPeer(address, false, synId, synSeqNr, SeqNr.plus(synSeqNr, 1), saysEbb, salt);
  }

  /** A peer that Ebb opens a connection to. */
  static ModelPeer acceptor(
      InetSocketAddress address, int synId, int firstSeqNr, boolean saysEbb, int salt) {
    return new ModelPeer(address, true, synId, -1, firstSeqNr, saysEbb, salt);
  }

  // ---- what this peer has sent

  /** Adds a packet to what there is to send. */
  void cut(int payloadBytes) {
    if (ended || cut - ackedByEbb >= MAX_AHEAD) {
      return;
    }
    if (cut == lengths.length) {
      lengths = Arrays.copyOf(lengths, 2 * cut);
      offsets = Arrays.copyOf(offsets, 2 * cut + 1);
    }
    lengths[cut] = payloadBytes;
    offsets[cut + 1] = offsets[cut] + payloadBytes;
    cut++;
  }

  /** Nothing follows what has been cut: the next packet is the FIN. */
  void end() {
    ended = true;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Packets that can be sent, the FIN included. */
  int sendable() {
    return cut + (ended ? 1 : 0);
  }

  int ackedByEbb() {
    return ackedByEbb;
  }

  /** Writes packet {@code index}, which must be sendable. */
  void writePacket(int index, PacketHeader header, ByteBuffer out, PacketWriter writer) {
    boolean fin = index == cut;
    header.begin(
        writer,
        out,
        fin ? PacketType.ST_FIN : PacketType.ST_DATA,
        idToEbb,
        SeqNr.plus(firstSeqNr, index),
        ackNr());
    if (!fin) {
      toEbb.put(offsets[index], lengths[index], out);
    }
    sent = Math.max(sent, index + 1);
  }

  /** Everything of a header that does not matter to the streams. */
  record PacketHeader(int timestampMicros, int differenceMicros, long wndSizeBytes) {
    void begin(PacketWriter writer, ByteBuffer out, PacketType type, int id, int seqNr, int ackNr) {
      writer.begin(out, type, id, timestampMicros, differenceMicros, wndSizeBytes, seqNr, ackNr);
    }
  }

  /** The sequence number that an ST_STATE of this peer carries. */
  int nextSeqNr() {
    return SeqNr.plus(firstSeqNr, sent);
  }

  /** The honest acknowledgement of what was received in order. */
  int ackNr() {
    return SeqNr.plus(Math.max(0, ebbFirstSeqNr), receivedInOrder - 1);
  }

  /**
   * Whether Ebb waits for the answer to its SYN. It takes the sequence numbers to begin with the
   * answer's, so nothing but the answer may look like it.
   */
  boolean awaitsSynAck() {
    return ebbInitiates && (app == null || app.connectedCalls == 0);
  }

  /** Whether Ebb has said where its sequence numbers begin. */
  boolean knowsEbb() {
    return ebbFirstSeqNr >= 0;
  }

  void writeSyn(PacketHeader header, ByteBuffer out, PacketWriter writer) {
    header.begin(writer, out, PacketType.ST_SYN, idFromEbb, synSeqNr, 0);
    writeBits(writer);
  }

  /** The answer to Ebb's SYN, or an acknowledgement like it. */
  void writeSynAck(PacketHeader header, ByteBuffer out, PacketWriter writer) {
    header.begin(writer, out, PacketType.ST_STATE, idToEbb, firstSeqNr, synSeqNr);
    writeBits(writer);
    introduced = true;
  }

  private void writeBits(PacketWriter writer) {
    if (saysEbb) {
      writer.extensionBits(EBB_BITS);
    }
  }

  /** An honest acknowledgement, selective where there is a gap. */
  void writeState(PacketHeader header, ByteBuffer out, PacketWriter writer) {
    header.begin(writer, out, PacketType.ST_STATE, idToEbb, nextSeqNr(), ackNr());
    int bits = received.length() - receivedInOrder - 1;
    if (bits > 0) {
      int at = writer.selectiveAck(Math.min(252, (bits + 31) / 32 * 4));
      for (int bit = 0; bit < Math.min(bits, 252 * 8); bit++) {
        if (received.get(receivedInOrder + 1 + bit)) {
          writer.setSelectiveAckBit(at, bit);
        }
      }
    }
  }

  /**
   * Whether a made-up packet could make Ebb deliver what this peer never sent, or miss what it did.
   * The oracle holds for peers that are honest about their stream, so such a packet must not go
   * out; everything else may.
   */
  boolean isDishonest(Packet packet, byte[] bytes) {
    if (packet.type() == PacketType.ST_STATE) {
      // It would say where this peer's sequence numbers begin.
      return awaitsSynAck() && packet.ackNr() == synSeqNr;
    }
    if (packet.type() != PacketType.ST_DATA && packet.type() != PacketType.ST_FIN) {
      return false;
    }
    int index = ackedByEbb + SeqNr.distance(SeqNr.plus(firstSeqNr, ackedByEbb), packet.seqNr());
    if (index < ackedByEbb || index >= ackedByEbb + MAX_AHEAD + WINDOW_PACKETS) {
      return false; // Ebb has that, or has no place for it.
    }
    boolean honest =
        packet.type() == PacketType.ST_FIN
            ? ended && index == cut && packet.payloadBytes() == 0
            : index < cut
                && packet.payloadBytes() == lengths[index]
                && toEbb.matches(
                    offsets[index], bytes, packet.payloadOffset(), packet.payloadBytes());
    if (honest) {
      sent = Math.max(sent, index + 1);
    }
    return !honest;
  }

  /** The bytes that Ebb handed to its application must be this stream's. */
  void checkDelivered(long offset, byte[] bytes, int length) {
    if (!toEbb.matches(offset, bytes, 0, length)
        || offset + length > offsets[Math.min(sent, cut)]) {
      throw new AssertionError(
          "bytes " + offset + ".." + (offset + length) + " are not a prefix of what was sent");
    }
  }

  /** Ebb told its application that this stream ended after {@code bytes}. */
  void checkEnd(long bytes) {
    assertThat(ended && sent == cut + 1).as("an end that was never sent").isTrue();
    assertThat(bytes).as("bytes before the end").isEqualTo(offsets[cut]);
  }

  // ---- what Ebb has sent

  /** The application wrote {@code bytes} in all, and Ebb says that the peer has everything. */
  void checkAllSent(long bytes) {
    assertThat(ebbEnded).isTrue();
    assertThat(ebbOffsets[ebbSent - 1]).as("bytes sent").isEqualTo(bytes);
  }

  /** Judges a packet that Ebb sent on this connection; {@code lost} keeps it from the model. */
  void onPacket(Packet packet, byte[] bytes, long writtenBytes, boolean finished, boolean lost) {
    if (packet.type() == PacketType.ST_SYN) {
      if (synSeqNr < 0) {
        synSeqNr = packet.seqNr();
        ebbFirstSeqNr = SeqNr.plus(synSeqNr, 1);
      }
      assertThat(packet.seqNr()).isEqualTo(synSeqNr);
      assertThat(packet.payloadBytes()).isZero();
      return;
    }
    if (packet.type() == PacketType.ST_RESET) {
      return;
    }
    if (app == null && !ebbInitiates) {
      // Its answer to a SYN, which may be another than its last one if it had forgotten this peer.
      // libutp: the answer does not consume its sequence number.
      ebbFirstSeqNr = packet.seqNr();
    }
    onAck(packet);
    ebbWindowBytes = packet.wndSizeBytes();
    int index = ebbSent + SeqNr.distance(SeqNr.plus(ebbFirstSeqNr, ebbSent), packet.seqNr());
    if (packet.type() == PacketType.ST_STATE) {
      return;
    }
    if (index == ebbSent + 1 && withheld < 0) {
      onWithheld(packet, bytes);
    } else if (index == withheld) {
      withheld = -1;
    }
    if (index < 0 || index > ebbSent) {
      throw new AssertionError("packet " + index + " after " + ebbSent + " packets");
    }
    boolean fin = packet.type() == PacketType.ST_FIN;
    if (index == ebbSent) {
      onFirstSent(packet.payloadBytes(), fin, writtenBytes, finished);
    }
    long offset = ebbOffsets[index];
    boolean last = ebbEnded && index == ebbSent - 1;
    if (fin != last
        || offset + packet.payloadBytes() != ebbOffsets[index + 1]
        || !toPeer.matches(offset, bytes, packet.payloadOffset(), packet.payloadBytes())) {
      throw new AssertionError("packet " + index + " is not what was written");
    }
    if (!lost) {
      received.set(index);
      receivedInOrder = received.nextClearBit(receivedInOrder);
    }
  }

  /** The packet before this one was left out; its length shows in where this one begins. */
  private void onWithheld(Packet next, byte[] bytes) {
    withheld = ebbSent;
    long offset = ebbOffsets[ebbSent];
    int length = next.payloadBytes();
    if (!toPeer.matches(offset + length, bytes, next.payloadOffset(), length)) {
      length = 1; // The path MTU was found to be another meanwhile.
      while (!toPeer.matches(offset + length, bytes, next.payloadOffset(), next.payloadBytes())) {
        length++;
      }
    }
    onFirstSent(length, false, Long.MAX_VALUE, false);
  }

  private void onFirstSent(int payloadBytes, boolean fin, long writtenBytes, boolean finished) {
    if (ebbEnded) {
      throw new AssertionError("something follows the FIN");
    }
    if (ebbSent + 2 > ebbOffsets.length) {
      ebbOffsets = Arrays.copyOf(ebbOffsets, 2 * ebbOffsets.length);
    }
    ebbOffsets[ebbSent + 1] = ebbOffsets[ebbSent] + payloadBytes;
    ebbSent++;
    if (ebbOffsets[ebbSent] > writtenBytes) {
      throw new AssertionError("more is sent than was written");
    }
    if (fin) {
      assertThat(finished).as("a FIN that nobody asked for").isTrue();
      assertThat(payloadBytes).isZero();
      assertThat(ebbOffsets[ebbSent]).as("bytes before the FIN").isEqualTo(writtenBytes);
      ebbEnded = true;
    }
  }

  private void onAck(Packet packet) {
    int index = ackedByEbb + SeqNr.distance(SeqNr.plus(firstSeqNr, ackedByEbb - 1), packet.ackNr());
    if (!introduced) {
      throw new AssertionError("Ebb acknowledges what was never sent to it");
    }
    // A keepalive acknowledges one packet less than the packets before it.
    if (index < ackedByEbb - 1 || index > sent) {
      throw new AssertionError(
          "Ebb acknowledged " + ackedByEbb + " and then " + index + " of " + sent + " packets");
    }
    ackedByEbb = Math.max(ackedByEbb, index);
    for (int bit = 0; bit < packet.selectiveAckBits(); bit++) {
      if (packet.isSelectivelyAcked(bit) && index + 1 + bit >= sent) {
        throw new AssertionError("Ebb acknowledged packet " + (index + 1 + bit) + " of " + sent);
      }
    }
  }

  /** The payload bytes that Ebb has sent for the first time. */
  long ebbSentBytes() {
    return ebbOffsets[ebbSent];
  }

  /** Takes everything Ebb has sent for received. */
  void receiveAll() {
    received.set(0, ebbSent);
    if (withheld >= 0) {
      received.clear(withheld);
    }
    receivedInOrder = received.nextClearBit(receivedInOrder);
  }

  /** The end of the stream that this peer sends, in bytes, so far. */
  long cutBytes() {
    return offsets[cut];
  }

  /** Bytes of packet {@code index}. */
  int payloadBytes(int index) {
    return index < cut ? lengths[index] : 0;
  }

  /** Bytes sent and not acknowledged. */
  long inFlightBytes() {
    return offsets[Math.min(sent, cut)] - offsets[Math.min(ackedByEbb, cut)];
  }
}
