package ebb.net.flow;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MessageScheduleTest {
  private static TestSpec spec(int messageBytes, long bitsPerSecond, long amountBytes) {
    return TestSpec.of("tcp", Mode.STREAMING)
        .messageBytes(messageBytes)
        .bitsPerSecond(bitsPerSecond)
        .amountBytes(amountBytes)
        .maxMicros(1_000_000)
        .build();
  }

  @Test
  void theLastMessageIsWhatIsLeftOfTheAmount() {
    // The seed's 500 MB in messages of 65,535 bytes: 8,000 whole ones and one of 8,000 bytes.
    MessageSchedule source = new MessageSchedule(spec(65_535, 0, 524_288_000));
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
    MessageSchedule source = new MessageSchedule(spec(1_000, 8_000_000, 0));
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
    MessageSchedule source = new MessageSchedule(spec(1_000, 8_000_000, 0));
    source.start(0);
    assertThat(source.dueMicros(1_000_000)).isEqualTo(900_000);
    assertThat(source.plannedMicros(1_000_000)).isEqualTo(900_000);
  }

  @Test
  void aStreamMakesUpAtTwiceItsPace() {
    // 10,000 messages a second; the sender looks each millisecond, and then not for 50.
    MessageSchedule source = new MessageSchedule(spec(1_000, 80_000_000, 0));
    source.start(0);
    assertThat(source.dueMicros(1_000)).isEqualTo(1_000);
    // A turn counts for two milliseconds at most, and brings twice that.
    assertThat(source.dueMicros(51_000)).isEqualTo(1_000 + 2 * 2_000);
    assertThat(source.dueMicros(52_000)).isEqualTo(7_000);
    long due = 0;
    for (long now = 53_000; now <= 98_000; now += 1_000) {
      due = source.dueMicros(now);
    }
    // 91 of 98 ms after 42 more steps of 2; after 45 all is made up for.
    assertThat(due).isEqualTo(98_000);
    assertThat(source.dueMicros(99_000)).isEqualTo(99_000);
  }

  @Test
  void whatAStreamOwesAtTheMarkIsNotSentLater() {
    MessageSchedule source = new MessageSchedule(spec(1_000, 80_000_000, 0));
    source.start(0);
    source.mark(50_000);
    assertThat(source.plannedMicros(50_000)).isEqualTo(50_000);
    assertThat(source.dueMicros(50_100)).isEqualTo(50_100);
    // A message that is not due yet keeps its time.
    source.sent(1_000);
    source.mark(50_010);
    assertThat(source.plannedMicros(50_010)).isEqualTo(50_100);
  }

  @Test
  void smallMessagesAreTakenTogetherUpToTheLastOne() {
    // 20 messages of 1,000 bytes and one of 500; 7 whole ones fit into 7,999 bytes.
    MessageSchedule source = new MessageSchedule(spec(1_000, 0, 20_500));
    source.start(0);
    assertThat(source.take(0, 7_999)).isEqualTo(7_000);
    assertThat(source.sentMessages()).isEqualTo(7);
    assertThat(source.take(0, 100_000)).isEqualTo(13_000);
    assertThat(source.take(0, 100_000)).isEqualTo(500);
    assertThat(source.sentMessages()).isEqualTo(21);
    assertThat(source.exhausted()).isTrue();
    // Not even one fits: it goes all the same, alone.
    assertThat(new MessageSchedule(spec(1_000, 0, 0)).take(0, 10)).isEqualTo(1_000);
  }

  @Test
  void onlyWhatIsDueIsTakenTogether() {
    // A message a millisecond: those of 0, 1 and 2 ms are due after 2.5 ms.
    MessageSchedule source = new MessageSchedule(spec(1_000, 8_000_000, 0));
    source.start(0);
    assertThat(source.take(2_500, 100_000)).isEqualTo(3_000);
    assertThat(source.waitMicros(2_500)).isEqualTo(500);
  }

  @Test
  void highRatesAreGatheredForAMillisecondAndLowOnesGoMessageByMessage() {
    // 10,000 messages a second, and 1,000.
    MessageSchedule fast = new MessageSchedule(spec(1_000, 80_000_000, 0));
    fast.start(0);
    fast.sent(1_000);
    assertThat(fast.waitMicros(0)).isEqualTo(100);
    assertThat(fast.pauseMicros(0)).isEqualTo(1_000);
    // Those of 100, 200, ... 1,000 microseconds.
    assertThat(fast.take(1_000, 100_000)).isEqualTo(10_000);
    MessageSchedule slow = new MessageSchedule(spec(1_000, 8_000_000, 0));
    slow.start(0);
    slow.sent(1_000);
    assertThat(slow.pauseMicros(0)).isEqualTo(1_000);
    assertThat(slow.pauseMicros(900)).isEqualTo(100);
  }

  @Test
  void thePatternIsKnownAtEveryOffset() {
    ByteBuffer twice = Pattern.twicePeriod();
    PatternCheck check = new PatternCheck();
    for (int offset : new int[] {0, 1, 65_535, 65_536, 70_000}) {
      ByteBuffer piece = ByteBuffer.allocate(1_000);
      for (int i = 0; i < 1_000; i++) {
        piece.put(twice.get((offset + i) % Pattern.PERIOD));
      }
      piece.flip();
      assertThat(check.matches(offset, piece)).as("offset %d", offset).isTrue();
      assertThat(check.matches(offset + 1L, piece)).isFalse();
      piece.put(999, (byte) (piece.get(999) ^ 1));
      assertThat(check.matches(offset, piece)).isFalse();
    }
  }
}
