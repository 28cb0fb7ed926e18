package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ProbesTest {
  private static final double LINK = 1_000_000;

  private final Probes probes = new Probes();
  private long nowMicros = 1_000_000;

  private boolean end(double rate, long recoveryMicros) {
    nowMicros += 10_000_000;
    return probes.onEnd(rate, recoveryMicros, nowMicros);
  }

  @Test
  void aLookThatLostPacketsIsNotRepeatedBeforeTheRivalHasRecovered() {
    probes.onRival(1, false, 0, nowMicros);
    probes.onEnd(1, 0, nowMicros);
    assertThat(probes.isDue(nowMicros + 100_000)).isTrue();
    nowMicros += 40_000;
    probes.onOverfilled(900_000, nowMicros);
    assertThat(probes.isDue(nowMicros + 899_999)).isFalse();
    nowMicros += 900_000;
    assertThat(probes.isDue(nowMicros)).isTrue();
    probes.onEnd(1, 0, nowMicros);
    assertThat(probes.isDue(nowMicros + 899_999)).as("nor the next one").isFalse();
  }

  @Test
  void threeQuartersOfAKnownLinkAreFree() {
    probes.onAlone(LINK);
    probes.onRival(0.3 * LINK, false, 0, nowMicros);
    assertThat(probes.goalBytesPerSecond()).isEqualTo(0.75 * LINK);
  }

  @Test
  void onALinkThatIsNotKnownAQuarterMoreThanEverBesideTheRivalIsFree() {
    probes.onRival(0.2 * LINK, false, 0, nowMicros);
    probes.onEnd(0.4 * LINK, 0, nowMicros);
    assertThat(probes.goalBytesPerSecond()).isEqualTo(0.5 * LINK);
  }

  @Test
  void whatWasKeptForSecondsNeedOnlyBeReachedUnlessARivalMayHaveLeftIt() {
    probes.onKept(0.8 * LINK);
    probes.onRival(0.9 * LINK, false, 0, nowMicros);
    assertThat(probes.goalBytesPerSecond()).isEqualTo(0.8 * LINK);
    probes.onKept(0.4 * LINK);
    assertThat(probes.goalBytesPerSecond()).isEqualTo(1.25 * 0.9 * LINK);
  }

  @Test
  void aGoalBeyondTheLinkIsNotApproachedFasterThanWhatWasCarried() {
    // The rival was none: the whole link was carried beside it.
    probes.onRival(0.97 * LINK, false, 0, nowMicros);
    assertThat(probes.goalBytesPerSecond()).isGreaterThan(LINK);
    assertThat(probes.carriedBytesPerSecond()).isEqualTo(0.97 * LINK);
    probes.onAlone(LINK);
    assertThat(probes.carriedBytesPerSecond()).isEqualTo(0.9 * LINK);
  }

  @Test
  void theFirstLookIsAtOnceAndTheWaitDoublesUpToHalfASecond() {
    probes.onRival(1, false, 0, nowMicros);
    assertThat(probes.isDue(nowMicros)).isTrue();
    for (long waitMicros : new long[] {100_000, 200_000, 400_000, 500_000, 500_000}) {
      probes.onEnd(1, 0, nowMicros);
      assertThat(probes.isDue(nowMicros + waitMicros - 1)).isFalse();
      nowMicros += waitMicros;
      assertThat(probes.isDue(nowMicros)).isTrue();
    }
  }

  @Test
  void whereOnlyLossesTellATcpMayRecoverBeforeTheFirstLookAndTheWaitDoublesUpToFourTimesThat() {
    long recoveryMicros = 3_000_000;
    probes.onRival(1, false, recoveryMicros, nowMicros);
    assertThat(probes.isDue(nowMicros + recoveryMicros - 1)).isFalse();
    assertThat(probes.isDue(nowMicros + recoveryMicros)).isTrue();
    for (int i = 0; i < 10; i++) {
      end(1, recoveryMicros);
    }
    assertThat(probes.isDue(nowMicros + 4 * recoveryMicros - 1)).isFalse();
    assertThat(probes.isDue(nowMicros + 4 * recoveryMicros)).isTrue();
  }

  @Test
  void whereAQueueShowsTheNextWaitIsShortAgain() {
    probes.onRival(1, false, 3_000_000, nowMicros);
    probes.boundWait(200_000);
    probes.onEnd(1, 0, nowMicros);
    assertThat(probes.isDue(nowMicros + 500_000 - 1)).isFalse();
    assertThat(probes.isDue(nowMicros + 500_000)).isTrue();
    probes.boundWait(1_250_000); // Never longer than it was.
    probes.onEnd(1, 0, nowMicros);
    assertThat(probes.isDue(nowMicros + 500_000)).isTrue();
  }

  @Test
  void threeLooksThatEndAtOneRateMayHaveFoundASlowerLink() {
    probes.onAlone(LINK);
    assertThat(end(0.2 * LINK, 0)).isFalse();
    assertThat(end(0.21 * LINK, 0)).isFalse();
    assertThat(end(0.2 * LINK, 0)).isTrue();
    probes.onHeld(0.2 * LINK, true, nowMicros);
    assertThat(probes.goalBytesPerSecond()).isCloseTo(0.75 * 0.2 * LINK, within(1.0));
  }

  @Test
  void looksThatEndAtDifferentRatesHaveARival() {
    for (double part : new double[] {0.2, 0.3, 0.2, 0.3, 0.2, 0.3}) {
      assertThat(end(part * LINK, 0)).isFalse();
    }
  }

  @Test
  void looksThatCarriedNothingFindNoRate() {
    probes.onRival(0.2 * LINK, false, 0, nowMicros);
    for (int i = 0; i < 5; i++) {
      assertThat(end(0, 0)).isFalse();
    }
    end(0.5 * LINK, 0);
    end(0.5 * LINK, 0);
    assertThat(end(0.5 * LINK, 0)).isTrue();
  }

  @Test
  void aRivalThatShowsAgainRefutesTheSlowerLink() {
    probes.onAlone(LINK);
    probes.onHeld(0.2 * LINK, true, nowMicros);
    probes.onRival(0.2 * LINK, true, 0, nowMicros);
    assertThat(probes.goalBytesPerSecond()).isEqualTo(0.75 * LINK);
    for (int i = 0; i < 5; i++) {
      assertThat(end(0.2 * LINK, 0)).as("look %d", i).isFalse();
    }
    assertThat(end(0.2 * LINK, 0)).isTrue();
  }
}
