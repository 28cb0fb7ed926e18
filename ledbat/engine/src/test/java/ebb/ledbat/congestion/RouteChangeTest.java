package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What tells a path that became longer or shorter from a queue. */
class RouteChangeTest {
  private static final long RTT_MICROS = 50_000;
  private static final long DELAY_MICROS = 10_000;
  private static final double CWND = 30_000;

  private final RouteChange route = new RouteChange();
  private long nowMicros = 1_000_000;

  /** The first report of a longer path within {@code seconds}, 0 if there is none. */
  private long longerWithin(double seconds, double queueMicros, double growthMicros) {
    for (int i = 0; i < seconds * 1e6 / RTT_MICROS; i++) {
      nowMicros += RTT_MICROS;
      double queue = queueMicros + i * growthMicros + i % 2 * 500;
      long longer = route.onRound(queue, true, 1_000, nowMicros);
      if (longer > 0) {
        return longer;
      }
    }
    return 0;
  }

  private long delay(long gapMicros, long delayMicros) {
    nowMicros += gapMicros;
    return route.onDelay(delayMicros, nowMicros, CWND);
  }

  @Test
  void aQueueThatDoesNotMoveForThreeSecondsWhileNothingIsSentIsALongerPath() {
    assertThat(longerWithin(2.9, 75_000, 0)).isZero();
    assertThat(longerWithin(0.3, 75_000, 0)).isEqualTo(75_000);
    assertThat(route.resumeBytes()).isZero();
  }

  @Test
  void aQueueThatMovesIsNone() {
    assertThat(longerWithin(20, 75_000, 100)).isZero();
  }

  @Test
  void whatCameAtOnceAndStaysForHalfASecondIsOneAndTheWindowFromBeforeIsGood() {
    delay(1_000, DELAY_MICROS);
    delay(1_000, DELAY_MICROS + 75_000);
    assertThat(longerWithin(0.4, 75_000, 0)).isZero();
    assertThat(longerWithin(0.3, 75_000, 0)).isEqualTo(75_000);
    assertThat(route.resumeBytes()).isEqualTo(CWND);
  }

  @Test
  void aSenderOfTwiceTheRateOfTheLinkMakesNoStep() {
    for (int i = 0; i < 75; i++) {
      delay(1_000, DELAY_MICROS + i * 1_000);
    }
    assertThat(longerWithin(2.9, 75_000, 0)).isZero();
  }

  @Test
  void aBurstThatRunsDryLeavesNoStep() {
    delay(1_000, DELAY_MICROS);
    delay(1_000, DELAY_MICROS + 75_000);
    delay(40_000, DELAY_MICROS + 35_000);
    assertThat(longerWithin(2.9, 35_000, 0)).isZero();
  }

  @Test
  void aPacketThatOvertakesAnotherByFarWentAShorterPath() {
    delay(1_000, DELAY_MICROS + 75_000);
    assertThat(delay(1_000, DELAY_MICROS)).isEqualTo(75_000);
  }

  @Test
  void packetsThatArriveTogetherAfterAWaitKeptTheirOrder() {
    delay(1_000, DELAY_MICROS + 75_000);
    assertThat(delay(75_000, DELAY_MICROS)).isZero();
  }

  @Test
  void aPathThatAlwaysMixesItsPacketsIsShorterOnceInTenSeconds() {
    int reports = 0;
    for (int i = 0; i < 30_000; i++) {
      reports += delay(1_000, DELAY_MICROS + i % 2 * 30_000) > 0 ? 1 : 0;
    }
    assertThat(reports).isEqualTo(3);
  }
}
