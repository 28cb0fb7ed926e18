package ebb.ledbat.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The handshake and the records between two channels, and what a channel makes of anything else.
 */
class SecureChannelTest {
  private static final PresharedKey KEY = new PresharedKey(bytes(1, 32));
  private static final PresharedKey OTHER_KEY = new PresharedKey(bytes(2, 32));
  private static final String PURPOSE = "test";

  private final SecureChannel initiator = initiator(KEY, PURPOSE, bytes(3, 32));
  private final SecureChannel responder = responder(KEY, PURPOSE, bytes(4, 32));
  private final ByteBuffer plain = ByteBuffer.allocate(1 << 18);

  @Test
  void bothSidesOpenAndContentArrives() {
    open(initiator, responder);

    byte[] there = bytes(5, 100_000);
    byte[] back = bytes(6, 1);
    assertThat(receive(responder, seal(initiator, there))).isNull();
    assertThat(received()).isEqualTo(there);
    assertThat(receive(initiator, seal(responder, back))).isNull();
    assertThat(received()).isEqualTo(back);
  }

  @Test
  void theHandshakeIs48BytesEachWayAndAnEmptyRecord() {
    byte[] first = take(initiator);
    receive(responder, first);
    byte[] second = take(responder);
    receive(initiator, second);
    byte[] confirmation = take(initiator);

    assertThat(first).hasSize(48);
    assertThat(second).hasSize(48);
    assertThat(confirmation).hasSize(SecureChannel.OVERHEAD_BYTES);
  }

  @Test
  void theResponderIsOpenOnlyAfterTheInitiatorsFirstRecord() {
    byte[] first = take(initiator);
    receive(responder, first);
    assertThat(responder.isOpen()).isFalse();
    assertThatThrownBy(() -> seal(responder, new byte[1]))
        .isInstanceOf(IllegalStateException.class);
    receive(initiator, take(responder));
    assertThat(initiator.isOpen()).isTrue();
    receive(responder, take(initiator));

    assertThat(responder.isOpen()).isTrue();
  }

  @Test
  void aReplayedFirstMessageNeverOpensTheResponder() {
    byte[] recordedFirst = take(initiator);
    receive(responder, recordedFirst);
    receive(initiator, take(responder));
    byte[] recordedConfirmation = take(initiator);
    SecureChannel later = responder(KEY, PURPOSE, bytes(7, 32));

    assertThat(receive(later, recordedFirst)).isNull();
    assertThat(receive(later, recordedConfirmation)).isEqualTo(SecureFailure.NOT_THE_KEY);
    assertThat(later.isOpen()).isFalse();
  }

  @Test
  void aWrongKeyGetsNoByte() {
    SecureChannel stranger = initiator(OTHER_KEY, PURPOSE, bytes(3, 32));

    assertThat(receive(responder, take(stranger))).isEqualTo(SecureFailure.NOT_THE_KEY);
    assertThat(responder.output().hasRemaining()).isFalse();
    assertThat(responder.isOpen()).isFalse();
  }

  @Test
  void anotherPurposeIsAsAWrongKey() {
    SecureChannel other = initiator(KEY, "other", bytes(3, 32));

    assertThat(receive(responder, take(other))).isEqualTo(SecureFailure.NOT_THE_KEY);
  }

  @Test
  void aResponderWithoutTheKeyIsNotedByTheInitiator() {
    byte[] first = take(initiator);
    SecureChannel reflected = responder(OTHER_KEY, PURPOSE, bytes(9, 32));
    receive(reflected, first);

    // It can only make up an answer, or send the initiator's own back.
    assertThat(receive(initiator, first)).isEqualTo(SecureFailure.NOT_THE_KEY);
    SecureChannel again = initiator(KEY, PURPOSE, bytes(3, 32));
    assertThat(receive(again, bytes(10, 48))).isEqualTo(SecureFailure.NOT_THE_KEY);
    assertThat(again.isOpen()).isFalse();
  }

  @Test
  void everyChangedBitOfTheFirstMessageIsRefused() {
    byte[] first = take(initiator);
    for (int bit = 0; bit < 8 * first.length; bit++) {
      SecureChannel fresh = responder(KEY, PURPOSE, bytes(4, 32));

      assertThat(receive(fresh, flipped(first, bit)))
          .as("bit %d", bit)
          .isEqualTo(SecureFailure.NOT_THE_KEY);
      assertThat(fresh.output().hasRemaining()).as("bit %d", bit).isFalse();
    }
  }

