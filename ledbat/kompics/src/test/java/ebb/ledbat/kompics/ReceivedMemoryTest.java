package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@link ReceivedMemory} gives for messages, again and again. */
class ReceivedMemoryTest {
  private static final int MEBIBYTE = 1 << 20;

  private final ReceivedMemory memory = new ReceivedMemory(64 * MEBIBYTE);

  private byte[] usedOnce(int bytes) {
    byte[] chunk = memory.forAll(bytes);
    assertThat(chunk).isNotNull();
    giveBack(chunk);
    return chunk;
  }

  private void giveBack(byte[] chunk) {
    memory.left(new IncomingMessage(0, chunk.length, new ArrayList<>(List.of(chunk))));
  }

  @Test
  void theNextMessageOfThatSizeOrALittleLessIsPutInTheSameMemory() {
    byte[] first = usedOnce(MEBIBYTE);
    assertThat(memory.forAll(MEBIBYTE - 1_000)).isSameAs(first);
    assertThat(memory.forAll(MEBIBYTE)).as("it is in use").isNotSameAs(first);
  }

  @Test
  void memoryThatIsTooSmallOrMuchTooLargeIsLeftAlone() {
    byte[] first = usedOnce(MEBIBYTE);
    assertThat(memory.forAll(MEBIBYTE + 1)).isNotSameAs(first);
    assertThat(memory.forAll(MEBIBYTE / 2)).isNotSameAs(first);
    assertThat(memory.recycledChunk()).isNull();
  }

  @Test
  void ofMoreThanFourMebibytesWhatWasUsedLastIsKept() {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(memory.forAll(MEBIBYTE));
    }
    all.forEach(this::giveBack);
    for (int i = 4; i > 0; i--) {
      assertThat(memory.forAll(MEBIBYTE)).isSameAs(all.get(i));
    }
    assertThat(memory.forAll(MEBIBYTE)).as("the first was dropped").isNotSameAs(all.get(0));
  }

  @Test
  void largerOnesAndThoseBeyondHalfOfTheBoundAreNotGivenWhole() {
    assertThat(memory.forAll(4 * MEBIBYTE + 1)).isNull();
    memory.hold(32 * MEBIBYTE - 100_000);
    assertThat(memory.forAll(100_000)).isNotNull();
    assertThat(memory.forAll(100_001)).isNull();
  }
}
