package ebb.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class LatencyHistogramTest {
  @Test
  void countsHowManyWereAtMostSoLong() {
    LatencyHistogram histogram = new LatencyHistogram();
    for (long micros : new long[] {0, 10, 10, 500, 2 * LatencyHistogram.MAX_MICROS}) {
      histogram.recordMicros(micros);
    }
    assertThat(histogram.countAtMost(0)).isEqualTo(1);
    assertThat(histogram.countAtMost(9)).isEqualTo(1);
    assertThat(histogram.countAtMost(10)).isEqualTo(3);
    assertThat(histogram.countAtMost(1_000)).isEqualTo(4);
    assertThat(histogram.countAtMost(Long.MAX_VALUE)).isEqualTo(5);
    assertThat(new LatencyHistogram().countAtMost(5)).isZero();
  }

  @Test
  void percentilesAreRightToThreeDigits() {
    LatencyHistogram histogram = new LatencyHistogram();
    for (int i = 1; i <= 100_000; i++) {
      histogram.recordMicros(i);
    }
    assertThat(histogram.count()).isEqualTo(100_000);
    assertThat(histogram.percentileMicros(50)).isBetween(50_000.0, 50_050.0);
    assertThat(histogram.percentileMicros(99)).isBetween(99_000.0, 99_099.0);
    assertThat(histogram.meanMicros()).isCloseTo(50_000.5, within(1e-6));
  }

  @Test
  void extremesAreExact() {
    LatencyHistogram histogram = new LatencyHistogram();
    histogram.recordMicros(1_234_567);
    histogram.recordMicros(7_654_321);
    assertThat(histogram.minMicros()).isEqualTo(1_234_567);
    assertThat(histogram.maxMicros()).isEqualTo(7_654_321);
    assertThat(histogram.percentileMicros(0)).isEqualTo(1_234_567, within(1_235.0));
    assertThat(histogram.percentileMicros(100)).isEqualTo(7_654_321);
  }

  @Test
  void nothingCountedIsNotZero() {
    LatencyHistogram histogram = new LatencyHistogram();
    assertThat(histogram.count()).isZero();
    assertThat(histogram.minMicros()).isNaN();
    assertThat(histogram.maxMicros()).isNaN();
    assertThat(histogram.meanMicros()).isNaN();
    assertThat(histogram.percentileMicros(50)).isNaN();
  }

  @Test
  void whatIsTooLongIsCountedAndSaid() {
    LatencyHistogram histogram = new LatencyHistogram();
    histogram.recordMicros(LatencyHistogram.MAX_MICROS);
    histogram.recordMicros(LatencyHistogram.MAX_MICROS + 1);
    histogram.recordMicros(Long.MAX_VALUE);
    assertThat(histogram.count()).isEqualTo(3);
    assertThat(histogram.clampedCount()).isEqualTo(2);
    assertThat(histogram.maxMicros()).isEqualTo(LatencyHistogram.MAX_MICROS);
  }

  @Test
  void histogramsOfTwoThreadsAddUp() {
    LatencyHistogram one = new LatencyHistogram();
    one.recordMicros(10);
    LatencyHistogram other = new LatencyHistogram();
    other.recordMicros(5);
    other.recordMicros(Long.MAX_VALUE);
    one.add(other);
    one.add(new LatencyHistogram());
    assertThat(one.count()).isEqualTo(3);
    assertThat(one.minMicros()).isEqualTo(5);
    assertThat(one.percentileMicros(50)).isEqualTo(10);
    assertThat(one.clampedCount()).isEqualTo(1);
  }

  @Test
  void nonsenseIsRefused() {
    LatencyHistogram histogram = new LatencyHistogram();
    assertThatIllegalArgumentException().isThrownBy(() -> histogram.recordMicros(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> histogram.percentileMicros(-1));
    assertThat(histogram.count()).isZero();
  }
}
