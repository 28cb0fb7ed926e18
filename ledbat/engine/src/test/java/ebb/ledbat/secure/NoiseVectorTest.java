package ebb.ledbat.secure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * The published vector of Noise_NNpsk0_25519_AESGCM_SHA256 from cacophony
 * (github.com/haskell-cryptography/cacophony, vectors/cacophony.txt, also in
 * github.com/mcginty/snow, tests/vectors/cacophony.txt), and X25519's own from RFC 7748.
 */
class NoiseVectorTest {
  private static final byte[] PROLOGUE = hex("4a6f686e2047616c74");
  private static final PresharedKey PSK =
      new PresharedKey(hex("54686973206973206d7920417573747269616e20706572737065637469766521"));
  private static final String INITIATOR =
      "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a";
  private static final String RESPONDER =
      "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b";
  private static final String HANDSHAKE_HASH =
      "9f3b1f9afd7767767b5b9d1069844a6154fdbdcc36dfb3e31c0fffc5c973d530";

  private static final byte[] FIRST_PAYLOAD = hex("4c756477696720766f6e204d69736573");
  private static final byte[] FIRST =
      hex(
          "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c79447c37a89fc17813788d30df2d"
              + "59501d6066f5f8aecc3406bbd9829f2d24a531b1");
  private static final byte[] SECOND_PAYLOAD = hex("4d757272617920526f746862617264");
  private static final byte[] SECOND =
      hex(
          "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f1448088432f29d79368ef9de4e1ae7a36"
              + "2fb05bf0ad668e026bf5714554497b3a720461");

  /** Payload and ciphertext; the initiator's and the responder's by turns. */
  private static final String[][] TRANSPORT = {
    {"462e20412e20486179656b", "7c01e898a6201f36aecee532e29cd0b7f8ffa29d3366ad0dce39a6"},
    {"4361726c204d656e676572", "a9ff535aace3db6a1da1a7fb00fe2de2622bb373abad9fb42c00e0"},
    {
      "4a65616e2d426170746973746520536179",
      "6cfc49a3e65472edc2d0152abe5ce950170a8a47c959f30bd48b5f0aacf29adbfd"
    },
    {
      "457567656e2042f6686d20766f6e2042617765726b",
      "9bc86e6d974ed21ba04604a94aa68de21677eb409ead070c0cd569b069ee19ba142aa4c1a9"
    },
  };

  @Test
  void theInitiatorWritesAndReadsThePublishedMessages() {
    // Noise, 4.3: "Sets temp_key = HMAC-HASH(chaining_key, input_key_material)."
    // Noise, 4.3: "Sets output2 = HMAC-HASH(temp_key, output1 || byte(0x02))."
    // Noise, 5.2: "If protocol_name is less than or equal to HASHLEN bytes in length, sets h equal
    // to protocol_name with zero bytes appended to make HASHLEN bytes."
    // Noise, 9.2: "In a PSK handshake, all of these calls are followed by MixKey(e.public_key)."
    byte[] ephemeral = hex(INITIATOR);
    NoiseHandshake initiator = handshake(PSK, PROLOGUE, ephemeral);

    assertThat(initiator.writeFirst(FIRST_PAYLOAD)).isEqualTo(FIRST);
    assertThat(initiator.readSecond(SECOND)).isEqualTo(SECOND_PAYLOAD);
    CipherState[] pair = initiator.split();
    // Noise, 14: "Ephemeral keys must never be reused."
    assertThat(ephemeral).containsOnly(0);
    assertThat(initiator.handshakeHash()).isEqualTo(hex(HANDSHAKE_HASH));
    assertTransport(pair[0], pair[1]);
  }

  @Test
  void theResponderReadsAndWritesThePublishedMessages() {
    NoiseHandshake responder = handshake(PSK, PROLOGUE, hex(RESPONDER));

    assertThat(responder.readFirst(FIRST)).isEqualTo(FIRST_PAYLOAD);
    assertThat(responder.writeSecond(SECOND_PAYLOAD)).isEqualTo(SECOND);
    CipherState[] pair = responder.split();
    assertThat(responder.handshakeHash()).isEqualTo(hex(HANDSHAKE_HASH));
    // The same messages from the other end: what one side encrypts the other decrypts.
    for (int i = 0; i < TRANSPORT.length; i++) {
      byte[] ciphertext = hex(TRANSPORT[i][1]);
      byte[] out = new byte[ciphertext.length];
      int length = pair[i % 2].decrypt(new byte[0], ciphertext, 0, ciphertext.length, out, 0);
      assertThat(HexFormat.of().formatHex(out, 0, length)).isEqualTo(TRANSPORT[i][0]);
    }
  }

