package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuietWatchTest {
  private static final long ROUND_MICROS = 50_000;

  private final QuietWatch watch = new QuietWatch();
  private long nowMicros = 1_000_000;
  private double packets = 50;

  /** Rounds for that long; the rate grows by {@code perSecond} of itself. */
  private boolean rounds(double seconds, double rate, double perSecond, boolean quiet) {
    boolean found = false;
    long beganMicros = nowMicros;
    while (nowMicros - beganMicros < seconds * 1e6) {
      double at = (nowMicros - beganMicros) / 1e6;
      found |=
          watch.onRound(
              quiet, rate * Math.pow(1 + perSecond, at), packets, ROUND_MICROS, nowMicros);
      nowMicros += ROUND_MICROS;
    }
    return found;
  }

  @Test
  void threeSecondsOfTheSameRateOnAnEmptyQueueAreEnough() {
    assertThat(rounds(2.9, 1e6, 0, true)).isFalse();
    assertThat(rounds(0.3, 1e6, 0, true)).isTrue();
  }

  @Test
  void aRateThatStillGrowsHasNotFoundItsLimit() {
    assertThat(rounds(4, 1e6, 0.3, true)).isFalse();
    assertThat(rounds(3.2, 2.8e6, 0, true)).isTrue();
  }

  @Test
  void aRateThatShrinksIsARivals() {
    // Reno takes back a tenth of the link each second: 0.35, 0.25, 0.15.
    assertThat(rounds(10, 1e6, -0.3, true)).isFalse();
  }

  @Test
  void aLargeWindowIsWatchedForLonger() {
    packets = 320; // Two seconds for each part.
    assertThat(rounds(5.9, 1e6, 0, true)).isFalse();
    assertThat(rounds(0.3, 1e6, 0, true)).isTrue();
  }

  @Test
  void oneLongQueueBeginsItAnew() {
    assertThat(rounds(2.5, 1e6, 0, true)).isFalse();
    assertThat(rounds(0.05, 1e6, 0, false)).isFalse();
    assertThat(rounds(2.5, 1e6, 0, true)).isFalse();
    assertThat(rounds(1, 1e6, 0, true)).isTrue();
  }

  @Test
  void afterAnAnswerItBeginsAnew() {
    assertThat(rounds(3.2, 1e6, 0, true)).isTrue();
    assertThat(rounds(2.5, 1e6, 0, true)).isFalse();
    assertThat(rounds(1, 1e6, 0, true)).isTrue();
  }
}