  @Test
  void everyChangedByteOfTheSecondMessageIsRefused() {
    receive(responder, take(initiator));
    byte[] second = take(responder);
    for (int at = 0; at < second.length; at++) {
      SecureChannel fresh = initiator(KEY, PURPOSE, bytes(3, 32));

      assertThat(receive(fresh, flipped(second, 8 * at)))
          .as("byte %d", at)
          .isEqualTo(SecureFailure.NOT_THE_KEY);
    }
  }

  @Test
  void everyChangedByteOfARecordIsRefusedAndGivesNoContent() {
    open(initiator, responder);
    byte[] record = seal(initiator, bytes(5, 40));
    for (int at = 0; at < record.length; at++) {
      Pair pair = new Pair();
      plain.clear();

      SecureFailure failure = receive(pair.responder, flipped(record, 8 * at + at % 8));

      // A length that is changed may make the record longer: then the rest never comes.
      boolean waits = at < 2 && failure == null && pair.responder.isInsideRecord();
      assertThat(failure != null || waits).as("byte %d: %s", at, failure).isTrue();
      assertThat(plain.position()).as("byte %d", at).isZero();
    }
  }

  /** The channels of every instance have the same keys, for their randomness is the same. */
  private final class Pair {
    final SecureChannel initiator = initiator(KEY, PURPOSE, bytes(3, 32));
    final SecureChannel responder = responder(KEY, PURPOSE, bytes(4, 32));

    Pair() {
      open(initiator, responder);
    }
  }

  @Test
  void aRecordThatIsRepeatedOrLeftOutOrMovedIsRefused() {
    open(initiator, responder);
    byte[] one = seal(initiator, bytes(5, 10));
    byte[] two = seal(initiator, bytes(6, 10));
    byte[] three = seal(initiator, bytes(7, 10));

    assertThat(receive(new Pair().responder, join(one, one)))
        .isEqualTo(SecureFailure.RECORD_FORGED);
    assertThat(receive(new Pair().responder, join(one, three)))
        .isEqualTo(SecureFailure.RECORD_FORGED);
    assertThat(receive(new Pair().responder, join(two, one)))
        .isEqualTo(SecureFailure.RECORD_FORGED);
    assertThat(receive(new Pair().responder, join(one, two, three))).isNull();
  }

  @Test
  void aRecordSentBackIsRefused() {
    open(initiator, responder);

    assertThat(receive(initiator, seal(initiator, bytes(5, 10))))
        .isEqualTo(SecureFailure.RECORD_FORGED);
  }

  @Test
  void aRecordOfAnotherSessionIsRefused() {
    open(initiator, responder);
    SecureChannel elsewhere = initiator(KEY, PURPOSE, bytes(11, 32));
    SecureChannel itsPeer = responder(KEY, PURPOSE, bytes(12, 32));
    open(elsewhere, itsPeer);

    assertThat(receive(responder, seal(elsewhere, bytes(5, 10))))
        .isEqualTo(SecureFailure.RECORD_FORGED);
  }

  @Test
  void nothingIsTakenAfterAFailure() {
    open(initiator, responder);
    byte[] record = seal(initiator, bytes(5, 10));
    assertThat(receive(responder, flipped(record, 30))).isEqualTo(SecureFailure.RECORD_FORGED);
    plain.clear();

    assertThat(receive(responder, record)).isEqualTo(SecureFailure.RECORD_FORGED);
    assertThat(plain.position()).isZero();
  }

  @Test
  void lengthsThatNoRecordHasAreRefusedBeforeAnythingIsKept() {
    // Noise, 3: "All Noise messages are less than or equal to 65535 bytes in length."
    for (int length : new int[] {0, 1, 16, 16_402, 32_768, 65_535}) {
      Pair pair = new Pair();

      assertThat(receive(pair.responder, new byte[] {(byte) (length >> 8), (byte) length}))
          .as("%d", length)
          .isEqualTo(SecureFailure.RECORD_LENGTH);
    }
    for (int length : new int[] {17, 16_401}) {
      Pair pair = new Pair();

      assertThat(receive(pair.responder, new byte[] {(byte) (length >> 8), (byte) length}))
          .as("%d", length)
          .isNull();
      assertThat(pair.responder.wantedBytes()).isEqualTo(length);
    }
  }

  @Test
  void theEndIsTheLastThing() {
    // Noise, 13: "Applications should include explicit length fields or termination signals inside
    // of transport payloads"
    open(initiator, responder);
    byte[] last = seal(initiator, bytes(5, 10));
    ByteBuffer end = ByteBuffer.allocate(SecureChannel.MAX_RECORD_BYTES);
    assertThat(initiator.sealEnd(end)).isTrue();

    assertThat(receive(responder, last)).isNull();
    assertThat(responder.peerEnded()).isFalse();
    assertThat(receive(responder, Arrays.copyOf(end.array(), end.position()))).isNull();
    assertThat(responder.peerEnded()).isTrue();
    assertThatThrownBy(() -> seal(initiator, new byte[1]))
        .isInstanceOf(IllegalStateException.class);
    assertThat(receive(responder, new byte[1])).isEqualTo(SecureFailure.AFTER_END);
  }

