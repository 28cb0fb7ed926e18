package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How far back a sender's use of its window counts. */
class FlightPeakTest {
  private static final long SECOND = 1_000_000;

  @Test
  void thePeakIsForgottenAfterOneToTwoPeriodsOfAtLeastASecond() {
    // RFC 7661, 4.2: "the pipeACK Sampling Period as Max(3*RTT, 1 second)."
    for (long rtt : new long[] {10_000, 2 * SECOND}) {
      long period = Math.max(3 * rtt, SECOND);
      FlightPeak peak = new FlightPeak();
      assertThat(peak.update(900, rtt, 100 * SECOND)).isEqualTo(900);
      assertThat(peak.update(100, rtt, 100 * SECOND + period - 1)).isEqualTo(900);
      assertThat(peak.update(100, rtt, 100 * SECOND + 2 * period)).isEqualTo(100);
    }
  }

  @Test
  void itIsNoMoreThanTheLargest() {
    // RFC 7661, 4.2: "The value of the pipeACK variable MUST NOT exceed the maximum (highest value)
    // within the pipeACK Sampling Period."
    FlightPeak peak = new FlightPeak();
    assertThat(peak.update(100, SECOND, 0)).isEqualTo(100);
    assertThat(peak.update(300, SECOND, 1)).isEqualTo(300);
    assertThat(peak.update(200, SECOND, 2)).isEqualTo(300);
  }
}
