package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RateCeilingTest {
  private static final double RATE = 1_000_000;
  private static final long ROUND_MICROS = 50_000;

  private final RateCeiling ceiling = new RateCeiling();
  private long nowMicros = 1_000_000;

  private void calm(double rate, double seconds) {
    for (long until = nowMicros + (long) (seconds * 1e6); nowMicros < until; ) {
      nowMicros += ROUND_MICROS;
      ceiling.onCalmRound(rate, nowMicros);
    }
  }

  @Test
  void whatArrivedWhileMoreWasLostIsTheCeilingForASecondAndThenRisesSlowly() {
    assertThat(ceiling.isSet()).isFalse();
    ceiling.onLoss(RATE, nowMicros);
    calm(0.95 * RATE, 1);
    assertThat(ceiling.bytesPerSecond()).isEqualTo(0.95 * RATE);
    calm(0.95 * RATE, 1);
    assertThat(ceiling.bytesPerSecond()).isCloseTo(0.95 * 1.05 * RATE, within(0.01 * RATE));
  }

  @Test
  void untilItHasRisenLossesAreNotOfItsDoing() {
    assertThat(ceiling.isAbove(RATE)).isTrue();
    ceiling.onLoss(RATE, nowMicros);
    assertThat(ceiling.isAbove(0.95 * RATE)).isFalse();
    calm(0.95 * RATE, 2);
    assertThat(ceiling.isAbove(ceiling.bytesPerSecond())).isTrue();
  }

  @Test
  void aCeilingThatIsNotUsedIsNotRaised() {
    ceiling.onLoss(RATE, nowMicros);
    calm(0.5 * RATE, 10);
    assertThat(ceiling.bytesPerSecond()).isEqualTo(0.95 * RATE);
  }

  @Test
  void lossesBelowItLowerItAndItIsKeptToLonger() {
    ceiling.onLoss(RATE, nowMicros);
    ceiling.onLoss(RATE, nowMicros);
    assertThat(ceiling.bytesPerSecond()).isCloseTo(0.95 * 0.95 * RATE, within(1.0));
    calm(0.9 * RATE, 2);
    assertThat(ceiling.bytesPerSecond()).isCloseTo(0.95 * 0.95 * RATE, within(1.0));
  }

  @Test
  void aCeilingThatWasLeftFarBehindIsNone() {
    ceiling.onLoss(RATE, nowMicros);
    for (int i = 0; i < 15 && ceiling.isSet(); i++) {
      calm(ceiling.bytesPerSecond(), 1);
    }
    assertThat(ceiling.isSet()).isFalse();
  }

  @Test
  void aRateIsProvenByThreeSecondsWithoutALoss() {
    calm(RATE, 2.9);
    assertThat(ceiling.isProven(RATE)).isFalse();
    assertThat(ceiling.provenBytesPerSecond()).isZero();
    calm(RATE, 0.2);
    assertThat(ceiling.isProven(RATE)).isTrue();
    assertThat(ceiling.isProven(1.1 * RATE)).isFalse();
  }

  @Test
  void aLossBeginsTheThreeSecondsAnew() {
    calm(RATE, 2.9);
    ceiling.onLossyRound();
    calm(RATE, 2.9);
    assertThat(ceiling.isProven(RATE)).isFalse();
  }
}