  @Test
  void everyPrefixOfAStreamIsToldFromItsEnd() {
    open(initiator, responder);
    ByteBuffer end = ByteBuffer.allocate(SecureChannel.MAX_RECORD_BYTES);
    byte[] data = join(seal(initiator, bytes(5, 20)), seal(initiator, bytes(6, 20)));
    initiator.sealEnd(end);
    byte[] all = join(data, Arrays.copyOf(end.array(), end.position()));
    for (int length = 0; length <= all.length; length++) {
      Pair pair = new Pair();

      assertThat(receive(pair.responder, Arrays.copyOf(all, length))).isNull();
      assertThat(pair.responder.peerEnded()).as("%d", length).isEqualTo(length == all.length);
    }
  }

  @Test
  void bytesMayComeInAnyPieces() {
    open(initiator, responder);
    byte[] first = bytes(5, 30);
    byte[] second = bytes(6, 30);
    byte[] stream = join(seal(initiator, first), seal(initiator, second));
    for (int cut = 0; cut <= stream.length; cut++) {
      Pair pair = new Pair();
      plain.clear();

      assertThat(receive(pair.responder, Arrays.copyOf(stream, cut))).isNull();
      assertThat(receive(pair.responder, Arrays.copyOfRange(stream, cut, stream.length))).isNull();
      assertThat(received()).as("cut at %d", cut).isEqualTo(join(first, second));
    }
  }

  @Test
  void theHandshakeMayComeByteByByte() {
    for (byte b : take(initiator)) {
      assertThat(receive(responder, new byte[] {b})).isNull();
    }
    for (byte b : take(responder)) {
      assertThat(receive(initiator, new byte[] {b})).isNull();
    }
    for (byte b : join(take(initiator), seal(initiator, new byte[] {42}))) {
      assertThat(receive(responder, new byte[] {b})).isNull();
    }

    assertThat(received()).containsExactly(42);
  }

  @Test
  void whatAPlainPeerSendsIsNotAKey() {
    byte[] hello = new byte[200];
    System.arraycopy(
        new byte[] {(byte) 0xEB, 0x45, 0x62, 0x62, 0x46, 0x0D, 0x0A, 0x1A}, 0, hello, 0, 8);

    assertThat(receive(responder, hello)).isEqualTo(SecureFailure.NOT_THE_KEY);
    assertThat(receive(initiator, hello)).isEqualTo(SecureFailure.NOT_THE_KEY);
  }

  @Test
  void contentThatHasNoRoomIsLeftInTheInput() {
    open(initiator, responder);
    byte[] content = bytes(5, 2 * SecureChannel.MAX_CONTENT_BYTES);
    ByteBuffer in = ByteBuffer.wrap(seal(initiator, content));
    ByteBuffer room = ByteBuffer.allocate(SecureChannel.MAX_ROOM_BYTES + 5);

    assertThat(responder.receive(in, room)).isNull();
    assertThat(room.position()).isEqualTo(SecureChannel.MAX_CONTENT_BYTES);
    // Of the second record its length was taken, which tells how much room it needs.
    assertThat(in.remaining()).isEqualTo(SecureChannel.MAX_RECORD_BYTES - 2);
    assertThat(responder.neededRoomBytes()).isEqualTo(SecureChannel.MAX_ROOM_BYTES);
    room.clear();
    assertThat(responder.receive(in, room)).isNull();
    assertThat(in.hasRemaining()).isFalse();
    assertThat(Arrays.copyOf(room.array(), room.position()))
        .isEqualTo(Arrays.copyOfRange(content, content.length / 2, content.length));
  }

  @Test
  void aRecordIsNoLongerThanTheRoomForIt() {
    open(initiator, responder);
    byte[] content = bytes(5, 10_000);
    ByteBuffer left = ByteBuffer.wrap(content);
    ByteBuffer records = ByteBuffer.allocate(12_000);
    for (int contentBytes : new int[] {1, 499, 4_000, 5_500}) {
      int start = records.position();
      records.limit(start + contentBytes + SecureChannel.OVERHEAD_BYTES);
      assertThat(initiator.seal(left, records)).isTrue();
      assertThat(records.hasRemaining()).isFalse();
    }
    assertThat(left.hasRemaining()).isFalse();
    assertThat(receive(responder, Arrays.copyOf(records.array(), records.position()))).isNull();
    assertThat(received()).isEqualTo(content);
  }

