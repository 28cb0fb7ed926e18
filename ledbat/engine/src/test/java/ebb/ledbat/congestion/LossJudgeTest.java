package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LossJudgeTest {
  private final LossJudge losses = new LossJudge();

  private double round(double acked, double lost, boolean low) {
    losses.onAck(acked);
    losses.onLoss(lost);
    return losses.endRound(low);
  }

  @Test
  void whatIsLostAtAHighRateIsNeverTheWaysOfThePath() {
    for (int i = 0; i < 100; i++) {
      assertThat(round(99, 1, false)).isEqualTo(0.01);
    }
    assertThat(losses.randomShare()).isZero();
  }

  @Test
  void whatIsLostAtALowRateIsAndThenChanceExplainsAsMuchAtAnyRate() {
    for (int i = 0; i < 10; i++) {
      round(99, 1, true);
    }
    assertThat(losses.randomShare()).isCloseTo(0.01, within(1e-9));
    assertThat(round(98, 2, false)).isZero();
    assertThat(round(80, 20, false)).isCloseTo(0.19, within(1e-9));
  }

  @Test
  void whatFewLossesTaughtMayBeTooLittleAndManyAreSure() {
    for (int i = 0; i < 10; i++) {
      round(99, 1, true);
    }
    assertThat(round(41, 4, false)).isZero();
    for (int i = 0; i < 30; i++) {
      round(99, 1, true);
    }
    assertThat(losses.randomShare()).isCloseTo(0.01, within(1e-9));
    assertThat(round(41, 4, false)).isPositive();
  }

  @Test
  void oneLossAtALowRateIsNotEnough() {
    round(50, 1, true);
    assertThat(losses.randomShare()).isZero();
  }

  @Test
  void aBurstAtALowRateCountsAsFew() {
    round(900, 100, true);
    assertThat(losses.randomShare()).isCloseTo(0.02, within(1e-9));
  }

  @Test
  void noPathLosesMoreThanATenthByChance() {
    for (int i = 0; i < 50; i++) {
      round(2, 2, true);
    }
    assertThat(losses.randomShare()).isEqualTo(0.1);
  }

  @Test
  void aRoundTripWithoutPacketsLosesNothing() {
    assertThat(losses.endRound(true)).isZero();
  }
}