  private static void assertTransport(CipherState toResponder, CipherState toInitiator) {
    for (int i = 0; i < TRANSPORT.length; i++) {
      byte[] payload = hex(TRANSPORT[i][0]);
      byte[] out = new byte[payload.length + 16];
      CipherState cipher = i % 2 == 0 ? toResponder : toInitiator;
      assertThat(cipher.encrypt(new byte[0], payload, 0, payload.length, out, 0))
          .isEqualTo(out.length);
      assertThat(out).isEqualTo(hex(TRANSPORT[i][1]));
    }
  }

  @Test
  void anotherPrologueOrKeyFailsAtTheFirstMessage() {
    // Noise, 6: "If both parties do not provide identical prologue data, the handshake will fail
    // due to a decryption error."
    byte[] otherKey = hex("54686973206973206d7920417573747269616e20706572737065637469766522");

    assertThat(handshake(PSK, hex("4a6f"), hex(RESPONDER)).readFirst(FIRST)).isNull();
    assertThat(handshake(new PresharedKey(otherKey), PROLOGUE, hex(RESPONDER)).readFirst(FIRST))
        .isNull();
  }

  @Test
  void aPublicKeyOfSmallOrderIsRefused() {
    // Noise, 12.1: "implementations are allowed to detect inputs that produce an all-zeros output
    // and signal an error instead."
    // RFC 7748, 6.1: "whether K is the all-zero value and abort if so"
    NoiseHandshake initiator = handshake(PSK, PROLOGUE, hex(INITIATOR));
    initiator.writeFirst(FIRST_PAYLOAD);

    assertThat(initiator.readSecond(new byte[48])).isNull();
  }

  @Test
  void x25519IsThatOfRfc7748() {
    // RFC 7748, 6.1: "K_A = X25519(a, 9)"
    byte[] alice = hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    byte[] alicePublic = hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    byte[] bob = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    byte[] bobPublic = hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
    byte[] shared = hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");

    assertThat(Primitives.publicKey(alice)).isEqualTo(alicePublic);
    assertThat(Primitives.publicKey(bob)).isEqualTo(bobPublic);
    assertThat(Primitives.dh(alice, bobPublic)).isEqualTo(shared);
    assertThat(Primitives.dh(bob, alicePublic)).isEqualTo(shared);
    // RFC 7748, 5: "MUST mask the most significant bit in the final byte."
    bobPublic[31] |= (byte) 0x80;
    assertThat(Primitives.dh(alice, bobPublic)).isEqualTo(shared);
  }

  @Test
  void aForgedMessageTakesNoNonce() {
    // Noise, 5.1: "If an authentication failure occurs in DECRYPT() then n is not incremented and
    // an error is signaled to the caller."
    byte[] message = new byte[17];
    new CipherState(RecordCipher.AES_GCM, hex(INITIATOR))
        .encrypt(new byte[0], new byte[] {7}, 0, 1, message, 0);
    CipherState cipher = new CipherState(RecordCipher.AES_GCM, hex(INITIATOR));
    message[16] ^= 1;
    assertThat(cipher.decrypt(new byte[0], message, 0, 17, new byte[17], 0)).isEqualTo(-1);
    message[16] ^= 1;
    assertThat(cipher.nonce()).isZero();
    assertThat(cipher.decrypt(new byte[0], message, 0, 17, new byte[17], 0)).isEqualTo(1);
  }

  @Test
  void rekeyIsTheEncryptionOfZerosUnderTheLastNonce() throws Exception {
    byte[] key = hex(INITIATOR);
    CipherState cipher = new CipherState(RecordCipher.AES_GCM, key);
    cipher.encrypt(new byte[0], new byte[1], 0, 1, new byte[17], 0);

    cipher.rekey();

    // Noise, 4.2: "it defaults to returning the first 32 bytes from ENCRYPT(k, maxnonce, zerolen,
    // zeros)"
    // Noise, 12.4: "The 96-bit nonce is formed by encoding 32 bits of zeros followed by big-endian
    // encoding of n." With the JDK's cipher alone.
    byte[] zeros = gcm(key, hex("00000000ffffffffffffffff"), new byte[32]);
    byte[] next = java.util.Arrays.copyOf(zeros, 32);
    byte[] expected = gcm(next, hex("000000000000000000000001"), new byte[] {7});
    byte[] out = new byte[17];
    cipher.encrypt(new byte[0], new byte[] {7}, 0, 1, out, 0);
    assertThat(out).isEqualTo(expected);
    // Noise, 11.3: "it doesn't reset the cipherstate's n value"
    assertThat(cipher.nonce()).isEqualTo(2);
  }

  private static NoiseHandshake handshake(PresharedKey psk, byte[] prologue, byte[] ephemeral) {
    return new NoiseHandshake(psk, prologue, ephemeral, RecordCipher.AES_GCM);
  }

  private static byte[] gcm(byte[] key, byte[] nonce, byte[] plaintext) throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
    return requireNonNull(cipher.doFinal(plaintext));
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