  @Test
  void bothSidesReplaceTheKeyAtTheSameRecord() {
    RecordCipher aes = RecordCipher.AES_GCM;
    List<PresharedKey> keys = List.of(KEY);
    SecureChannel left = SecureChannel.initiator(KEY, PURPOSE, bytes(3, 32), aes, 3);
    SecureChannel right = SecureChannel.responder(keys, PURPOSE, bytes(4, 32), aes, 3);
    SecureChannel never = SecureChannel.responder(keys, PURPOSE, bytes(4, 32), aes, 1_000);
    byte[] first = take(left);
    receive(right, first);
    receive(never, first);
    receive(left, take(right));
    byte[] confirmation = take(left);
    assertThat(receive(right, confirmation)).isNull();
    assertThat(receive(never, confirmation)).isNull();

    for (int record = 2; record <= 10; record++) {
      byte[] sealed = seal(left, bytes(record, 50));
      assertThat(receive(right, sealed)).as("record %d", record).isNull();
      // Three records are under the first key.
      assertThat(receive(never, sealed))
          .as("record %d", record)
          .isEqualTo(record <= 3 ? null : SecureFailure.RECORD_FORGED);
    }
    byte[] back = seal(right, bytes(20, 5));
    assertThat(receive(left, back)).isNull();
  }

  @Test
  void equalContentNeverLooksEqual() {
    open(initiator, responder);
    byte[] content = bytes(5, 64);

    assertThat(seal(initiator, content)).isNotEqualTo(seal(initiator, content));
    assertThat(seal(responder, content)).isNotEqualTo(seal(new Pair().initiator, content));
  }

  @Test
  void randomBytesNeverOpenAnything() {
    SplittableRandom random = new SplittableRandom(20);
    for (int i = 0; i < 400; i++) {
      SecureChannel target =
          i % 2 == 0
              ? responder(KEY, PURPOSE, bytes(4, 32))
              : initiator(KEY, PURPOSE, bytes(3, 32));
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);

      SecureFailure failure = receive(target, noise);

      assertThat(failure).isEqualTo(noise.length < 48 ? null : SecureFailure.NOT_THE_KEY);
      assertThat(target.isOpen()).isFalse();
    }
  }

  @Test
  void aKeyIsNeverPrinted() {
    // Noise, 14: "Pre-shared symmetric keys must be secret values with 256 bits of entropy."
    assertThat(KEY.toString()).isEqualTo("PresharedKey");
    assertThatThrownBy(() -> new PresharedKey(new byte[31]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // ---- helpers

  private static SecureChannel initiator(PresharedKey key, String purpose, byte[] ephemeral) {
    return SecureChannel.initiator(key, purpose, ephemeral, RecordCipher.AES_GCM);
  }

  private static SecureChannel responder(PresharedKey key, String purpose, byte[] ephemeral) {
    return SecureChannel.responder(List.of(key), purpose, ephemeral, RecordCipher.AES_GCM);
  }

  private void open(SecureChannel left, SecureChannel right) {
    assertThat(receive(right, take(left))).isNull();
    assertThat(receive(left, take(right))).isNull();
    assertThat(receive(right, take(left))).isNull();
    assertThat(left.isOpen() && right.isOpen()).isTrue();
    plain.clear();
  }

  private SecureFailure receive(SecureChannel channel, byte[] bytes) {
    return channel.receive(ByteBuffer.wrap(bytes), plain);
  }

  private byte[] received() {
    byte[] content = Arrays.copyOf(plain.array(), plain.position());
    plain.clear();
    return content;
  }

  private static byte[] take(SecureChannel channel) {
    ByteBuffer output = channel.output();
    byte[] bytes = new byte[output.remaining()];
    output.get(bytes);
    return bytes;
  }

  private static byte[] seal(SecureChannel channel, byte[] content) {
    ByteBuffer from = ByteBuffer.wrap(content);
    int records = Math.max(1, (content.length + (1 << 14) - 1) >> 14);
    ByteBuffer to = ByteBuffer.allocate(content.length + records * SecureChannel.OVERHEAD_BYTES);
    do {
      assertThat(channel.seal(from, to)).isTrue();
    } while (from.hasRemaining());
    assertThat(to.hasRemaining()).isFalse();
    return to.array();
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] changed = bytes.clone();
    changed[bit >> 3] ^= (byte) (1 << (bit & 7));
    return changed;
  }

  private static byte[] join(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  private static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }
}
