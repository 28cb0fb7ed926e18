package ebb.ledbat.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One decoded uTP packet as a view on the datagram it came in: a mutable flyweight that one
 * endpoint reuses for every datagram, so that decoding allocates nothing. It is valid until the
 * next {@link #decode}. It owns no bytes and judges nothing but the syntax of BEP 29.
 *
 * <p>Units are those of the wire: timestamps are 32-bit microseconds kept in an {@code int},
 * sequence numbers 0..65535, wnd_size an unsigned 32-bit number of bytes kept in a {@code long}.
 */
public final class Packet {
  /** The fixed header of BEP 29. */
  public static final int HEADER_BYTES = 20;

  /** BEP 29, version: "The current version is 1." */
  static final int VERSION = 1;

  /** BEP 29, extension: "There is currently one extension: 1. Selective acks". */
  static final int EXTENSION_SELECTIVE_ACK = 1;

  static final int EXTENSION_BITS = 2;
  static final int EXTENSION_CLOSE_REASON = 3;

  /** Ebb's own: bytes of no meaning that make a packet as large as the path MTU under test. */
  static final int EXTENSION_PADDING = 0xEB;

  /** Ebb's own: the 64 bits by which an initiator proves its address. */
  static final int EXTENSION_PROOF = 0xEC;

  private static final int PROOF_BYTES = Long.BYTES;

  /**
   * An honest packet has at most a selective ack, extension bits, a close reason, a proof and
   * padding, of which the largest datagram holds 255 pieces.
   */
  private static final int MAX_EXTENSIONS = 260;

  private PacketType type = PacketType.ST_STATE;
  private int connectionId;
  private int timestampMicros;
  private int timestampDifferenceMicros;
  private long wndSizeBytes;
  private int seqNr;
  private int ackNr;
  private int selectiveAckOffset;
  private int selectiveAckBytes;
  private boolean hasExtensions;
  private boolean hasExtensionBits;
  private long extensionBits;
  private int closeReason;
  private boolean hasProof;
  private long proof;
  private int payloadOffset;
  private int payloadBytes;
  private int datagramBytes;
  private ByteBuffer datagram = ByteBuffer.allocate(0);

  /**
   * Decodes the datagram at {@code [offset, offset + length)} of {@code buffer}, whose position and
   * limit are neither used nor changed. The buffer must hold that range and be big-endian, as
   * buffers are unless told otherwise.
   *
   * <p>BEP 29, header format: "All fields are in network byte order (big endian)."
   *
   * @return null when well formed, else the first reason found; the fields are then undefined
   */
  public @Nullable MalformedReason decode(ByteBuffer buffer, int offset, int length) {
    if (length < HEADER_BYTES) {
      return MalformedReason.TRUNCATED_HEADER;
    }
    int typeAndVersion = buffer.get(offset) & 0xff;
    if ((typeAndVersion & 0xf) != VERSION) {
      return MalformedReason.BAD_VERSION;
    }
    if (typeAndVersion >>> 4 > PacketType.MAX_WIRE_VALUE) {
      return MalformedReason.BAD_TYPE;
    }
    datagram = buffer;
    datagramBytes = length;
    type = PacketType.of(typeAndVersion >>> 4);
    connectionId = buffer.getShort(offset + 2) & 0xffff;
    timestampMicros = buffer.getInt(offset + 4);
    timestampDifferenceMicros = buffer.getInt(offset + 8);
    // BEP 29, wnd_size: "This is 32 bits wide and specified in bytes."
    wndSizeBytes = buffer.getInt(offset + 12) & 0xffff_ffffL;
    seqNr = buffer.getShort(offset + 16) & 0xffff;
    ackNr = buffer.getShort(offset + 18) & 0xffff;
    return decodeExtensions(buffer, offset, length);
  }

  private @Nullable MalformedReason decodeExtensions(ByteBuffer buffer, int offset, int length) {
    selectiveAckBytes = 0;
    hasExtensionBits = false;
    closeReason = 0;
    hasProof = false;
    int end = offset + length;
    int at = offset + HEADER_BYTES;
    int extension = buffer.get(offset + 1) & 0xff;
    hasExtensions = extension != 0;
    // BEP 29, extension: "0 terminates the list. And len specifies the number of bytes of this
    // extension."
    for (int count = 0; extension != 0; count++) {
      if (count == MAX_EXTENSIONS) {
        return MalformedReason.TOO_MANY_EXTENSIONS;
      }
      if (end - at < 2) {
        return MalformedReason.EXTENSION_OVERRUN;
      }
      int next = buffer.get(at) & 0xff;
      int bytes = buffer.get(at + 1) & 0xff;
      at += 2;
      if (end - at < bytes) {
        return MalformedReason.EXTENSION_OVERRUN;
      }
      MalformedReason bad = readExtension(buffer, extension, at, bytes);
      if (bad != null) {
        return bad;
      }
      at += bytes;
      extension = next;
    }
    payloadOffset = at;
    payloadBytes = end - at;
    return null;
  }

  private @Nullable MalformedReason readExtension(ByteBuffer buffer, int kind, int at, int bytes) {
    switch (kind) {
      case EXTENSION_SELECTIVE_ACK -> {
        // BEP 29, Selective ACK: "the len field of extensions refer to bytes, which in this
        // extension must be at
        // least 4, and in multiples of 4." libtorrent sends as many as it has bits for, down to 1,
        // and would wait for ever for what such acks are answered with.
        if (bytes == 0) {
          return MalformedReason.BAD_SELECTIVE_ACK;
        }
        selectiveAckOffset = at;
        selectiveAckBytes = bytes;
      }
      case EXTENSION_BITS -> {
        if (bytes != 8) {
          return MalformedReason.BAD_EXTENSION_LENGTH;
        }
        hasExtensionBits = true;
        extensionBits = buffer.getLong(at);
      }
      case EXTENSION_CLOSE_REASON -> {
        if (bytes != 4) {
          return MalformedReason.BAD_EXTENSION_LENGTH;
        }
        closeReason = buffer.getInt(at) & 0xffff;
      }
      case EXTENSION_PROOF -> {
        if (bytes == PROOF_BYTES) { // Of another length it is somebody else's.
          hasProof = true;
          proof = buffer.getLong(at);
        }
      }
      default -> {
        // BEP 29, extension: "Unknown extensions can be skipped by simply advancing len bytes."
      }
    }
    return null;
  }

  public PacketType type() {
    return type;
  }

  public int connectionId() {
    return connectionId;
  }

  /** The sender's clock when it sent this, modulo 2^32. */
  public int timestampMicros() {
    return timestampMicros;
  }

  /** The one-way delay (plus clock offset) that the sender measured on our last packet. */
  public int timestampDifferenceMicros() {
    return timestampDifferenceMicros;
  }

  public long wndSizeBytes() {
    return wndSizeBytes;
  }

  public int seqNr() {
    return seqNr;
  }

  public int ackNr() {
    return ackNr;
  }

  /** The number of bits in the selective ack, 0 when there is none. */
  public int selectiveAckBits() {
    return selectiveAckBytes * 8;
  }

  /** Whether packet {@code ackNr + 2 + bit} is acknowledged. */
  public boolean isSelectivelyAcked(int bit) {
    // BEP 29, Selective ACK: "The least significant bit in the byte represents ack_nr + 2"
    return (datagram.get(selectiveAckOffset + (bit >>> 3)) >>> (bit & 7) & 1) != 0;
  }

  /** Whether it has any, so that who sent it knows what extensions are. */
  public boolean hasExtensions() {
    return hasExtensions;
  }

  public boolean hasExtensionBits() {
    return hasExtensionBits;
  }

  public long extensionBits() {
    return extensionBits;
  }

  /** The close reason of extension 3, 0 when there is none. */
  public int closeReason() {
    return closeReason;
  }

  public boolean hasProof() {
    return hasProof;
  }

  /**
   * The 64 bits that prove an address: chosen by the acceptor in its answer, repeated by the
   * initiator, zero in a SYN.
   */
  public long proof() {
    return proof;
  }

  /** Where the payload starts in the buffer given to {@link #decode}. */
  public int payloadOffset() {
    return payloadOffset;
  }

  public int payloadBytes() {
    return payloadBytes;
  }

  /** The length of the whole datagram. */
  public int datagramBytes() {
    return datagramBytes;
  }

  /** The buffer given to {@link #decode}. */
  public ByteBuffer datagram() {
    return datagram;
  }
}
