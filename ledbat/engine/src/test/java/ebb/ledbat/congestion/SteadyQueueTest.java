package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

final class SteadyQueueTest {
  private static final double EMPTY_MICROS = 600;
  private static final long NEAR_MICROS = 60_000;
  private static final long FAR_MICROS = 250_000;

  private final SteadyQueue queue = new SteadyQueue();

  /** What it says after a minute with an acknowledgement each 10 ms. */
  private double afterMinute(double lawMicros, long rttMicros, LongToDoubleFunction queueAtMicros) {
    double wantedMicros = 0;
    for (long now = 0; now < 60_000_000; now += 10_000) {
      double queueMicros = queueAtMicros.applyAsDouble(now);
      wantedMicros = queue.wantedMicros(lawMicros, queueMicros, EMPTY_MICROS, rttMicros, now);
    }
    return wantedMicros;
  }

  @Test
  void whoWantsMoreThanAQueueThatStandsSteersForMuchMoreFarAway() {
    assertThat(afterMinute(3_000, FAR_MICROS, now -> 2_000)).isCloseTo(7_000, within(10.0));
  }

  @Test
  void whoWantsLessSteersForMuchLess() {
    assertThat(afterMinute(1_500, FAR_MICROS, now -> 2_000)).isCloseTo(-500, within(10.0));
  }

  @Test
  void theQueueThatIsWantedStaysWhereItIs() {
    assertThat(afterMinute(2_000, FAR_MICROS, now -> 2_000)).isCloseTo(2_000, within(1.0));
  }

  @Test
  void theLawCountsAsItIsNearby() {
    assertThat(afterMinute(3_000, NEAR_MICROS, now -> 2_000)).isEqualTo(3_000);
  }

  @Test
  void theFurtherAwayTheMoreItCounts() {
    assertThat(afterMinute(3_000, 100_000, now -> 2_000)).isCloseTo(4_000, within(10.0));
  }

  @Test
  void noMoreThanFiveTimesHoweverFarAway() {
    assertThat(afterMinute(3_000, 2 * FAR_MICROS, now -> 2_000)).isBetween(6_900.0, 7_010.0);
  }

  @Test
  void besideTheSawOfATcpItCountsLittle() {
    // From none to 4 ms in 6 s, and again: it moves by half of its mean.
    double wantedMicros = afterMinute(3_000, FAR_MICROS, now -> now % 6_000_000 / 1_500.0);
    assertThat(wantedMicros).isBetween(3_000.0, 4_500.0);
  }

  @Test
  void aQueueThatComesAndGoesIsNotSteady() {
    LongToDoubleFunction turns = now -> now % 6_000_000 < 3_000_000 ? 0 : 4_000;
    assertThat(afterMinute(3_000, FAR_MICROS, turns)).isEqualTo(3_000);
  }

  @Test
  void whereNothingWaitsNobodyElseIsThere() {
    assertThat(afterMinute(3_000, FAR_MICROS, now -> 500)).isEqualTo(3_000);
  }

  @Test
  void aPauseBeginsAnew() {
    afterMinute(3_000, FAR_MICROS, now -> 2_000);
    assertThat(queue.wantedMicros(3_000, 2_000, EMPTY_MICROS, FAR_MICROS, 61_000_000))
        .isEqualTo(3_000);
  }

  @Test
  void anotherPathBeginsAnew() {
    afterMinute(3_000, FAR_MICROS, now -> 2_000);
    queue.restart();
    assertThat(queue.wantedMicros(3_000, 2_000, EMPTY_MICROS, FAR_MICROS, 60_000_000))
        .isEqualTo(3_000);
  }
}
