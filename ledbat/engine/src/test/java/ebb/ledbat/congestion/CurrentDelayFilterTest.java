package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CurrentDelayFilterTest {
  private static final long RTT = 50_000;

  private final CurrentDelayFilter filter = new CurrentDelayFilter(4);

  @Test
  void withoutASampleThereIsNoCurrentDelay() {
    // RFC 6817, 2.4.2: "initialize elements in current_delays according to FILTER()"
    assertThat(filter.minimumMicros(0, RTT)).isEqualTo(CurrentDelayFilter.NONE);
  }

  @Test
  void theSmallestOfTheLastFourSamplesCounts() {
    // RFC 6817, 2.5: "the sender SHOULD use at least 4 delay samples in each RTT"
    // RFC 6817, 2.4.2: "Different types of filters MAY be used for FILTER()"
    // RFC 6817, 2.4.2: "delete first item in current_delays list; append delay to current_delays
    // list"
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
  void fewerSamplesAreEnoughWhereTheWindowIsSmall() {
    // RFC 6817, 2.5: "unless the number of samples is lower due to a small congestion window."
    filter.onSample(30, 1);
    assertThat(filter.minimumMicros(1, RTT)).isEqualTo(30);
    filter.onSample(35, 2);
    assertThat(filter.minimumMicros(2, RTT)).isEqualTo(30);
  }

  @Test
  void aSampleOlderThanOneRoundTripDoesNotCount() {
    // RFC 6817, 2.5: "CURRENT_FILTER MUST be limited such that samples in the list are not older
    // than an RTT in the past."
    filter.onSample(10, 0);
    filter.onSample(30, 20_000);
    assertThat(filter.minimumMicros(RTT, RTT)).isEqualTo(10);
    assertThat(filter.minimumMicros(RTT + 1, RTT)).isEqualTo(30);
    assertThat(filter.minimumMicros(20_000 + RTT, RTT)).isEqualTo(30);
    assertThat(filter.minimumMicros(20_001 + RTT, RTT)).isEqualTo(CurrentDelayFilter.NONE);
  }

  @Test
  void oneSpikeAmongFourSamplesIsFilteredOut() {
    // RFC 6817, 2.4.2: "A simple MIN filter applied over a small window (much smaller than
    // BASE_HISTORY) may also provide robustness to large delay peaks"
    for (long delay : new long[] {20, 900, 22, 21}) {
      filter.onSample(delay, 0);
    }
    assertThat(filter.minimumMicros(0, RTT)).isEqualTo(20);
  }

  @Test
  void aLastingRiseShowsAfterFourSamples() {
    // RFC 6817, 2.4.2: "remains sensitive to persistent congestion signals."
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
