package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentMinimumTest {
  private static final long SPAN_MICROS = 1_000;

  private final RecentMinimum recent = new RecentMinimum();

  @Test
  void aBurstThatIsLateInAWholeDoesNotShow() {
    assertThat(recent.add(20, SPAN_MICROS, 0)).isEqualTo(20);
    for (long at = 100; at <= 500; at += 50) {
      assertThat(recent.add(500, SPAN_MICROS, at)).as("at %d", at).isEqualTo(20);
    }
    assertThat(recent.add(30, SPAN_MICROS, 1_100)).isEqualTo(30);
  }

  @Test
  void whatStaysShowsAfterTheSpan() {
    assertThat(recent.add(20, SPAN_MICROS, 0)).isEqualTo(20);
    assertThat(recent.add(500, SPAN_MICROS, 499)).isEqualTo(20);
    assertThat(recent.add(500, SPAN_MICROS, 999)).isEqualTo(20);
    assertThat(recent.add(500, SPAN_MICROS, 1_499)).isEqualTo(500);
  }

  @Test
  void lessShowsAtOnce() {
    assertThat(recent.add(500, SPAN_MICROS, 0)).isEqualTo(500);
    assertThat(recent.add(20, SPAN_MICROS, 10)).isEqualTo(20);
  }

  @Test
  void afterAPauseOnlyTheNewCounts() {
    assertThat(recent.add(20, SPAN_MICROS, 0)).isEqualTo(20);
    assertThat(recent.add(500, SPAN_MICROS, 1_000)).isEqualTo(500);
  }

  @Test
  void withoutASpanEachValueStandsAlone() {
    assertThat(recent.add(20, 0, 0)).isEqualTo(20);
    assertThat(recent.add(500, 0, 0)).isEqualTo(500);
  }
}
