package ebb.files;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The first bytes each way: 8 bytes of magic, the protocol's version (2 bytes), the length of an
 * extension (2 bytes) and the extension: one byte of features, or nothing. What comes after that
 * byte, and features that are not known, are skipped.
 */
final class Hello {
  /** The odd first byte and the line ends show text-mode tampering at once. */
  private static final byte[] MAGIC = {(byte) 0xEB, 'E', 'b', 'b', 'F', '\r', '\n', 0x1A};

  static final int VERSION = 2;

  /** Magic, version and the extension's length. */
  static final int FIXED_BYTES = MAGIC.length + 4;

  static final int MAX_EXTENSION_BYTES = 4_096;

  /** The longest that is sent. */
  static final int MAX_ENCODED_BYTES = FIXED_BYTES + 1;

  /**
   * Of a sender: its stream's records are proven by a key, so that it need not hash what it sends.
   * Of a receiver: the sender said so, and it agrees. Then files end by {@link Frame.Complete}.
   */
  static final int PROVEN_RECORDS = 1;

  private Hello() {}

  /** Without features nothing is said of them, as it was when there were none. */
  static void encode(ByteBuffer out, int features) {
    out.put(MAGIC).putShort((short) VERSION).putShort((short) (features == 0 ? 0 : 1));
    if (features != 0) {
      out.put((byte) features);
    }
  }

  /** What the peer said. */
  record Heard(int version, int features) {
    /** Whether it is of this version, and has the feature. */
    boolean has(int feature) {
      return version == VERSION && (features & feature) != 0;
    }
  }

  /** What a hello says before its extension. */
  record Fixed(int version, int extensionBytes) {}

  /**
   * Reads the fixed part.
   *
   * @throws ProtocolException when the peer is something else altogether
   */
  static Fixed decode(ByteBuffer in) throws ProtocolException {
    byte[] magic = new byte[MAGIC.length];
    in.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new ProtocolException("it does not speak Ebb's file protocol" + guess(magic));
    }
    int version = in.getShort() & 0xffff;
    int extensionBytes = in.getShort() & 0xffff;
    if (extensionBytes > MAX_EXTENSION_BYTES) {
      throw new ProtocolException("a hello with " + extensionBytes + " bytes of extension");
    }
    return new Fixed(version, extensionBytes);
  }

  private static String guess(byte[] start) {
    String text = new String(start, StandardCharsets.ISO_8859_1);
    return text.startsWith("GET ") || text.startsWith("POST ") || text.startsWith("HTTP/")
        ? " but HTTP"
        : "";
  }
}
