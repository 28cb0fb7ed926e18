package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RivalDetectorTest {
  private static final long ROUND_MICROS = 50_000;
  private static final double ALONE_MICROS = 5_000;
  private static final double PACKET_MICROS = 1_000;

  private final RivalDetector rivals = new RivalDetector();
  private long nowMicros = 1_000_000;

  private void round(double queueMicros, boolean grew, boolean atFloor) {
    nowMicros += ROUND_MICROS;
    rivals.onRound(queueMicros, grew, atFloor, ALONE_MICROS, PACKET_MICROS, nowMicros);
  }

  private void queueThatGrowsAlthoughThisConnectionDoesNot() {
    rivals.restart();
    for (int queueMicros = 10_000; queueMicros <= 16_000; queueMicros += 1_000) {
      round(queueMicros, false, false);
    }
  }

  @Test
  void aQueueThatGrowsAlthoughThisConnectionDoesNotIsARivals() {
    assertThat(rivals.rivalry(nowMicros)).isZero();
    queueThatGrowsAlthoughThisConnectionDoesNot();
    assertThat(rivals.rivalry(nowMicros)).isEqualTo(1);
  }

  @Test
  void aQueueThatThisConnectionGrewIsNoRivals() {
    for (int queueMicros = 10_000; queueMicros <= 16_000; queueMicros += 1_000) {
      round(queueMicros, true, false);
    }
    assertThat(rivals.rivalry(nowMicros)).isZero();
  }

  @Test
  void aQueueOfWhatTwoConnectionsOfThisKindMakeIsNoRivals() {
    for (int queueMicros = 3_000; queueMicros <= 9_000; queueMicros += 1_000) {
      round(queueMicros, false, false);
    }
    assertThat(rivals.rivalry(nowMicros)).isZero();
  }

  @Test
  void aLossCountsOnlyWhenTheQueueIsAndWasMoreThanThisConnectionMakes() {
    round(ALONE_MICROS, false, false);
    assertThat(rivals.onLoss(2 * ALONE_MICROS, ALONE_MICROS, nowMicros)).isFalse();
    round(2 * ALONE_MICROS, false, false);
    assertThat(rivals.onLoss(1.2 * ALONE_MICROS, ALONE_MICROS, nowMicros)).isFalse();
    assertThat(rivals.rivalry(nowMicros)).isZero();
    assertThat(rivals.onLoss(2 * ALONE_MICROS, ALONE_MICROS, nowMicros)).isTrue();
    assertThat(rivals.rivalry(nowMicros + 2_000_000)).isEqualTo(1);
    assertThat(rivals.rivalry(nowMicros + 4_000_000)).isZero();
  }

  @Test
  void theVerdictHoldsForSixSecondsAndFadesForTwoMore() {
    queueThatGrowsAlthoughThisConnectionDoesNot();
    assertThat(rivals.rivalry(nowMicros + 6_000_000)).isEqualTo(1);
    assertThat(rivals.rivalry(nowMicros + 7_000_000)).isEqualTo(0.5);
    assertThat(rivals.rivalry(nowMicros + 8_000_000)).isZero();
  }

  @Test
  void moreThanARivalLeavesEndsTheVerdictAtOnce() {
    queueThatGrowsAlthoughThisConnectionDoesNot();
    rivals.onMuchLeft(1_000_000, nowMicros, nowMicros);
    assertThat(rivals.rivalry(nowMicros)).isZero();
  }

  @Test
  void aQuietQueueEndsTheVerdictOnceInThirtySeconds() {
    assertThat(rivals.onQuiet(nowMicros)).isFalse();
    queueThatGrowsAlthoughThisConnectionDoesNot();
    assertThat(rivals.onQuiet(nowMicros)).isTrue();
    assertThat(rivals.rivalry(nowMicros)).isZero();
    queueThatGrowsAlthoughThisConnectionDoesNot();
    assertThat(rivals.onQuiet(nowMicros)).isFalse();
    assertThat(rivals.rivalry(nowMicros)).isEqualTo(1);
    nowMicros += 30_000_000;
    queueThatGrowsAlthoughThisConnectionDoesNot();
    assertThat(rivals.onQuiet(nowMicros)).isTrue();
  }

  @Test
  void whatWasCarriedBeforeTheEvidenceSaysNothing() {
    queueThatGrowsAlthoughThisConnectionDoesNot();
    rivals.onMuchLeft(1_000_000, nowMicros - 1_000_000, nowMicros);
    assertThat(rivals.rivalry(nowMicros)).isEqualTo(1);
  }

  @Test
  void anEndThatWasWrongTakesAQuarterMoreTheNextTime() {
    queueThatGrowsAlthoughThisConnectionDoesNot();
    rivals.onMuchLeft(1_000_000, nowMicros, nowMicros);
    queueThatGrowsAlthoughThisConnectionDoesNot();
    rivals.onMuchLeft(1_200_000, nowMicros, nowMicros);
    assertThat(rivals.rivalry(nowMicros)).isEqualTo(1);
    rivals.onMuchLeft(1_300_000, nowMicros, nowMicros);
    assertThat(rivals.rivalry(nowMicros)).isZero();
  }

  @Test
  void anEndThatHeldForTenSecondsWasRight() {
    queueThatGrowsAlthoughThisConnectionDoesNot();
    rivals.onMuchLeft(1_000_000, nowMicros, nowMicros);
    nowMicros += 10_000_000;
    queueThatGrowsAlthoughThisConnectionDoesNot();
    rivals.onMuchLeft(1_000_000, nowMicros, nowMicros);
    assertThat(rivals.rivalry(nowMicros)).isZero();
  }

  @Test
  void aQueueThatStandsStillWhileThisConnectionSendsNextToNothingIsALongerPath() {
    for (int i = 0; i < 101; i++) {
      assertThat(rivals.takeLongerPathMicros(nowMicros)).isZero();
      round(100_000, false, true);
    }
    assertThat(rivals.takeLongerPathMicros(nowMicros)).isEqualTo(100_000);
    assertThat(rivals.takeLongerPathMicros(nowMicros)).isZero();
  }

  @Test
  void aQueueThatMovesIsNoLongerPath() {
    for (int i = 0; i < 200; i++) {
      round(i % 20 == 0 ? 90_000 : 100_000, false, true);
      assertThat(rivals.takeLongerPathMicros(nowMicros)).isZero();
    }
  }
}
