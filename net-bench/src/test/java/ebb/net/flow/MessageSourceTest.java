package ebb.net.flow;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.TestSpec.Protocol;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MessageSourceTest {
  private static TestSpec spec(int messageBytes, long bitsPerSecond, long amountBytes) {
    return new TestSpec(
        Protocol.TCP,
        Mode.STREAMING,
        true,
        false,
        1,
        messageBytes,
        bitsPerSecond,
        amountBytes,
        1_000_000,
        0,
        0,
        true);
  }

  @Test
  void theLastMessageIsWhatIsLeftOfTheAmount() {
    // The seed's 500 MB in messages of 65,535 bytes: 8,000 whole ones and one of 8,000 bytes.
    MessageSource source = new MessageSource(spec(65_535, 0, 524_288_000));
    long messages = 0;
    int last = 0;
    while (!source.exhausted()) {
      last = source.nextBytes();
      source.sent(last);
      messages++;
    }
    assertThat(messages).isEqualTo(8_001);
    assertThat(last).isEqualTo(8_000);
    assertThat(source.sentBytes()).isEqualTo(524_288_000);
  }

  @Test
  void thePaceIsAPlanThatDoesNotMove() {
    // 1,000 bytes at 8 Mbit/s are a message a millisecond.
    MessageSource source = new MessageSource(spec(1_000, 8_000_000, 0));
    source.start(5_000);
    assertThat(source.waitMicros(5_000)).isZero();
    source.sent(1_000);
    assertThat(source.waitMicros(5_000)).isEqualTo(1_000);
    assertThat(source.waitMicros(5_400)).isEqualTo(600);
    // Half a second late: the next three are still planned for 6, 7 and 8 ms.
    assertThat(source.plannedMicros(505_000)).isEqualTo(6_000);
    source.sent(1_000);
    assertThat(source.plannedMicros(505_000)).isEqualTo(7_000);
  }

  @Test
  void aStreamMakesUpForATenthOfASecondAtMost() {
    MessageSource source = new MessageSource(spec(1_000, 8_000_000, 0));
    source.start(0);
    source.forgive(1_000_000);
    assertThat(source.plannedMicros(1_000_000)).isEqualTo(900_000);
  }

  @Test
  void thePatternIsKnownAtEveryOffset() {
    ByteBuffer twice = Pattern.twicePeriod();
    for (int offset : new int[] {0, 1, 65_535, 65_536, 70_000}) {
      ByteBuffer piece = ByteBuffer.allocate(1_000);
      for (int i = 0; i < 1_000; i++) {
        piece.put(twice.get((offset + i) % Pattern.PERIOD));
      }
      piece.flip();
      assertThat(Pattern.matches(offset, piece)).as("offset %d", offset).isTrue();
      assertThat(Pattern.matches(offset + 1L, piece)).isFalse();
      piece.put(999, (byte) (piece.get(999) ^ 1));
      assertThat(Pattern.matches(offset, piece)).isFalse();
    }
  }
}
