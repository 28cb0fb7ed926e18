package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BufferWarningTest {
  private static final double ALONE_MICROS = 3_000;

  private final BufferWarning buffer = new BufferWarning();

  private void rounds(int count, double queueMicros, boolean lossy) {
    for (int i = 0; i < count; i++) {
      buffer.onRound(queueMicros, lossy, true, ALONE_MICROS);
    }
  }

  @Test
  void nothingThatEverQueuedIsNoBufferThatWarns() {
    rounds(1_000, 200, false);
    assertThat(buffer.isKnown()).isFalse();
    assertThat(buffer.isDue(200, ALONE_MICROS)).isFalse();
  }

  @Test
  void aQueueOfItsOwnKeptForEightRoundTripsWithoutALossIsOne() {
    rounds(7, ALONE_MICROS, false);
    rounds(1, ALONE_MICROS, true);
    rounds(7, ALONE_MICROS, false);
    assertThat(buffer.isKnown()).isFalse();
    rounds(1, ALONE_MICROS, false);
    assertThat(buffer.isKnown()).isTrue();
    assertThat(buffer.isDue(0, ALONE_MICROS)).isTrue();
  }

  @Test
  void aBufferThatOverflowedHeldItsLongestQueue() {
    buffer.onLosses(7, 5_000);
    buffer.onLosses(50, 1_900);
    assertThat(buffer.isDue(500, ALONE_MICROS)).isFalse();
    buffer.onLosses(8, 5_000);
    assertThat(buffer.isDue(500, ALONE_MICROS)).isTrue();
    assertThat(buffer.isDue(2_500, ALONE_MICROS)).isFalse();
  }

  @Test
  void aBufferThatHeldMoreThanWaitsNowWasNotFull() {
    rounds(1, 10_000, true);
    assertThat(buffer.isKnown()).isFalse();
    assertThat(buffer.isDue(3_000, ALONE_MICROS)).isTrue();
    assertThat(buffer.isDue(5_000, ALONE_MICROS)).isFalse();
  }
}
