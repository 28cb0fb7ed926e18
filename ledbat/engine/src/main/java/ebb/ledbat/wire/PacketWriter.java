package ebb.ledbat.wire;

import java.nio.ByteBuffer;

/**
 * Writes uTP packets at a buffer's position: the 20-byte header first, then extensions, which chain
 * themselves, then the payload, which the caller appends. One instance serves one endpoint and
 * allocates nothing.
 */
public final class PacketWriter {
  /** The least that {@link #probePadding} can add. */
  public static final int MIN_PROBE_PADDING_BYTES = 12;

  /** What {@link #proof} adds. */
  public static final int PROOF_BYTES = 10;

  /** Extension 2 with its two bytes of kind and length. */
  private static final int EXTENSION_BITS_BYTES = 10;

  private ByteBuffer out = ByteBuffer.allocate(0);
  private int nextExtensionAt;

  /**
   * Starts a packet at the position of {@code out}, a big-endian buffer with room for it. All
   * arguments are truncated to their wire widths but {@code wndSizeBytes}, which is clamped.
   */
  public PacketWriter begin(
      ByteBuffer out,
      PacketType type,
      int connectionId,
      int timestampMicros,
      int timestampDifferenceMicros,
      long wndSizeBytes,
      int seqNr,
      int ackNr) {
    this.out = out;
    nextExtensionAt = out.position() + 1;
    out.put((byte) (type.wireValue() << 4 | Packet.VERSION));
    out.put((byte) 0);
    out.putShort((short) connectionId);
    out.putInt(timestampMicros);
    out.putInt(timestampDifferenceMicros);
    out.putInt((int) Math.max(0, Math.min(wndSizeBytes, 0xffff_ffffL)));
    out.putShort((short) seqNr);
    out.putShort((short) ackNr);
    return this;
  }

  private void beginExtension(int kind, int bytes) {
    out.put(nextExtensionAt, (byte) kind);
    nextExtensionAt = out.position();
    out.put((byte) 0);
    out.put((byte) bytes);
  }

  /**
   * Opens a selective ack of {@code bytes} (4..252, a multiple of 4), all bits zero.
   *
   * @return where its bits start, for {@link #setSelectiveAckBit}
   */
  public int selectiveAck(int bytes) {
    if (bytes < 4 || bytes > 252 || bytes % 4 != 0) {
      throw new IllegalArgumentException("no length of a selective ack: " + bytes);
    }
    beginExtension(Packet.EXTENSION_SELECTIVE_ACK, bytes);
    int at = out.position();
    for (int i = 0; i < bytes; i += 4) {
      out.putInt(0);
    }
    return at;
  }

  /** Says that packet {@code ackNr + 2 + bit} has arrived. */
  public void setSelectiveAckBit(int bitsAt, int bit) {
    int at = bitsAt + (bit >>> 3);
    out.put(at, (byte) (out.get(at) | 1 << (bit & 7)));
  }

  /** Adds the 8 bytes of extension 2. */
  public void extensionBits(long bits) {
    beginExtension(Packet.EXTENSION_BITS, 8);
    out.putLong(bits);
  }

  /** Adds the 64 bits by which an initiator proves its address. */
  public void proof(long proof) {
    beginExtension(Packet.EXTENSION_PROOF, Long.BYTES);
    out.putLong(proof);
  }

  /** Adds extension 3. */
  public void closeReason(int reason) {
    beginExtension(Packet.EXTENSION_CLOSE_REASON, 4);
    out.putInt(reason & 0xffff);
  }

  /**
   * Adds exactly {@code bytes} bytes that every peer skips, so that a packet probes a larger path
   * MTU without carrying more payload. They begin with extension 2, which BitTorrent's peers know:
   * libutp takes a datagram for uTP only if its first extension is below 3 ({@code pf->ext < 3}),
   * and skips what it does not know further down the chain.
   *
   * @param bits the content of extension 2
   * @param bytes {@link #MIN_PROBE_PADDING_BYTES} or more
   */
  public void probePadding(long bits, int bytes) {
    if (bytes < MIN_PROBE_PADDING_BYTES) {
      throw new IllegalArgumentException("too few bytes to pad a probe: " + bytes);
    }
    extensionBits(bits);
    padding(bytes - EXTENSION_BITS_BYTES);
  }

  /**
   * Adds exactly {@code bytes} bytes that are skipped; 0 adds nothing. As the first extension of a
   * packet libutp would not take it.
   *
   * @throws IllegalArgumentException when {@code bytes} is negative or 1, which no chain of
   *     extensions can add up to
   */
  public void padding(int bytes) {
    if (bytes < 0 || bytes == 1) {
      throw new IllegalArgumentException("padding must be 0 or at least 2 bytes: " + bytes);
    }
    int left = bytes;
    while (left > 0) {
      // Never leave a rest of 1: an extension takes at least 2 bytes.
      int whole = Math.min(left, 257);
      if (left - whole == 1) {
        whole--;
      }
      beginExtension(Packet.EXTENSION_PADDING, whole - 2);
      for (int i = 2; i < whole; i++) {
        out.put((byte) 0);
      }
      left -= whole;
    }
  }
}
