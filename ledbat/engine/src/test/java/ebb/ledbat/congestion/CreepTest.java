package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CreepTest {
  private static final double GOAL = 1_600_000;
  private static final double BETWEEN_LOSSES = 100;
  private static final long QUIET_MICROS = 1_000;

  private final Creep creep = new Creep();
  private long nowMicros = 1_000_000;

  private void begin() {
    creep.onRival(nowMicros);
    waitUntilDue();
    creep.begin(GOAL, BETWEEN_LOSSES, nowMicros);
  }

  /** How long it was until the next may begin. */
  private long waitUntilDue() {
    long since = nowMicros;
    while (!creep.isDue(nowMicros)) {
      nowMicros += 100_000;
    }
    return nowMicros - since;
  }

  private boolean round(double packets, boolean lost, long queueMicros) {
    nowMicros += 50_000;
    return creep.onRound(packets, lost, queueMicros, QUIET_MICROS, nowMicros);
  }

  /** So many rounds of ten packets that all arrive; what the last one says. */
  private boolean calmRounds(int rounds) {
    boolean free = false;
    for (int i = 0; i < rounds; i++) {
      assertThat(free).isFalse();
      free = round(10, false, 0);
    }
    return free;
  }

  @Test
  void eachStepTakesThreeTimesWhatATcpSendsBetweenLosses() {
    begin();
    for (double part = 1.0 / 16; part < 0.5; part *= 2) {
      assertThat(creep.bytesPerSecond()).isEqualTo(part * GOAL);
      assertThat(calmRounds(29)).isFalse();
      assertThat(creep.bytesPerSecond()).isEqualTo(part * GOAL);
      assertThat(calmRounds(1)).isFalse();
    }
    assertThat(creep.bytesPerSecond()).isEqualTo(GOAL / 2);
    assertThat(calmRounds(30)).isTrue();
  }

  @Test
  void oneLossEndsItAndTheNextIsFourTimesAsFarAsItWasLong() {
    begin();
    calmRounds(80);
    assertThat(round(10, true, 0)).isFalse();
    assertThat(creep.bytesPerSecond()).isZero();
    assertThat(waitUntilDue()).isBetween(16_100_000L, 16_300_000L);
    creep.begin(GOAL, BETWEEN_LOSSES, nowMicros);
    round(10, true, 0);
    assertThat(waitUntilDue()).isEqualTo(10_000_000);
  }

  @Test
  void aQueueThatStaysEndsItAndOneLatePacketDoesNot() {
    begin();
    round(1, false, 5 * QUIET_MICROS);
    calmRounds(20);
    assertThat(creep.bytesPerSecond()).isPositive();
    for (int i = 0; i < 30; i++) {
      round(1, false, 2 * QUIET_MICROS);
    }
    assertThat(creep.bytesPerSecond()).isZero();
  }

  @Test
  void whatACommonLookLostIsNotCounted() {
    begin();
    creep.onLookEnd();
    round(10, true, 0);
    round(10, true, 0);
    assertThat(creep.bytesPerSecond()).isPositive();
    round(10, true, 0);
    assertThat(creep.bytesPerSecond()).isZero();
  }

  @Test
  void whereItWasRightTheNextIsSoonerAndBeginsWithMoreUntilItIsNot() {
    begin();
    assertThat(calmRounds(120)).isTrue();
    creep.stop();
    creep.onRival(nowMicros);
    assertThat(waitUntilDue()).isEqualTo(5_000_000);
    creep.begin(GOAL, BETWEEN_LOSSES, nowMicros);
    assertThat(creep.bytesPerSecond()).isEqualTo(GOAL / 8);
    round(10, true, 0);
    assertThat(waitUntilDue()).isEqualTo(10_000_000);
    creep.begin(GOAL, BETWEEN_LOSSES, nowMicros);
    assertThat(creep.bytesPerSecond()).isEqualTo(GOAL / 16);
  }

  @Test
  void aFewPacketsProveNothingWhereATcpLosesOften() {
    creep.onRival(nowMicros);
    waitUntilDue();
    creep.begin(GOAL, 1, nowMicros);
    calmRounds(2);
    assertThat(creep.bytesPerSecond()).isEqualTo(GOAL / 16);
    calmRounds(1);
    assertThat(creep.bytesPerSecond()).isEqualTo(GOAL / 8);
  }
}
