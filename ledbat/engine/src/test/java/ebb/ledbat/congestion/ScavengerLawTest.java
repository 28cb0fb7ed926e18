package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ScavengerLawTest {
  private static final double TEN_MEGABITS = 1_250_000;

  private final PathRate pathRate = new PathRate();
  private final ScavengerLaw law = new ScavengerLaw(pathRate, 30_000, 1_250);

  @Test
  void sixteenTimesTheRateWantsAQuarterOfTheQueueAsLongAsThatCanBeSeen() {
    assertThat(law.wantedMicros(TEN_MEGABITS / 16)).isCloseTo(10_000, within(50.0));
    assertThat(law.wantedMicros(TEN_MEGABITS)).isCloseTo(2_500, within(80.0));
    assertThat(law.wantedMicros(10_000 * TEN_MEGABITS)).isCloseTo(600, within(5.0));
  }

  @Test
  void noRateWantsMoreThanTarget() {
    assertThat(law.wantedMicros(1)).isEqualTo(30_000);
    law.setTargetDelayMicros(4_000);
    assertThat(law.wantedMicros(1)).isEqualTo(4_000);
  }

  @Test
  void onePacketsTimeIsNoQueueUpToABound() {
    pathRate.restartAt(TEN_MEGABITS);
    assertThat(law.aloneMicros()).isCloseTo(3_500, within(80.0));
    pathRate.restartAt(TEN_MEGABITS / 10);
    assertThat(law.packetMicros()).isEqualTo(1_500);
    assertThat(law.wholePacketMicros()).isCloseTo(10_000, within(0.1));
  }

  @Test
  void aSlowLinksPacketIsNoQueueForWhoLooksForARivalOfSeveral() {
    pathRate.restartAt(TEN_MEGABITS);
    assertThat(law.emptyMicros(1_000, true)).isEqualTo(law.emptyMicros(1_000, false));
    pathRate.restartAt(0.3 * TEN_MEGABITS);
    assertThat(law.unitMicros()).isCloseTo(3_333, within(1.0));
    double more = law.emptyMicros(1_000, true) - law.emptyMicros(1_000, false);
    assertThat(more).isCloseTo(3_333 - 0.6 * 1_500, within(1.0));
    pathRate.restartAt(TEN_MEGABITS / 10);
    assertThat(law.unitMicros()).isEqualTo(5_000);
  }

  @Test
  void threeTimesItsOwnQueueAndFiveMillisecondsAreLong() {
    pathRate.restartAt(TEN_MEGABITS);
    assertThat(law.isLong(3.1 * law.aloneMicros())).isTrue();
    assertThat(law.isLong(2.9 * law.aloneMicros())).isFalse();
    pathRate.restartAt(100 * TEN_MEGABITS);
    assertThat(law.isLong(4_900)).isFalse();
    assertThat(law.isLong(5_100)).isTrue();
  }

  @Test
  void halfOfAQueueThatWasTooLongIsWantedAndThatIsForgotten() {
    law.onFull(2_000);
    assertThat(law.wantedMicros(TEN_MEGABITS)).isCloseTo(1_000, within(0.1));
    for (int i = 0; i < 10_000; i++) {
      law.onRound();
    }
    assertThat(law.wantedMicros(TEN_MEGABITS)).isCloseTo(2_500, within(80.0));
  }

  @Test
  void aQueueThatIsToldFromNoneIsWantedWhateverWasLostWithoutOne() {
    law.onFull(0);
    assertThat(law.wantedMicros(TEN_MEGABITS)).isCloseTo(600, within(0.1));
  }
}
