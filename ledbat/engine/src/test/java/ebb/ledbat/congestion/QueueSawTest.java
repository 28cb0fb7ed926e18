package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueSawTest {
  private static final double RATE = 1_000_000;
  private static final double LEAST_MICROS = 3_000;
  private static final double WINDOW = 50_000;

  private final QueueSaw saw = new QueueSaw();
  private int teeth;

  private void round(double queueMicros, double cwndBytes) {
    if (saw.onRound(queueMicros, LEAST_MICROS, cwndBytes, RATE)) {
      teeth++;
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
  void whoStopsForARoundTripOrTwoIsOfItsKind() {
    tooth(5_800, 2, 0.15);
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
