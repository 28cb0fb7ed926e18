package ebb.vm.local;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.rand.SeededRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PipeTest {
  private static final long MILLI = 1_000_000;

  private static Pipe pipe(long rate, long delayMicros, long bufferMicros, double loss) {
    return new Pipe(rate, delayMicros, bufferMicros, loss, new SeededRandom(1));
  }

  @Test
  void packetsLeaveAtTheRateAndArriveAfterTheDelay() {
    // 1,250 bytes at 10 Mbit/s take 1 ms.
    Pipe pipe = pipe(10_000_000, 20_000, 100_000, 0);
    assertThat(pipe.arrival(0, 1_250)).isEqualTo(21 * MILLI);
    assertThat(pipe.arrival(0, 1_250)).isEqualTo(22 * MILLI);
    // After a pause the link is empty.
    assertThat(pipe.arrival(50 * MILLI, 1_250)).isEqualTo(71 * MILLI);
  }

  @Test
  void whatWouldWaitLongerThanTheBufferIsDropped() {
    Pipe pipe = pipe(10_000_000, 0, 2_000, 0);
    assertThat(pipe.arrival(0, 1_250)).isEqualTo(MILLI);
    assertThat(pipe.arrival(0, 1_250)).isEqualTo(2 * MILLI);
    assertThat(pipe.arrival(0, 1_250)).isEqualTo(3 * MILLI);
    assertThat(pipe.arrival(0, 1_250)).isEqualTo(Pipe.LOST);
    assertThat(pipe.arrival(MILLI, 1_250)).isEqualTo(4 * MILLI);
  }

  @Test
  void withoutARateNothingWaits() {
    Pipe pipe = pipe(0, 5_000, 0, 0);
    for (int i = 0; i < 100; i++) {
      assertThat(pipe.arrival(7, 65_535)).isEqualTo(5 * MILLI + 7);
    }
  }

  @Test
  void lossIsAsLikelyAsAskedFor() {
    Pipe pipe = pipe(0, 0, 0, 0.1);
    long lost = IntStream.range(0, 100_000).filter(i -> pipe.arrival(i, 1) < 0).count();
    // Within five standard deviations: sqrt(100,000 x 0.1 x 0.9) is 95.
    assertThat(lost).isBetween(10_000L - 475, 10_000L + 475);
  }
}
