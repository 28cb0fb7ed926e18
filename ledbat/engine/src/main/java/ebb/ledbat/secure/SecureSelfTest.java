package ebb.ledbat.secure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * One handshake and one record between two channels of this process. It finds a JDK without the
 * algorithms when a key is given and not when a peer comes, and loads the JDK's providers (tenths
 * of a second, the first time) where nobody waits for them.
 */
final class SecureSelfTest {
  private SecureSelfTest() {}

  static void run(RecordCipher cipher) {
    PresharedKey key = new PresharedKey(new byte[PresharedKey.BYTES]);
    byte[] one = new byte[Primitives.DH_BYTES];
    byte[] other = new byte[Primitives.DH_BYTES];
    Arrays.fill(other, (byte) 1);
    SecureChannel left = SecureChannel.initiator(key, "self test", one, cipher);
    SecureChannel right = SecureChannel.responder(List.of(key), "self test", other, cipher);
    ByteBuffer plain = ByteBuffer.allocate(SecureChannel.MAX_ROOM_BYTES);
    right.receive(left.output(), plain);
    left.receive(right.output(), plain);
    right.receive(left.output(), plain);
    if (!left.isOpen() || !right.isOpen()) {
      throw new IllegalStateException(
          "the JDK's X25519, SHA-256 and " + cipher + " do not work together");
    }
  }
}
