package ebb.ledbat.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** What of the documents is in the values that connections may have. */
class LedbatConfigTest {
  private static final long SECOND = 1_000_000;

  @Test
  void theLongestTimeoutIsAtLeastAMinute() {
    // RFC 6817, 2.4.2: "A maximum value MAY be placed on the CTO, and if placed, it MUST be at
    // least 60 seconds."
    LedbatConfigBuilder builder = LedbatConfig.defaults().toBuilder();
    assertThat(builder.maxRtoMicros(60 * SECOND).build().maxRtoMicros()).isEqualTo(60 * SECOND);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxRtoMicros(60 * SECOND - 1).build())
        .withMessageContaining("maxRtoMicros");
  }

  @Test
  void theFirstTimeoutAndTheShortestAreASecondUnlessConfigured() {
    // BEP 29, timeouts: "The initial timeout is set to 1000 milliseconds"
    // RFC 6298, 2.1: "the sender SHOULD set RTO <- 1 second"
    // RFC 6298, 2.4: "the RTO SHOULD be rounded up to 1 second."
    LedbatConfig config = LedbatConfig.defaults();
    assertThat(config.initialRtoMicros()).isEqualTo(SECOND);
    assertThat(config.minRtoMicros()).isEqualTo(SECOND);
  }

  @Test
  void theFirstDatagramsAreOfTwelveHundredBytes() {
    // RFC 8899, 5.1.2: "a default BASE_PLPMTU of 1200 bytes is RECOMMENDED."
    assertThat(LedbatConfig.defaults().initialDatagramBytes()).isEqualTo(1_200);
  }
}
