package ebb.ledbat.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RttEstimatorTest {
  private static final long SECOND = 1_000_000;
  private static final long MIN_RTO = SECOND;
  private static final long MAX_RTO = 60 * SECOND;

  private final RttEstimator estimator = new RttEstimator(SECOND, MIN_RTO, MAX_RTO);

  @Test
  void rfc6298_2_1_untilTheFirstSampleTheTimeoutIsTheInitialOne() {
    assertThat(estimator.rtoMicros()).isEqualTo(SECOND);
    assertThat(estimator.smoothedRttMicros()).isZero();
    assertThat(estimator.rttVarMicros()).isZero();
    assertThat(estimator.minRttMicros()).isZero();
    assertThat(estimator.latestRttMicros()).isZero();
  }

  @Test
  void rfc6298_2_2_theFirstSampleSetsAverageAndHalfOfItAsVariation() {
    estimator.onSample(400_000);
    assertThat(estimator.smoothedRttMicros()).isEqualTo(400_000);
    assertThat(estimator.rttVarMicros()).isEqualTo(200_000);
    // SRTT + 4 * RTTVAR
    assertThat(estimator.rtoMicros()).isEqualTo(1_200_000);
  }

  @Test
  void rfc6298_2_3_laterSamplesMoveTheAverageByAnEighthAndTheVariationByAQuarter() {
    estimator.onSample(400_000);
    estimator.onSample(800_000);
    // RTTVAR = 3/4 * 200 + 1/4 * |400 - 800| = 250; SRTT = 7/8 * 400 + 1/8 * 800 = 450
    assertThat(estimator.rttVarMicros()).isEqualTo(250_000);
    assertThat(estimator.smoothedRttMicros()).isEqualTo(450_000);
    assertThat(estimator.rtoMicros()).isEqualTo(1_450_000);
    estimator.onSample(50_000);
    // RTTVAR = 3/4 * 250 + 1/4 * 400 = 287.5; SRTT = 7/8 * 450 + 1/8 * 50 = 400
    assertThat(estimator.rttVarMicros()).isEqualTo(287_500);
    assertThat(estimator.smoothedRttMicros()).isEqualTo(400_000);
    assertThat(estimator.rtoMicros()).isEqualTo(1_550_000);
  }

  @Test
  void rfc6298_2_3_integersFollowTheRealNumbers() {
    RttEstimator estimator = new RttEstimator(SECOND, 1, MAX_RTO);
    Random random = new Random(6298);
    double srtt = 0;
    double rttVar = 0;
    for (int i = 0; i < 100_000; i++) {
      long sample = 1 + random.nextInt(300_000);
      estimator.onSample(sample);
      if (i == 0) {
        srtt = sample;
        rttVar = sample / 2.0;
      } else {
        rttVar = 0.75 * rttVar + 0.25 * Math.abs(srtt - sample);
        srtt = 0.875 * srtt + 0.125 * sample;
      }
      assertThat((double) estimator.smoothedRttMicros()).isCloseTo(srtt, within(2.0));
      assertThat((double) estimator.rttVarMicros()).isCloseTo(rttVar, within(4.0));
    }
  }

  @Test
  void rfc6298_2_4_theTimeoutIsAtLeastTheMinimum() {
    for (int i = 0; i < 100; i++) {
      estimator.onSample(20_000);
    }
    // One 20 ms path must not give 60 s, as an inverted clamp does, nor 21 ms.
    assertThat(estimator.rtoMicros()).isEqualTo(MIN_RTO);
  }

  @Test
  void rfc6298_2_5_theTimeoutIsAtMostTheMaximum() {
    estimator.onSample(50 * SECOND);
    assertThat(estimator.rtoMicros()).isEqualTo(MAX_RTO);
  }

  @Test
  void rfc6298_4_withoutVariationTheGranularityOfOneMillisecondIsAdded() {
    RttEstimator estimator = new RttEstimator(SECOND, 10_000, MAX_RTO);
    for (int i = 0; i < 200; i++) {
      estimator.onSample(50_000);
    }
    assertThat(estimator.rttVarMicros()).isLessThan(250);
    assertThat(estimator.rtoMicros()).isEqualTo(51_000);
  }

  @Test
  void rfc6298_5_7_afterALostSynTheTimeoutIsThreeSecondsUntilTheFirstSample() {
    estimator.onSynRetransmitted();
    assertThat(estimator.rtoMicros()).isEqualTo(3 * SECOND);
    estimator.onSample(100_000);
    assertThat(estimator.rtoMicros()).isEqualTo(SECOND);
  }

  @Test
  void rfc6298_5_7_aLongerInitialTimeoutStays() {
    RttEstimator estimator = new RttEstimator(5 * SECOND, MIN_RTO, MAX_RTO);
    estimator.onSynRetransmitted();
    assertThat(estimator.rtoMicros()).isEqualTo(5 * SECOND);
  }

  @Test
  void theMinimumAndTheLatestSampleAreKept() {
    estimator.onSample(70_000);
    estimator.onSample(30_000);
    estimator.onSample(90_000);
    assertThat(estimator.minRttMicros()).isEqualTo(30_000);
    assertThat(estimator.latestRttMicros()).isEqualTo(90_000);
  }

  @Test
  void aSampleBelowAMicrosecondCountsAsOne() {
    for (int i = 0; i < 1_000; i++) {
      estimator.onSample(0);
    }
    assertThat(estimator.smoothedRttMicros()).isEqualTo(1);
    assertThat(estimator.minRttMicros()).isEqualTo(1);
    assertThat(estimator.rtoMicros()).isEqualTo(MIN_RTO);
  }

  @Test
  void samplesOfAnySizeLeaveTheEstimatesInRange() {
    for (long sample : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, 1, Long.MAX_VALUE, 0, -1}) {
      estimator.onSample(sample);
      assertThat(estimator.smoothedRttMicros()).isBetween(1L, MAX_RTO);
      assertThat(estimator.rttVarMicros()).isBetween(0L, MAX_RTO);
      assertThat(estimator.rtoMicros()).isBetween(MIN_RTO, MAX_RTO);
    }
  }

  @Test
  void boundsOutOfOrderAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new RttEstimator(SECOND, 0, SECOND));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RttEstimator(SECOND, 2 * SECOND, SECOND));
  }
}
