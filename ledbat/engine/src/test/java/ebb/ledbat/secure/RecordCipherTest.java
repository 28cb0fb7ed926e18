package ebb.ledbat.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which cipher two sides agree on, and that nobody else has a say in it. */
class RecordCipherTest {
  private static final PresharedKey KEY = new PresharedKey(bytes(1, 32));
  private static final PresharedKey OLD_KEY = new PresharedKey(bytes(2, 32));
  private static final byte[] NO_AD = {};

  private static byte[] bytes(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static SecureChannel initiator(RecordCipher cipher) {
    return SecureChannel.initiator(KEY, "test", bytes(3, 32), cipher);
  }

  private static SecureChannel responder(RecordCipher cipher) {
    return SecureChannel.responder(List.of(OLD_KEY, KEY), "test", bytes(4, 32), cipher);
  }

  @ParameterizedTest
  @CsvSource({
    "AES_GCM, AES_GCM, AES_GCM",
    "AES_GCM, CHACHA20_POLY1305, CHACHA20_POLY1305",
    "CHACHA20_POLY1305, AES_GCM, CHACHA20_POLY1305",
    "CHACHA20_POLY1305, CHACHA20_POLY1305, CHACHA20_POLY1305",
  })
  void whoHasNoAesDecidesForBoth(RecordCipher left, RecordCipher right, RecordCipher agreed) {
    byte[] prologue = bytes(5, 3);
    NoiseHandshake initiator = new NoiseHandshake(KEY, prologue, bytes(3, 32), left);
    NoiseHandshake responder = new NoiseHandshake(KEY, prologue, bytes(4, 32), right);
    byte[] first = initiator.writeFirst(NO_AD);
    assertThat(first).hasSize(NoiseHandshake.MESSAGE_BYTES);
    assertThat(responder.readFirst(first)).isEmpty();
    byte[] second = responder.writeSecond(NO_AD);
    assertThat(second).hasSize(NoiseHandshake.MESSAGE_BYTES);
    assertThat(initiator.readSecond(second)).isEmpty();
    assertThat(initiator.handshakeHash()).isEqualTo(responder.handshakeHash());

    CipherState[] pair = responder.split();
    byte[] sealed = new byte[21];
    initiator.split()[0].encrypt(NO_AD, bytes(6, 5), 0, 5, sealed, 0);

    byte[] opened = new byte[21];
    assertThat(pair[0].decrypt(NO_AD, sealed, 0, 21, opened, 0)).isEqualTo(5);
    assertThat(Arrays.copyOf(opened, 5)).isEqualTo(bytes(6, 5));
    assertThat(pair[0].kind()).isEqualTo(agreed);
    assertThat(pair[1].kind()).isEqualTo(agreed);
  }

  @ParameterizedTest
  @EnumSource(RecordCipher.class)
  void contentArrivesAndChangedBytesDoNot(RecordCipher right) {
    SecureChannel initiator = initiator(RecordCipher.CHACHA20_POLY1305);
    SecureChannel responder = responder(right);
    ByteBuffer plain = ByteBuffer.allocate(100_000);
    for (int turn = 0; turn < 3; turn++) {
      assertThat(responder.receive(initiator.output(), plain)).isNull();
      assertThat(initiator.receive(responder.output(), plain)).isNull();
    }
    assertThat(initiator.isOpen() && responder.isOpen()).isTrue();

    ByteBuffer sealed = ByteBuffer.allocate(100_000);
    ByteBuffer content = ByteBuffer.wrap(bytes(7, 50_000));
    while (content.hasRemaining()) {
      assertThat(initiator.seal(content, sealed)).isTrue();
    }
    assertThat(responder.receive(sealed.flip(), plain)).isNull();
    assertThat(Arrays.copyOf(plain.array(), plain.position())).isEqualTo(bytes(7, 50_000));

    ByteBuffer last = ByteBuffer.allocate(100);
    initiator.sealEnd(last);
    last.flip().array()[last.limit() - 1] ^= 1;
    assertThat(responder.receive(last, plain)).isEqualTo(SecureFailure.RECORD_FORGED);
  }

  @Test
  void everyChangedByteOfEitherMessageIsRefused() {
    byte[] first = taken(initiator(RecordCipher.CHACHA20_POLY1305));
    ByteBuffer plain = ByteBuffer.allocate(SecureChannel.MAX_ROOM_BYTES);
    SecureChannel answering = responder(RecordCipher.CHACHA20_POLY1305);
    assertThat(answering.receive(ByteBuffer.wrap(first), plain)).isNull();
    byte[] second = taken(answering);
    for (int at = 0; at < first.length; at++) {
      assertThat(
              responder(RecordCipher.AES_GCM).receive(ByteBuffer.wrap(changed(first, at)), plain))
          .as("first, byte %d", at)
          .isEqualTo(SecureFailure.NOT_THE_KEY);
      SecureChannel asking = initiator(RecordCipher.CHACHA20_POLY1305);
      assertThat(asking.receive(ByteBuffer.wrap(changed(second, at)), plain))
          .as("second, byte %d", at)
          .isEqualTo(SecureFailure.NOT_THE_KEY);
    }
  }

  private static byte[] taken(SecureChannel channel) {
    byte[] bytes = new byte[channel.output().remaining()];
    channel.output().get(bytes);
    return bytes;
  }

  private static byte[] changed(byte[] message, int at) {
    byte[] other = message.clone();
    other[at] ^= (byte) (1 << at % 8);
    return other;
  }

  @Test
  void chaChaIsThatOfRfc8439WithNoisesNonces() throws Exception {
    // Noise, 12.3: "The 96-bit nonce is formed by encoding 32 bits of zeros followed by
    // little-endian encoding of n." With the JDK's cipher alone.
    byte[] key = bytes(9, 32);
    CipherState state = new CipherState(RecordCipher.CHACHA20_POLY1305, key);
    byte[] out = new byte[20];
    for (String nonce : List.of("000000000000000000000000", "000000000100000000000000")) {
      state.encrypt(bytes(8, 2), bytes(7, 4), 0, 4, out, 0);
      assertThat(out).isEqualTo(chaCha(key, nonce, bytes(8, 2), bytes(7, 4)));
    }

    state.rekey();

    byte[] next = Arrays.copyOf(chaCha(key, "00000000ffffffffffffffff", NO_AD, new byte[32]), 32);
    state.encrypt(NO_AD, bytes(7, 4), 0, 4, out, 0);
    assertThat(out).isEqualTo(chaCha(next, "000000000200000000000000", NO_AD, bytes(7, 4)));
  }

  private static byte[] chaCha(byte[] key, String nonce, byte[] ad, byte[] plain) throws Exception {
    Cipher cipher = Cipher.getInstance("ChaCha20-Poly1305");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(key, "ChaCha20"),
        new IvParameterSpec(HexFormat.of().parseHex(nonce)));
    cipher.updateAAD(ad);
    return cipher.doFinal(plain);
  }
}
