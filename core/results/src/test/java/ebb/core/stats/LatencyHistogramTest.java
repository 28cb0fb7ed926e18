package ebb.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
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

  @Test
  void itsNumbersMakeTheSameHistogramElsewhereAndJoinExactly() {
    LatencyHistogram all = new LatencyHistogram();
    LatencyHistogram joined = new LatencyHistogram();
    for (int part = 0; part < 3; part++) {
      LatencyHistogram one = new LatencyHistogram();
      for (long i = 0; i < 10_000; i++) {
        long micros = (i * i * 31 + part) % 5_000_000;
        one.recordMicros(micros);
        all.recordMicros(micros);
      }
      one.recordMicros(LatencyHistogram.MAX_MICROS + 1);
      all.recordMicros(LatencyHistogram.MAX_MICROS + 1);
      joined.add(LatencyHistogram.ofNumbers(one.numbers()));
    }
    assertThat(joined.numbers()).isEqualTo(all.numbers());
    for (double percent : new double[] {0, 1, 50, 90, 99, 99.9, 100}) {
      assertThat(joined.percentileMicros(percent)).isEqualTo(all.percentileMicros(percent));
    }
    assertThat(joined.meanMicros()).isEqualTo(all.meanMicros());
    assertThat(joined.clampedCount()).isEqualTo(3);
    LatencyHistogram none = LatencyHistogram.ofNumbers(new LatencyHistogram().numbers());
    assertThat(none.count()).isZero();
    assertThat(none.maxMicros()).isNaN();
  }

  @Test
  void numbersOfNoHistogramAreRefused() {
    List<Long> good = List.of(5L, 5L, 5L, 0L, 5L, 1L);
    assertThat(LatencyHistogram.ofNumbers(good).count()).isEqualTo(1);
    for (int at = 0; at < good.size(); at++) {
      List<Long> bad = new ArrayList<>(good);
      bad.set(at, -1L);
      assertThatIllegalArgumentException().isThrownBy(() -> LatencyHistogram.ofNumbers(bad));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyHistogram.ofNumbers(good.subList(0, 5)));
    assertThatIllegalArgumentException().isThrownBy(() -> LatencyHistogram.ofNumbers(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyHistogram.ofNumbers(List.of(1L, 1L, 1L, 0L, 1L, Long.MAX_VALUE)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyHistogram.ofNumbers(List.of(1L, 1L, 1L, 0L, 1L << 60, 1L)));
  }
}
