package ebb.ledbat.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.Security;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The native algorithms against Java's own: whatever one makes the other takes. */
final class NativeCryptoTest {
  private static final String NAME = "EbbNative";
  private static final byte[] DATA = new byte[3 << 20];
  private static final int TAG_BYTES = 16;

  static {
    new SplittableRandom(1).nextBytes(DATA);
  }

  @BeforeEach
  void install() {
    assumeTrue(NativeCrypto.load(), "no library for this system");
    Security.insertProviderAt(new NativeCrypto(), 1);
  }

  @AfterEach
  void remove() {
    Security.removeProvider(NAME);
  }

  private static Cipher cipher(String provider, int mode, int iv) throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
    init(cipher, mode, 32, iv);
    return cipher;
  }

  private static void init(Cipher cipher, int mode, int keyBytes, int iv) throws Exception {
    byte[] nonce = ByteBuffer.allocate(12).putInt(8, iv).array();
    SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(DATA, keyBytes), "AES");
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 100, 16_384, 16_385, 65_535, 65_536, 65_537, 1_000_000})
  void whatOneSealsTheOtherOpens(int length) throws Exception {
    for (String sealing : new String[] {NAME, "SunJCE"}) {
      Cipher seal = cipher(sealing, Cipher.ENCRYPT_MODE, length);
      seal.updateAAD(DATA, 0, 5);
      byte[] sealed = new byte[length + TAG_BYTES + 20];
      assertThat(seal.doFinal(DATA, 7, length, sealed, 11)).isEqualTo(length + TAG_BYTES);
      assertThat(sealed[10]).isZero();
      assertThat(sealed[length + TAG_BYTES + 11]).isZero();

      Cipher open = cipher(sealing.equals(NAME) ? "SunJCE" : NAME, Cipher.DECRYPT_MODE, length);
      open.updateAAD(DATA, 0, 5);
      byte[] opened = new byte[length + 3];
      assertThat(open.doFinal(sealed, 11, length + TAG_BYTES, opened, 3)).isEqualTo(length);
      assertThat(Arrays.equals(opened, 3, length + 3, DATA, 7, length + 7)).isTrue();
    }
  }

  private static Cipher chaCha(String provider, int mode, int iv) throws Exception {
    Cipher cipher = Cipher.getInstance("ChaCha20-Poly1305", provider);
    byte[] nonce = ByteBuffer.allocate(12).putInt(8, iv).array();
    SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(DATA, 32), "ChaCha20");
    cipher.init(mode, key, new IvParameterSpec(nonce));
    cipher.updateAAD(DATA, 0, 5);
    return cipher;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16, 100, 16_385, 65_536, 65_537})
  void whatOneSealsByChaChaTheOtherOpens(int length) throws Exception {
    for (String sealing : new String[] {NAME, "SunJCE"}) {
      byte[] sealed = new byte[length + TAG_BYTES + 11];
      Cipher seal = chaCha(sealing, Cipher.ENCRYPT_MODE, length);
      assertThat(seal.doFinal(DATA, 7, length, sealed, 11)).isEqualTo(length + TAG_BYTES);

      String opening = sealing.equals(NAME) ? "SunJCE" : NAME;
      byte[] opened = new byte[length + TAG_BYTES];
      Cipher open = chaCha(opening, Cipher.DECRYPT_MODE, length);
      assertThat(open.doFinal(sealed, 11, length + TAG_BYTES, opened, 0)).isEqualTo(length);
      assertThat(Arrays.equals(opened, 0, length, DATA, 7, length + 7)).isTrue();

      sealed[11] ^= 1;
      Cipher again = chaCha(opening, Cipher.DECRYPT_MODE, length);
      assertThatThrownBy(() -> again.doFinal(sealed, 11, length + TAG_BYTES, opened, 0))
          .isInstanceOf(AEADBadTagException.class);
    }
  }

  @Test
  void partsAndWholeBuffersAreTheSame() throws Exception {
    byte[] expected = cipher("SunJCE", Cipher.ENCRYPT_MODE, 1).doFinal(DATA, 0, 40_000);

    Cipher seal = cipher(NAME, Cipher.ENCRYPT_MODE, 1);
    byte[] inParts = new byte[expected.length];
    int written = seal.update(DATA, 0, 30_000, inParts, 0);
    seal.doFinal(DATA, 30_000, 10_000, inParts, written);
    assertThat(inParts).isEqualTo(expected);
    assertThat(cipher(NAME, Cipher.ENCRYPT_MODE, 1).doFinal(DATA, 0, 40_000)).isEqualTo(expected);
    for (boolean direct : new boolean[] {false, true}) {
      ByteBuffer in = direct ? ByteBuffer.allocateDirect(40_000) : ByteBuffer.allocate(40_000);
      ByteBuffer out = direct ? ByteBuffer.allocateDirect(50_000) : ByteBuffer.allocate(50_000);
      in.put(DATA, 0, 40_000).flip();
      cipher(NAME, Cipher.ENCRYPT_MODE, 1).doFinal(in, out);
      assertThat(out.flip()).isEqualTo(ByteBuffer.wrap(expected));
    }
  }

  @Test
  void inputAndOutputMayOverlap() throws Exception {
    byte[] expected = cipher("SunJCE", Cipher.ENCRYPT_MODE, 1).doFinal(DATA, 0, 16_384);
    for (int out = 0; out < 40; out += 13) {
      byte[] one = Arrays.copyOf(DATA, 20_000);
      cipher(NAME, Cipher.ENCRYPT_MODE, 1).doFinal(one, 0, 16_384, one, out);
      assertThat(Arrays.copyOfRange(one, out, out + expected.length)).isEqualTo(expected);
      cipher(NAME, Cipher.DECRYPT_MODE, 1).doFinal(one, out, expected.length, one, 0);
      assertThat(Arrays.equals(one, 0, 16_384, DATA, 0, 16_384)).isTrue();
    }
  }

  @Test
  void whatWasChangedIsRefusedAndTheCipherIsUsedAgain() throws Exception {
    byte[] sealed = cipher("SunJCE", Cipher.ENCRYPT_MODE, 1).doFinal(DATA, 0, 1_000);
    byte[] opened = new byte[1_000];
    Cipher open = cipher(NAME, Cipher.DECRYPT_MODE, 1);
    for (int at = 0; at < sealed.length; at += 127) {
      sealed[at] ^= 1;
      assertThatThrownBy(() -> open.doFinal(sealed, 0, sealed.length, opened, 0))
          .isInstanceOf(AEADBadTagException.class);
      sealed[at] ^= 1;
      init(open, Cipher.DECRYPT_MODE, 32, 1);
      assertThat(open.doFinal(sealed, 0, sealed.length, opened, 0)).isEqualTo(1_000);
      init(open, Cipher.DECRYPT_MODE, 32, 1);
    }
    assertThatThrownBy(() -> open.doFinal(sealed, 0, 15, opened, 0))
        .isInstanceOf(AEADBadTagException.class);
    open.init(
        Cipher.DECRYPT_MODE,
        new SecretKeySpec(Arrays.copyOf(DATA, 32), "AES"),
        new GCMParameterSpec(8 * TAG_BYTES, new byte[12]));
    assertThatThrownBy(() -> open.doFinal(sealed, 0, sealed.length, opened, 0))
        .as("another nonce")
        .isInstanceOf(AEADBadTagException.class);
  }

  @Test
  void aNonceIsUsedOnceAndOutputNeedsItsRoom() throws Exception {
    Cipher seal = cipher(NAME, Cipher.ENCRYPT_MODE, 1);
    byte[] out = new byte[1_015];
    assertThatThrownBy(() -> seal.doFinal(DATA, 0, 1_000, out, 0))
        .isInstanceOf(ShortBufferException.class);
    assertThat(seal.doFinal(DATA, 0, 999, out, 0)).isEqualTo(1_015);
    assertThatThrownBy(() -> seal.doFinal(DATA, 0, 999, out, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> init(seal, Cipher.ENCRYPT_MODE, 32, 1)).isInstanceOf(Exception.class);
    init(seal, Cipher.ENCRYPT_MODE, 32, 2);
    assertThat(seal.doFinal(DATA, 0, 999, out, 0)).isEqualTo(1_015);
  }

  @Test
  void javaIsAskedForWhatTheLibraryHasNot() throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    init(cipher, Cipher.ENCRYPT_MODE, 32, 1);
    assertThat(cipher.getProvider().getName()).isEqualTo(NAME);
    Cipher other = Cipher.getInstance("AES/GCM/NoPadding");
    init(other, Cipher.ENCRYPT_MODE, 24, 1); // AES-192
    assertThat(other.getProvider().getName()).isEqualTo("SunJCE");
    assertThat(Cipher.getInstance("AES/CBC/PKCS5Padding").getProvider().getName())
        .isEqualTo("SunJCE");
    assertThat(MessageDigest.getInstance("SHA-512").getProvider().getName()).isEqualTo("SUN");
  }

  /** Before the library is asked for, the digest waits; both must be right. */
  @Test
  void digestsAreJavasInPiecesOfAnySize() throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 100; round++) {
      MessageDigest java = MessageDigest.getInstance("SHA-256", "SUN");
      MessageDigest ours =
          round % 2 == 0 ? MessageDigest.getInstance("SHA-256") : new Late(new LateSha256());
      int length = random.nextInt(1, DATA.length >> random.nextInt(20));
      for (int again = 0; again < 2; again++) {
        int at = 0;
        while (at < length) {
          int piece = Math.min(length - at, 1 + random.nextInt(1 << random.nextInt(21)));
          ByteBuffer buffer = ByteBuffer.wrap(DATA, at, piece);
          switch (random.nextInt(4)) {
            case 0 -> ours.update(DATA, at, piece);
            case 1 -> ours.update(buffer);
            case 2 -> ours.update(ByteBuffer.allocateDirect(piece).put(DATA, at, piece).flip());
            default -> {
              piece = 1;
              ours.update(DATA[at]);
            }
          }
          java.update(DATA, at, piece);
          at += piece;
          if (random.nextInt(4) == 0) {
            assertThat(((MessageDigest) ours.clone()).digest())
                .isEqualTo(((MessageDigest) java.clone()).digest());
          }
          if (random.nextInt(50) == 0) {
            ours.reset();
            java.reset();
          }
        }
        assertThat(ours.digest()).isEqualTo(java.digest());
      }
    }
  }

  /** As {@link MessageDigest#getInstance} wraps it. */
  private static final class Late extends MessageDigest {
    private final LateSha256 spi;

    Late(LateSha256 spi) {
      super("SHA-256");
      this.spi = spi;
    }

    @Override
    protected void engineUpdate(byte one) {
      spi.engineUpdate(one);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
      spi.engineUpdate(input, offset, length);
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
      spi.engineUpdate(input);
    }

    @Override
    protected byte[] engineDigest() {
      return spi.engineDigest();
    }

    @Override
    protected void engineReset() {
      spi.engineReset();
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
      return new Late((LateSha256) spi.clone());
    }
  }
}
