package ebb.net.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ToldArrivalsTest {
  private static final long REPORT_MICROS = 100_000;

  private final ToldArrivals told = new ToldArrivals();

  @Test
  void nothingIsKnownBeforeItIsTold() {
    told.begin(1_000);
    assertThat(told.knows(1_000)).isTrue();
    assertThat(told.knows(1_001)).isFalse();
    told.add(2_000, 500, false);
    assertThat(told.knows(2_000)).isTrue();
    assertThat(told.knows(2_001)).isFalse();
    told.add(2_500, 700, true);
    assertThat(told.knows(Long.MAX_VALUE)).isTrue();
    assertThat(told.at(Long.MAX_VALUE)).isEqualTo(700);
  }

  @Test
  void betweenTwoReportsItCameEvenly() {
    told.begin(0);
    told.add(100, 1_000, false);
    told.add(200, 1_000, false);
    told.add(300, 4_000, false);
    assertThat(told.at(0)).isZero();
    assertThat(told.at(50)).isEqualTo(500);
    assertThat(told.at(60)).isEqualTo(600);
    assertThat(told.at(200)).isEqualTo(1_000);
    assertThat(told.at(250)).isEqualTo(2_500);
    assertThat(told.at(250)).isEqualTo(2_500);
    assertThat(told.at(300)).isEqualTo(4_000);
    assertThat(told.at(400)).isEqualTo(4_000);
  }

  @Test
  void whatIsToldOutOfTurnTakesNothingBack() {
    told.begin(0);
    told.add(100, 1_000, false);
    told.add(90, 900, false);
    told.add(110, 800, false);
    assertThat(told.at(110)).isEqualTo(1_000);
    // The last words are older than the report before them, and know more.
    told.add(105, 1_200, true);
    assertThat(told.at(Long.MAX_VALUE)).isEqualTo(1_200);
  }

  @Test
  void whenTheLastByteCameIsKnown() {
    told.begin(0);
    told.add(100, 1_000, false);
    told.add(200, 2_000, false);
    told.add(300, 2_000, false);
    assertThat(told.lastMicros()).isEqualTo(200);
    told.add(140, 2_000, true);
    assertThat(told.lastMicros()).isEqualTo(140);
  }

  @Test
  void aLastByteThatWasNeverReadCameWithTheReportThatHadIt() {
    told.begin(0);
    told.add(100, 1_000, false);
    told.add(200, 2_000, false);
    told.add(90, 900, true);
    assertThat(told.lastMicros()).isEqualTo(200);
  }

  /** Reports at any times, intervals at others: no interval is faster than the path ever was. */
  @Test
  void noIntervalIsFasterThanThePath() {
    Random random = new Random(21);
    for (int trial = 0; trial < 200; trial++) {
      ToldArrivals arrivals = new ToldArrivals();
      arrivals.begin(0);
      long at = 0;
      long bytes = 0;
      long from = 0;
      long before = 0;
      for (int report = 0; report < 50; report++) {
        long micros = REPORT_MICROS / 2 + random.nextInt((int) REPORT_MICROS);
        at += micros;
        // At most two bytes a microsecond.
        bytes += random.nextInt((int) (2 * micros) + 1);
        arrivals.add(at, bytes, false);
        long to = at - random.nextInt((int) REPORT_MICROS / 2);
        if (to > from && arrivals.knows(to)) {
          long came = arrivals.at(to);
          assertThat(came - before).isBetween(0L, 2 * (to - from) + 1);
          from = to;
          before = came;
        }
      }
    }
  }
}
