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
    // least
    // 60 seconds."
    LedbatConfigBuilder builder = LedbatConfig.defaults().toBuilder();
    assertThat(builder.maxRtoMicros(60 * SECOND).build().maxRtoMicros()).isEqualTo(60 * SECOND);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxRtoMicros(60 * SECOND - 1).build())
        .withMessageContaining("maxRtoMicros");
  }

  @Test
  void theFirstTimeoutAndTheShortestAreASecondUnlessConfigured() {
    // RFC 6298, 2.1: "the sender SHOULD set RTO <- 1 second"
    // RFC 6298, 2.4: "the RTO SHOULD be rounded up to 1 second."
    LedbatConfig config = LedbatConfig.defaults();
    assertThat(config.initialRtoMicros()).isEqualTo(SECOND);
    assertThat(config.minRtoMicros()).isEqualTo(SECOND);
  }
}
