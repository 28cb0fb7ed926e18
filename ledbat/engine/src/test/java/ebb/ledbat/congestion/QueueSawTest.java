package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueSawTest {
  private static final double RATE = 1_000_000;
  private static final double LEAST_MICROS = 3_000;
  private static final double WINDOW = 50_000;

  private final QueueSaw saw = new QueueSaw();
  private static final long RTT_MICROS = 50_000;

  private int teeth;
  private long nowMicros;
  private long toothMicros;
  private double carried = RATE;
  private boolean holdsBack;

  private void round(double queueMicros, double cwndBytes) {
    nowMicros += RTT_MICROS;
    var sent = new QueueSaw.Sent(cwndBytes, RATE, carried, holdsBack);
    long micros = saw.onRound(queueMicros, LEAST_MICROS, sent, nowMicros);
    if (micros > 0) {
      teeth++;
      toothMicros = micros;
    }
  }

  private void rounds(int count, double queueMicros, double cwndBytes) {
    for (int i = 0; i < count; i++) {
      round(queueMicros, cwndBytes);
    }
  }

  /** The queue empties, and climbs back while this connection's window grows. */
  private void tooth(double heightMicros, int shortRounds, double grownBy) {
    rounds(10, heightMicros, WINDOW);
    for (int i = 1; i <= shortRounds; i++) {
      double part = i <= shortRounds - 2 ? 0.2 : 0.5;
      round(part * heightMicros, WINDOW * (1 + grownBy * i / shortRounds));
    }
    round(0.9 * heightMicros, WINDOW * (1 + grownBy));
  }

  @Test
  void aTcpsTeethAreCountedOneByOne() {
    for (int i = 1; i <= 3; i++) {
      tooth(5_800, 10, 0.15);
      assertThat(teeth).isEqualTo(i);
    }
  }

  @Test
  void aToothLastsFromEmptyToFull() {
    tooth(5_800, 10, 0.15);
    assertThat(toothMicros).isEqualTo(10 * RTT_MICROS);
  }

  @Test
  void whoStopsForARoundTripOrTwoIsOfItsKind() {
    tooth(5_800, 2, 0.15);
    assertThat(teeth).isZero();
  }

  /** Rounds of 4.6, 1.7, 2.3 and 4.6 ms, in which the window hardly moves. */
  private void smallTooth() {
    rounds(4, 4_600, WINDOW);
    round(1_700, WINDOW);
    rounds(2, 2_300, 1.02 * WINDOW);
    round(4_600, 1.02 * WINDOW);
  }

  @Test
  void whoTakesASmallPartOfTheLinkHasSmallTeeth() {
    carried = RATE / 0.88;
    smallTooth();
    assertThat(teeth).isEqualTo(1);
  }

  @Test
  void wholeLinksAndHalvesOfThemAreNobodysSmallTeeth() {
    for (double part : new double[] {1, 0.95, 0.5, 0.1}) {
      carried = RATE / part;
      smallTooth();
    }
    holdsBack = true;
    carried = RATE / 0.88;
    smallTooth();
    assertThat(teeth).isZero();
  }

  @Test
  void aHostThatIsLateMakesTheQueueLeap() {
    tooth(5_800, 10, 0.15);
    rounds(10, 1_100, 1.2 * WINDOW);
    round(5_800, WINDOW);
    assertThat(teeth).isEqualTo(1);
  }

  @Test
  void whoseWindowHardlyMovesIsAloneOnAPathThatVaries() {
    tooth(5_800, 10, 0.05);
    assertThat(teeth).isZero();
  }

  @Test
  void aQueueThatIsShortAnywayTellsNothing() {
    tooth(2_900, 10, 0.15);
    assertThat(teeth).isZero();
  }

  @Test
  void whatItsOwnLowerWindowTookOutIsNobodysTooth() {
    rounds(10, 5_800, WINDOW);
    // 4 ms less of window explain 4.6 ms less of queue.
    rounds(10, 1_200, WINDOW - 4_000);
    rounds(2, 3_000, WINDOW);
    round(5_800, 1.1 * WINDOW);
    assertThat(teeth).isZero();
  }

  @Test
  void whoLeavesDoesNotComeBack() {
    rounds(10, 5_800, WINDOW);
    rounds(110, 1_000, 1.1 * WINDOW);
    rounds(2, 3_000, 1.1 * WINDOW);
    rounds(10, 5_800, WINDOW);
    assertThat(teeth).isZero();
  }

  @Test
  void heightIsForgottenLittleByLittle() {
    round(12_000, WINDOW); // Somebody's beginning.
    rounds(60, 5_800, WINDOW);
    assertThat(teeth).isZero();
    tooth(5_800, 10, 0.15);
    assertThat(teeth).isEqualTo(1);
  }

  @Test
  void afterAStopTheNextRoundIsComparedWithNothing() {
    rounds(10, 5_800, WINDOW);
    saw.restart();
    rounds(10, 1_000, 1.1 * WINDOW);
    rounds(2, 3_000, 1.1 * WINDOW);
    round(5_800, 1.2 * WINDOW);
    assertThat(teeth).isZero();
  }
}
