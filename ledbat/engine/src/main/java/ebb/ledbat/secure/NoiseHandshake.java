package ebb.ledbat.secure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Noise 5.3, the HandshakeState object, for one pattern (Noise 9.4):
 *
 * <pre>
 * NNpsk0:
 *   -> psk, e
 *   <- e, ee
 * </pre>
 *
 * <p>What the sender of the first message proves is that somebody with the key once made that
 * message: it can be replayed. The second message proves its sender to the initiator; the first
 * record after it proves the initiator to the responder, for it takes the private half of {@code
 * e}.
 */
final class NoiseHandshake {
  static final String PROTOCOL_NAME = "Noise_NNpsk0_25519_AESGCM_SHA256";

  /** Either message when its payload is empty. */
  static final int MESSAGE_BYTES = Primitives.DH_BYTES + CipherState.TAG_BYTES;

  private final SymmetricState symmetric = new SymmetricState(PROTOCOL_NAME);
  private final byte[] psk;
  private final byte[] ephemeral;
  private byte @Nullable [] remoteEphemeral;

  /**
   * A handshake of either side.
   *
   * @param prologue both sides must give the same. Noise, 6: "If both parties do not provide
   *     identical prologue data, the handshake will fail due to a decryption error."
   * @param ephemeral a private key that is used here only; overwritten at the end. Noise, 14:
   *     "Ephemeral keys must never be reused."
   */
  NoiseHandshake(PresharedKey psk, byte[] prologue, byte[] ephemeral) {
    this.psk = psk.bytes();
    this.ephemeral = ephemeral;
    symmetric.mixHash(prologue);
  }

  /** The initiator's message. */
  byte[] writeFirst(byte[] payload) {
    symmetric.mixKeyAndHash(psk);
    byte[] mine = Primitives.publicKey(ephemeral);
    mixEphemeral(mine);
    return message(mine, payload);
  }

  /** The payload of the initiator's message; null when it does not have the key. */
  byte @Nullable [] readFirst(byte[] message) {
    symmetric.mixKeyAndHash(psk);
    return read(message, false);
  }

  /** The responder's message, after {@link #readFirst}; null when there is no shared secret. */
  byte @Nullable [] writeSecond(byte[] payload) {
    // Only here, so that a stranger's message costs hashing and no curve.
    byte[] mine = Primitives.publicKey(ephemeral);
    mixEphemeral(mine);
    return mixSharedSecret() ? message(mine, payload) : null;
  }

  /** The payload of the responder's message; null when it does not have the key. */
  byte @Nullable [] readSecond(byte[] message) {
    return read(message, true);
  }

  private byte[] message(byte[] mine, byte[] payload) {
    byte[] encrypted = symmetric.encryptAndHash(payload);
    byte[] message = Arrays.copyOf(mine, Primitives.DH_BYTES + encrypted.length);
    System.arraycopy(encrypted, 0, message, Primitives.DH_BYTES, encrypted.length);
    return message;
  }

  private byte @Nullable [] read(byte[] message, boolean withSharedSecret) {
    if (message.length < MESSAGE_BYTES) {
      return null;
    }
    byte[] remote = Arrays.copyOf(message, Primitives.DH_BYTES);
    remoteEphemeral = remote;
    mixEphemeral(remote);
    if (withSharedSecret && !mixSharedSecret()) {
      return null;
    }
    return symmetric.decryptAndHash(
        Arrays.copyOfRange(message, Primitives.DH_BYTES, message.length));
  }

  /**
   * Noise, 9.2: "In a PSK handshake, all of these calls are followed by MixKey(e.public_key)." The
   * calls are those of MixHash(e.public_key).
   */
  private void mixEphemeral(byte[] publicKey) {
    symmetric.mixHash(publicKey);
    symmetric.mixKey(publicKey);
  }

  private boolean mixSharedSecret() {
    byte[] remote = remoteEphemeral;
    byte[] shared = remote == null ? null : Primitives.dh(ephemeral, remote);
    if (shared == null) {
      return false;
    }
    symmetric.mixKey(shared);
    Arrays.fill(shared, (byte) 0);
    return true;
  }

  /** The ciphers from initiator to responder and back; the end. */
  CipherState[] split() {
    Arrays.fill(ephemeral, (byte) 0);
    return symmetric.split();
  }

  byte[] handshakeHash() {
    return symmetric.handshakeHash();
  }
}
