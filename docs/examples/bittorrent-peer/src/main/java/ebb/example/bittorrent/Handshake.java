package ebb.example.bittorrent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The 68 bytes that both sides begin with. */
final class Handshake {
  static final int BYTES = 68;
  static final int ID_BYTES = 20;

  // "The handshake starts with character nineteen (decimal) followed by the string 'BitTorrent
  // protocol'."
  private static final byte[] PROTOCOL = "\u0013BitTorrent protocol".getBytes(US_ASCII);

  private static final int RESERVED_BYTES = 8;

  /** BEP 10: "reserved_byte[5] & 0x10". */
  private static final int EXTENSIONS_AT = 5;

  private static final byte EXTENSIONS = 0x10;

  private Handshake() {}

  static ByteBuffer encode(Metainfo torrent, byte[] peerId) {
    byte[] reserved = new byte[RESERVED_BYTES];
    reserved[EXTENSIONS_AT] = EXTENSIONS;
    return ByteBuffer.allocate(BYTES)
        .put(PROTOCOL)
        .put(reserved)
        .put(torrent.infoHash())
        .put(peerId)
        .flip();
  }

  /** Whether whoever sent this handshake knows extensions (BEP 10). */
  static boolean knowsExtensions(ByteBuffer handshake) {
    return (handshake.get(PROTOCOL.length + EXTENSIONS_AT) & EXTENSIONS) != 0;
  }

  /**
   * The peer's id, if the handshake is for this torrent.
   *
   * @param in {@link #BYTES} bytes
   */
  static byte[] decode(ByteBuffer in, Metainfo torrent) throws ProtocolException {
    byte[] protocol = new byte[PROTOCOL.length];
    in.get(protocol);
    if (!Arrays.equals(protocol, PROTOCOL)) {
      throw new ProtocolException("not the BitTorrent protocol");
    }
    in.position(in.position() + RESERVED_BYTES);
    byte[] infoHash = new byte[Metainfo.HASH_BYTES];
    in.get(infoHash);
    if (!Arrays.equals(infoHash, torrent.infoHash())) {
      throw new ProtocolException("another torrent");
    }
    byte[] peerId = new byte[ID_BYTES];
    in.get(peerId);
    return peerId;
  }
}
