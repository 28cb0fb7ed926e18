package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CurrentDelayFilterTest {
  private static final long RTT = 50_000;

  private final CurrentDelayFilter filter = new CurrentDelayFilter(4);

  @Test
  void r6_withoutASampleThereIsNoCurrentDelay() {
    assertThat(filter.minimumMicros(0, RTT)).isEqualTo(CurrentDelayFilter.NONE);
  }

  @Test
  void r6_theSmallestOfTheLastFourSamplesCounts() {
    filter.onSample(30, 1);
    filter.onSample(10, 2);
    filter.onSample(40, 3);
    filter.onSample(20, 4);
    assertThat(filter.minimumMicros(4, RTT)).isEqualTo(10);
    filter.onSample(50, 5);
    assertThat(filter.minimumMicros(5, RTT)).isEqualTo(10);
    filter.onSample(60, 6);
    assertThat(filter.minimumMicros(6, RTT)).isEqualTo(20);
    filter.onSample(70, 7);
    filter.onSample(80, 8);
    assertThat(filter.minimumMicros(8, RTT)).isEqualTo(50);
  }

  @Test
  void r6_fewerSamplesAreEnoughWhereTheWindowIsSmall() {
    filter.onSample(30, 1);
    assertThat(filter.minimumMicros(1, RTT)).isEqualTo(30);
    filter.onSample(35, 2);
    assertThat(filter.minimumMicros(2, RTT)).isEqualTo(30);
  }

  @Test
  void r6_aSampleOlderThanOneRoundTripDoesNotCount() {
    filter.onSample(10, 0);
    filter.onSample(30, 20_000);
    assertThat(filter.minimumMicros(RTT, RTT)).isEqualTo(10);
    assertThat(filter.minimumMicros(RTT + 1, RTT)).isEqualTo(30);
    assertThat(filter.minimumMicros(20_000 + RTT, RTT)).isEqualTo(30);
    assertThat(filter.minimumMicros(20_001 + RTT, RTT)).isEqualTo(CurrentDelayFilter.NONE);
  }

  @Test
  void r6_oneSpikeAmongFourSamplesIsFilteredOut() {
    for (long delay : new long[] {20, 900, 22, 21}) {
      filter.onSample(delay, 0);
    }
    assertThat(filter.minimumMicros(0, RTT)).isEqualTo(20);
  }

  @Test
  void r6_aLastingRiseShowsAfterFourSamples() {
    for (int i = 0; i < 4; i++) {
      filter.onSample(20, i);
    }
    for (int i = 4; i < 7; i++) {
      filter.onSample(300, i);
      assertThat(filter.minimumMicros(i, RTT)).isEqualTo(20);
    }
    filter.onSample(300, 7);
    assertThat(filter.minimumMicros(7, RTT)).isEqualTo(300);
  }

  @Test
  void aFilterOfOneIsNoFilter() {
    CurrentDelayFilter none = new CurrentDelayFilter(1);
    none.onSample(10, 0);
    none.onSample(90, 1);
    assertThat(none.minimumMicros(1, RTT)).isEqualTo(90);
    none.onSample(-90, 2);
    assertThat(none.minimumMicros(2, RTT)).isEqualTo(-90);
  }

  @Test
  void samplesBeforeTheOriginOfTheClockAgeTheSame() {
    filter.onSample(10, -30_000);
    assertThat(filter.minimumMicros(20_000, RTT)).isEqualTo(10);
    assertThat(filter.minimumMicros(20_001, RTT)).isEqualTo(CurrentDelayFilter.NONE);
  }
}
