package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.ledbat.congestion.OverloadWatch.Verdict;
import org.junit.jupiter.api.Test;

class OverloadWatchTest {
  private static final long RTT_MICROS = 40_000;

  private final OverloadWatch watch = new OverloadWatch();
  private long nowMicros = 1_000_000;

  private Verdict round(double packets, double lost) {
    nowMicros += RTT_MICROS;
    return watch.onRound(packets, lost, nowMicros);
  }

  private void begin() {
    watch.begin(nowMicros);
    assertThat(round(30, 5)).isEqualTo(Verdict.OPEN);
    assertThat(round(30, 5)).isEqualTo(Verdict.OPEN);
  }

  @Test
  void lossesThatGoOnAreOnesOwn() {
    begin();
    for (int i = 0; i < 3; i++) {
      assertThat(round(30, 2)).isEqualTo(Verdict.OPEN);
    }
    assertThat(round(30, 2)).isEqualTo(Verdict.GOES_ON);
    // 28 of 30 packets in each round trip arrived.
    assertThat(watch.deliveredPerSecond(nowMicros)).isCloseTo(28 / 0.04, within(1e-6));
  }

  @Test
  void lossesThatEndAreSomebodyElses() {
    begin();
    assertThat(round(30, 1)).isEqualTo(Verdict.OPEN);
    assertThat(round(30, 0)).isEqualTo(Verdict.OPEN);
    assertThat(round(30, 0)).isEqualTo(Verdict.OPEN);
    assertThat(round(30, 0)).isEqualTo(Verdict.ENDED);
  }

  @Test
  void lossesThatABucketOnlyHeldBackHaveNotEnded() {
    begin();
    assertThat(round(73, 0)).isEqualTo(Verdict.OPEN);
    assertThat(round(84, 10)).isEqualTo(Verdict.OPEN); // As on a real link at 1.1 times its rate.
    assertThat(round(82, 9)).isEqualTo(Verdict.GOES_ON);
    begin();
    assertThat(round(73, 0)).isEqualTo(Verdict.OPEN);
    assertThat(round(84, 10)).isEqualTo(Verdict.OPEN);
    assertThat(round(73, 0)).isEqualTo(Verdict.ENDED);
  }

  @Test
  void aRivalHasTimeToStepBackBeforeAnythingCounts() {
    watch.begin(nowMicros);
    nowMicros += 1_000; // Two round trips of half a millisecond are too short for that.
    watch.onRound(60, 20, nowMicros);
    watch.onRound(60, 20, nowMicros);
    assertThat(watch.onRound(60, 20, nowMicros)).isEqualTo(Verdict.OPEN);
    nowMicros += 60_000;
    assertThat(watch.onRound(60, 0, nowMicros)).isEqualTo(Verdict.OPEN);
    assertThat(watch.onRound(60, 0, nowMicros)).isEqualTo(Verdict.ENDED);
  }

  @Test
  void twoRoundTripsThatLoseMuchAreEnough() {
    begin();
    assertThat(round(20, 4)).isEqualTo(Verdict.OPEN);
    assertThat(round(20, 4)).isEqualTo(Verdict.GOES_ON);
  }

  @Test
  void smallWindowsAreWatchedUntilSixtyPacketsAreKnown() {
    begin();
    int packets = 0;
    Verdict verdict = Verdict.OPEN;
    while (verdict == Verdict.OPEN) {
      verdict = round(5, 0);
      packets += 5;
    }
    assertThat(verdict).isEqualTo(Verdict.ENDED);
    assertThat(packets).isEqualTo(60);
  }
}
