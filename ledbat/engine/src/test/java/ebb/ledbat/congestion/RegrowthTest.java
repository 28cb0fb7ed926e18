package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RegrowthTest {
  private static final long RTT_MICROS = 100_000;
  private static final double CWND = 20_000;

  private final Regrowth regrowth = new Regrowth();

  @Test
  void lossesAreItsOwnDoingUntilThreeRoundTripsAfterTheLinkWasFull() {
    assertThat(regrowth.explainsLosses(0)).isFalse();
    regrowth.begin();
    assertThat(regrowth.explainsLosses(0)).isTrue();
    regrowth.onFull(RTT_MICROS, 1_000_000);
    assertThat(regrowth.isUnderWay()).isFalse();
    assertThat(regrowth.explainsLosses(1_299_999)).isTrue();
    assertThat(regrowth.explainsLosses(1_300_000)).isFalse();
  }

  @Test
  void lossesLaterOnDoNotExplainThemselves() {
    regrowth.begin();
    regrowth.onFull(RTT_MICROS, 1_000_000);
    regrowth.onFull(RTT_MICROS, 1_200_000);
    assertThat(regrowth.explainsLosses(1_300_000)).isFalse();
  }

  @Test
  void aRivalEndsItWithoutExplainingAnything() {
    regrowth.begin();
    regrowth.stop();
    assertThat(regrowth.isUnderWay()).isFalse();
    assertThat(regrowth.explainsLosses(0)).isFalse();
  }

  @Test
  void growsBySecondsAndNoFurtherThanTheBufferHolds() {
    regrowth.freeFrom(CWND);
    assertThat(regrowth.most(CWND, 10_000, 100_000)).isEqualTo(0.1);
    assertThat(regrowth.most(CWND, 100_000, 100_000)).isCloseTo(0.28, within(1e-9));
    assertThat(regrowth.most(CWND, 250_000, 500_000)).isEqualTo(0.5);
    assertThat(regrowth.most(CWND, 250_000, 50_000)).isCloseTo(0.2, within(1e-9));
    assertThat(regrowth.most(CWND, 250_000, 5_000)).isEqualTo(0.1);
  }

  @Test
  void aWindowThatHasDoubledWhileNothingWaitedGrowsByHalf() {
    regrowth.freeFrom(CWND);
    assertThat(regrowth.most(1.99 * CWND, 10_000, 5_000)).isEqualTo(0.1);
    assertThat(regrowth.most(2 * CWND, 10_000, 5_000)).isEqualTo(0.5);
    regrowth.freeFrom(2 * CWND); // Something waited.
    assertThat(regrowth.most(2 * CWND, 10_000, 5_000)).isEqualTo(0.1);
  }

  @Test
  void orDoublesWhereTheBufferHoldsARoundTripOfIt() {
    regrowth.freeFrom(CWND);
    assertThat(regrowth.most(2 * CWND, 100_000, 60_000)).isEqualTo(0.6);
    assertThat(regrowth.most(2 * CWND, 100_000, 300_000)).isEqualTo(1);
  }
}
