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

  // "After the fixed headers come eight reserved bytes, which are all zero in all current
  // implementations. If you wish to extend the protocol using these bytes [...]" Not here.
  private static final int RESERVED_BYTES = 8;

  private Handshake() {}

  static ByteBuffer encode(Metainfo torrent, byte[] peerId) {
    return ByteBuffer.allocate(BYTES)
        .put(PROTOCOL)
        .put(new byte[RESERVED_BYTES])
        .put(torrent.infoHash())
        .put(peerId)
        .flip();
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
