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
  void untilTheFirstSampleTheTimeoutIsTheInitialOne() {
    // RFC 6298, 2.1: "Until a round-trip time (RTT) measurement has been made for a segment sent
    // between the sender and receiver, the sender SHOULD set RTO <- 1 second"
    // RFC 6817, 2.4.2: "CTO = 1 second"
    assertThat(estimator.rtoMicros()).isEqualTo(SECOND);
    assertThat(estimator.smoothedRttMicros()).isZero();
    assertThat(estimator.rttVarMicros()).isZero();
    assertThat(estimator.minRttMicros()).isZero();
    assertThat(estimator.latestRttMicros()).isZero();
  }

  @Test
  void theFirstSampleSetsAverageAndHalfOfItAsVariation() {
    // RFC 6298, 2.2: "When the first RTT measurement R is made, the host MUST set SRTT <- R; RTTVAR
    // <- R/2; RTO <- SRTT + max (G, K*RTTVAR) where K = 4."
    estimator.onSample(400_000);
    assertThat(estimator.smoothedRttMicros()).isEqualTo(400_000);
    assertThat(estimator.rttVarMicros()).isEqualTo(200_000);
    // SRTT + 4 * RTTVAR
    assertThat(estimator.rtoMicros()).isEqualTo(1_200_000);
  }

  @Test
  void laterSamplesMoveTheAverageByAnEighthAndTheVariationByAQuarter() {
    // BEP 29, timeouts: "delta = rtt - packet_rtt; rtt_var += (abs(delta) - rtt_var) / 4; rtt +=
    // (packet_rtt - rtt) / 8"
    // RFC 6298, 2.3: "RTTVAR <- (1 - beta) * RTTVAR + beta * |SRTT - R'|; SRTT <- (1 - alpha) *
    // SRTT + alpha * R'"
    // RFC 6298, 2.3: "updating RTTVAR and SRTT MUST be computed in the above order."
    // RFC 6298, 2.3: "The above SHOULD be computed using alpha=1/8 and beta=1/4"
    // RFC 6298, 2.3: "After the computation, a host MUST update RTO <- SRTT + max (G, K*RTTVAR)"
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
  void integersFollowTheRealNumbers() {
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
  void theTimeoutIsAtLeastTheMinimum() {
    // RFC 6298, 2.4: "the RTO SHOULD be rounded up to 1 second."
    for (int i = 0; i < 100; i++) {
      estimator.onSample(20_000);
    }
    // One 20 ms path must not give 60 s, as an inverted clamp does, nor 21 ms.
    assertThat(estimator.rtoMicros()).isEqualTo(MIN_RTO);
  }

  @Test
  void theTimeoutIsAtMostTheMaximum() {
    // RFC 6298, 2.5: "A maximum value MAY be placed on RTO provided it is at least 60 seconds."
    estimator.onSample(50 * SECOND);
    assertThat(estimator.rtoMicros()).isEqualTo(MAX_RTO);
  }

  @Test
  void withoutVariationTheGranularityOfOneMillisecondIsAdded() {
    // RFC 6298, 4: "if the K*RTTVAR term in the RTO calculation equals zero, the variance term MUST
    // be rounded to G seconds"
    RttEstimator estimator = new RttEstimator(SECOND, 10_000, MAX_RTO);
    for (int i = 0; i < 200; i++) {
      estimator.onSample(50_000);
    }
    assertThat(estimator.rttVarMicros()).isLessThan(250);
    assertThat(estimator.rtoMicros()).isEqualTo(51_000);
  }

  @Test
  void afterALostSynTheTimeoutIsThreeSecondsUntilTheFirstSample() {
    // RFC 6298, 5.7: "the RTO MUST be re-initialized to 3 seconds when data transmission begins"
    estimator.onSynRetransmitted();
    assertThat(estimator.rtoMicros()).isEqualTo(3 * SECOND);
    estimator.onSample(100_000);
    assertThat(estimator.rtoMicros()).isEqualTo(SECOND);
  }

  @Test
  void aLongerInitialTimeoutStays() {
    // RFC 6298, 2.1: "A TCP implementation MAY still use this value (or any other value > 1
    // second)."
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
