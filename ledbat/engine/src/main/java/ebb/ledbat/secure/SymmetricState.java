package ebb.ledbat.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Noise 5.2, the SymmetricState object: chaining key, hash and the handshake's cipher. */
final class SymmetricState {
  private static final byte[] NOTHING = {};

  private byte[] chainingKey;
  private byte[] hash;
  private @Nullable CipherState cipher;

  SymmetricState(String protocolName) {
    byte[] name = protocolName.getBytes(US_ASCII);
    // Noise, 5.2: "If protocol_name is less than or equal to HASHLEN bytes in length, sets h equal
    // to protocol_name with zero bytes appended to make HASHLEN bytes. Otherwise sets h =
    // HASH(protocol_name)."
    hash =
        name.length <= Primitives.HASH_BYTES
            ? Arrays.copyOf(name, Primitives.HASH_BYTES)
            : Primitives.hash(name, NOTHING);
    chainingKey = hash;
  }

  void mixHash(byte[] data) {
    hash = Primitives.hash(hash, data);
  }

  void mixKey(byte[] inputKeyMaterial) {
    byte[][] keys = Primitives.hkdf(chainingKey, inputKeyMaterial, 2);
    chainingKey = keys[0];
    cipher = new CipherState(RecordCipher.AES_GCM, keys[1]);
  }

  void mixKeyAndHash(byte[] inputKeyMaterial) {
    byte[][] keys = Primitives.hkdf(chainingKey, inputKeyMaterial, 3);
    chainingKey = keys[0];
    mixHash(keys[1]);
    cipher = new CipherState(RecordCipher.AES_GCM, keys[2]);
  }

  byte[] encryptAndHash(byte[] plaintext) {
    byte[] ciphertext = new byte[plaintext.length + CipherState.TAG_BYTES];
    keyed().encrypt(hash, plaintext, 0, plaintext.length, ciphertext, 0);
    mixHash(ciphertext);
    return ciphertext;
  }

  /** The plaintext; null when it is not authentic. */
  byte @Nullable [] decryptAndHash(byte[] ciphertext) {
    if (ciphertext.length < CipherState.TAG_BYTES) {
      return null;
    }
    byte[] plaintext = new byte[ciphertext.length - CipherState.TAG_BYTES];
    if (keyed().decrypt(hash, ciphertext, 0, ciphertext.length, plaintext, 0) < 0) {
      return null;
    }
    mixHash(ciphertext);
    return plaintext;
  }

  private CipherState keyed() {
    CipherState current = cipher;
    if (current == null) {
      // The first token of NNpsk0 sets a key, so nothing of it is ever sent in the clear.
      throw new IllegalStateException("no key is mixed in yet");
    }
    return current;
  }

  /** The ciphers from initiator to responder and back; ends the handshake. */
  CipherState[] split(RecordCipher records) {
    byte[][] keys = Primitives.hkdf(chainingKey, NOTHING, 2);
    CipherState[] pair = {new CipherState(records, keys[0]), new CipherState(records, keys[1])};
    for (byte[] secret : new byte[][] {keys[0], keys[1], chainingKey}) {
      Arrays.fill(secret, (byte) 0);
    }
    cipher = null;
    return pair;
  }

  /** Identifies the session, after {@link #split}. */
  byte[] handshakeHash() {
    return hash.clone();
  }
}
