package ebb.ledbat.secure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Datagrams that are sealed one by one, and what becomes of those that are not right. */
class DatagramSealTest {
  private static final String PURPOSE = "test";

  /** How far behind the newest a datagram may come. */
  private static final int WINDOW = 1_024;

  private int salts = 100;

  private static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static PresharedKey key(int number) {
    return new PresharedKey(bytes(number, PresharedKey.BYTES));
  }

  private DatagramSeal side(KeyRing keys) {
    return new DatagramSeal(keys, PURPOSE, bytes(salts++, 16));
  }

  private DatagramSeal side(int key) {
    return side(new KeyRing(key(key)));
  }

  private static List<byte[]> sealed(DatagramSeal sender, int count) {
    List<byte[]> datagrams = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      datagrams.add(sender.seal(new byte[] {(byte) i}));
    }
    return datagrams;
  }

  @Test
  void contentOfAnyLengthArrivesAndDoesNotShow() {
    DatagramSeal sender = side(1);
    DatagramSeal receiver = side(1);
    for (int length : new int[] {0, 1, 1_400, 65_000}) {
      byte[] content = bytes(length, length);
      byte[] datagram = sender.seal(content);
      assertThat(datagram).hasSize(length + DatagramSeal.OVERHEAD_BYTES);
      assertThat(receiver.open(datagram)).isEqualTo(content);
    }
    byte[] zeros = new byte[1_000];
    assertThat(new String(sender.seal(zeros), ISO_8859_1)).doesNotContain("\0".repeat(8));
    assertThat(Arrays.copyOfRange(sender.seal(zeros), 24, 1_024))
        .as("each has its own key stream")
        .isNotEqualTo(Arrays.copyOfRange(sender.seal(zeros), 24, 1_024));
  }

  @Test
  void eachIsTakenOnceInWhateverOrderTheyCome() {
    DatagramSeal sender = side(1);
    DatagramSeal receiver = side(1);
    List<byte[]> datagrams = sealed(sender, WINDOW);
    Collections.shuffle(datagrams, new Random(7));
    for (byte[] datagram : datagrams) {
      assertThat(receiver.open(datagram)).isNotNull();
    }
    Collections.shuffle(datagrams, new Random(8));
    for (byte[] datagram : datagrams) {
      assertThat(receiver.open(datagram)).isNull();
    }
    assertThat(receiver.open(sender.seal(new byte[1]))).isNotNull();
  }

  @Test
  void whatIsTooFarBehindTheNewestIsNotTaken() {
    DatagramSeal sender = side(1);
    DatagramSeal receiver = side(1);
    List<byte[]> datagrams = sealed(sender, 3 * WINDOW);
    assertThat(receiver.open(datagrams.get(0))).isNotNull();
    assertThat(receiver.open(datagrams.get(2 * WINDOW))).isNotNull();
    assertThat(receiver.open(datagrams.get(WINDOW + 1))).as("1,023 behind").isNotNull();
    assertThat(receiver.open(datagrams.get(WINDOW))).as("1,024 behind").isNull();
    assertThat(receiver.open(datagrams.get(0))).as("seen, and long ago").isNull();
    // A step that leaves out some: those between are new, whatever was seen a window before.
    assertThat(receiver.open(datagrams.get(2 * WINDOW + 5))).isNotNull();
    for (int i = 1; i < 5; i++) {
      assertThat(receiver.open(datagrams.get(2 * WINDOW + i))).isNotNull();
      assertThat(receiver.open(datagrams.get(2 * WINDOW + i))).isNull();
    }
  }

  @Test
  void aChangeOfAnyByteAndAnyOtherLengthIsRefusedAndSpoilsNothing() {
    DatagramSeal sender = side(1);
    DatagramSeal receiver = side(1);
    byte[] datagram = sender.seal(bytes(9, 20));
    for (int i = 0; i < datagram.length; i++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] changed = datagram.clone();
        changed[i] ^= (byte) (1 << bit);
        assertThat(receiver.open(changed)).as("byte %d, bit %d", i, bit).isNull();
      }
    }
    for (int length = 0; length < datagram.length; length++) {
      assertThat(receiver.open(Arrays.copyOf(datagram, length))).isNull();
    }
    assertThat(receiver.open(Arrays.copyOf(datagram, datagram.length + 1))).isNull();
    byte[] endOfCounters = datagram.clone();
    Arrays.fill(endOfCounters, 16, 24, (byte) 0xff);
    assertThat(receiver.open(endOfCounters)).isNull();
    assertThat(receiver.open(datagram)).as("what was forged moved no window").isNotNull();
  }

  @Test
  void anotherKeyAnotherPurposeAndOnesOwnAreRefused() {
    DatagramSeal sender = side(1);
    byte[] datagram = sender.seal(new byte[10]);
    assertThat(side(2).open(datagram)).isNull();
    assertThat(new DatagramSeal(new KeyRing(key(1)), "other", bytes(3, 16)).open(datagram))
        .isNull();
    assertThat(sender.open(datagram)).as("reflected").isNull();
    assertThat(side(1).open(datagram)).isNotNull();
  }

  @Test
  void bothKeysAreTakenWhileBothAreValid() {
    KeyRing ring = new KeyRing(key(1), key(2));
    DatagramSeal receiver = side(ring);
    DatagramSeal before = side(1);
    DatagramSeal after = side(2);
    byte[] ofBefore = before.seal(new byte[1]);
    byte[] ofAfter = after.seal(new byte[2]);
    assertThat(receiver.open(ofBefore)).hasSize(1);
    assertThat(receiver.open(ofAfter)).hasSize(2);
    assertThat(before.open(receiver.seal(new byte[3]))).as("by the first").hasSize(3);

    ring.change(key(2), key(1));
    assertThat(before.open(receiver.seal(new byte[4]))).isNull();
    assertThat(after.open(receiver.seal(new byte[4]))).hasSize(4);
    assertThat(receiver.open(ofBefore)).as("a key that is read again forgets nothing").isNull();
    assertThat(receiver.open(ofAfter)).isNull();
    assertThat(receiver.open(before.seal(new byte[1]))).isNotNull();

    ring.change(key(2));
    assertThat(receiver.open(before.seal(new byte[1]))).isNull();
    assertThat(receiver.open(after.seal(new byte[1]))).isNotNull();
  }

  @Test
  void aSenderThatChangesItsKeyAndGoesBackUsesNoCounterTwice() {
    KeyRing ring = new KeyRing(key(1));
    DatagramSeal sender = side(ring);
    DatagramSeal receiver = side(new KeyRing(key(1), key(2)));
    for (int i = 0; i < 10; i++) {
      ring.change(key(1 + i % 2));
      assertThat(receiver.open(sender.seal(new byte[1]))).isNotNull();
    }
  }

  @Test
  void noMoreThanFourKeysAreValid() {
    KeyRing ring = new KeyRing(key(1), key(2), key(3), key(4));
    assertThat(ring.valid()).hasSize(KeyRing.MAX_KEYS).first().isEqualTo(key(1));
    assertThatThrownBy(() -> ring.change(key(1), key(2), key(3), key(4), key(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 4 keys");
    assertThat(ring.valid()).as("as before").hasSize(KeyRing.MAX_KEYS);
  }

  @Test
  void theLastSendersAreRemembered() {
    DatagramSeal receiver = side(1);
    byte[] first = side(1).seal(new byte[1]);
    DatagramSeal lively = side(1);
    byte[] second = lively.seal(new byte[1]);
    assertThat(receiver.open(first)).isNotNull();
    assertThat(receiver.open(second)).isNotNull();
    for (int i = 2; i < DatagramSeal.MAX_SENDERS; i++) {
      assertThat(receiver.open(side(1).seal(new byte[1]))).isNotNull();
    }
    assertThat(receiver.open(lively.seal(new byte[1]))).isNotNull();
    assertThat(receiver.open(second)).as("all are remembered").isNull();
    assertThat(receiver.open(side(1).seal(new byte[1]))).as("one more").isNotNull();
    assertThat(receiver.open(first)).as("the one of longest ago is not").isNotNull();
    assertThat(receiver.open(second)).as("the lively one still is").isNull();
  }

  @Test
  void tooFewRandomBytesAreRefused() {
    assertThatThrownBy(() -> new DatagramSeal(new KeyRing(key(1)), PURPOSE, new byte[15]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16 random bytes");
  }
}
