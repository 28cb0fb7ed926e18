package ebb.ledbat.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;

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
 *
 * <p>Who has no AES in hardware mixes a word into the hash before it encrypts its payload (Noise,
 * 5.2, MixHash), and the other side finds out by the payload's tag; records then have another
 * cipher. So messages are as long as they always were, and nobody can change that choice who does
 * not have the key.
 */
final class NoiseHandshake {
  static final String PROTOCOL_NAME = "Noise_NNpsk0_25519_AESGCM_SHA256";

  /** Either message when its payload is empty. */
  static final int MESSAGE_BYTES = Primitives.DH_BYTES + CipherState.TAG_BYTES;

  private static final byte[] NO_AES = "records: ChaChaPoly".getBytes(US_ASCII);

  private final SymmetricState symmetric = new SymmetricState(PROTOCOL_NAME);
  private final byte[] psk;
  private final byte[] ephemeral;
  private final RecordCipher mine;
  private RecordCipher records;
  private byte @Nullable [] remoteEphemeral;

  /**
   * A handshake of either side.
   *
   * @param prologue both sides must give the same. Noise, 6: "If both parties do not provide
   *     identical prologue data, the handshake will fail due to a decryption error."
   * @param ephemeral a private key that is used here only; overwritten at the end. Noise, 14:
   *     "Ephemeral keys must never be reused."
   * @param mine what this side wants for records
   */
  NoiseHandshake(PresharedKey psk, byte[] prologue, byte[] ephemeral, RecordCipher mine) {
    this.psk = psk.bytes();
    this.ephemeral = ephemeral;
    this.mine = mine;
    records = mine;
    symmetric.mixHash(prologue);
  }

  /** The initiator's message. */
  byte[] writeFirst(byte[] payload) {
    symmetric.mixKeyAndHash(psk);
    byte[] publicKey = Primitives.publicKey(ephemeral);
    mixEphemeral(publicKey);
    return message(publicKey, payload);
  }

  /** The payload of the initiator's message; null when it does not have the key. */
  byte @Nullable [] readFirst(byte[] message) {
    symmetric.mixKeyAndHash(psk);
    return read(message, false);
  }

  /** The responder's message, after {@link #readFirst}; null when there is no shared secret. */
  byte @Nullable [] writeSecond(byte[] payload) {
    // Only here, so that a stranger's message costs hashing and no curve.
    byte[] publicKey = Primitives.publicKey(ephemeral);
    mixEphemeral(publicKey);
    return mixSharedSecret() ? message(publicKey, payload) : null;
  }

  /** The payload of the responder's message; null when it does not have the key. */
  byte @Nullable [] readSecond(byte[] message) {
    return read(message, true);
  }

  private byte[] message(byte[] publicKey, byte[] payload) {
    if (mine == RecordCipher.CHACHA20_POLY1305) {
      symmetric.mixHash(NO_AES);
    }
    byte[] encrypted = symmetric.encryptAndHash(payload);
    byte[] message = Arrays.copyOf(publicKey, Primitives.DH_BYTES + encrypted.length);
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
    byte[] encrypted = Arrays.copyOfRange(message, Primitives.DH_BYTES, message.length);
    byte[] payload = symmetric.decryptAndHash(encrypted);
    if (payload == null) {
      symmetric.mixHash(NO_AES);
      payload = symmetric.decryptAndHash(encrypted);
      records = RecordCipher.CHACHA20_POLY1305;
    }
    return payload;
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
    return symmetric.split(records);
  }

  byte[] handshakeHash() {
    return symmetric.handshakeHash();
  }
}
