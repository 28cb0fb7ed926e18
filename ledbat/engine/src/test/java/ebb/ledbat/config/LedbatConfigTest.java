package ebb.ledbat.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LedbatConfigTest {
  private static LedbatConfigBuilder builder() {
    return LedbatConfig.defaults().toBuilder();
  }

  @Test
  void anUnknownControllerIsRefusedByBuildWithTheNamesThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(builder().controller("vegas")::build)
        .withMessage(
            "unknown congestion controller \"vegas\"; there is ledbat, ledbat++, dtl, scavenger");
    assertThatIllegalArgumentException()
        .isThrownBy(builder().controller("dtl:0.5")::build)
        .withMessageStartingWith("the weight of dtl must be 0");
  }

  @Test
  void targetIsResolvedForTheControllerAndKeptAsItWasChosen() {
    LedbatConfig own = builder().controller("ledbat++").build();
    assertThat(own.targetDelayMicros()).isZero();
    assertThat(own.parameters().targetDelayMicros()).isEqualTo(60_000);
    LedbatConfig chosen = own.toBuilder().targetDelayMicros(25_000).build();
    assertThat(chosen.targetDelayMicros()).isEqualTo(25_000);
    assertThat(chosen.parameters().targetDelayMicros()).isEqualTo(25_000);
    assertThat(chosen.toBuilder().targetDelayMicros(0).controller("dtl").build().parameters())
        .isEqualTo(LedbatConfig.defaults().parameters());
  }

  @Test
  void whatABuilderDoesLaterChangesNoConfiguration() {
    LedbatConfigBuilder builder = builder().maxConnections(5).maxHalfOpen(5);
    LedbatConfig built = builder.build();
    builder.maxConnections(7).controller("dtl");
    assertThat(built.maxConnections()).isEqualTo(5);
    assertThat(built.controller()).isEqualTo("ledbat");
    assertThat(built.toBuilder().build()).isEqualTo(built).hasSameHashCodeAs(built);
    assertThat(builder.build()).isNotEqualTo(built);
    assertThat(built).isNotEqualTo(LedbatConfig.defaults()).hasToString(built.toString());
  }

  @Test
  void valuesOutOfRangeAreNamedWithTheirRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(builder().targetDelayMicros(100_001)::build)
        .withMessage("targetDelayMicros must be between 0 and 100000: 100001");
    assertThatIllegalArgumentException()
        .isThrownBy(builder().gain(1.5)::build)
        .withMessage("gain must be above 0 and at most 1: 1.5");
    assertThatIllegalArgumentException()
        .isThrownBy(builder().baseHistoryMinutes(61)::build)
        .withMessage("baseHistoryMinutes must be between 1 and 60: 61");
    assertThatIllegalArgumentException()
        .isThrownBy(builder().maxHalfOpen(10_001)::build)
        .withMessage("maxHalfOpen must be between 1 and 10000: 10001");
  }

  @Test
  void theLongestTimeoutIsAtLeastAMinute() {
    // RFC 6817, 2.4.2: "A maximum value MAY be placed on the CTO, and if placed, it MUST be at
    // least
    // 60 seconds."
    LedbatConfigBuilder builder = LedbatConfig.defaults().toBuilder();
    assertThat(builder.maxRtoMicros(60_000_000).build().maxRtoMicros()).isEqualTo(60_000_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxRtoMicros(59_999_999).build())
        .withMessageContaining("maxRtoMicros");
  }

  @Test
  void theFirstTimeoutAndTheShortestAreASecondUnlessConfigured() {
    // BEP 29, timeouts: "The initial timeout is set to 1000 milliseconds"
    // RFC 6298, 2.1: "the sender SHOULD set RTO <- 1 second"
    // RFC 6298, 2.4: "the RTO SHOULD be rounded up to 1 second."
    LedbatConfig config = LedbatConfig.defaults();
    assertThat(config.initialRtoMicros()).isEqualTo(1_000_000);
    assertThat(config.minRtoMicros()).isEqualTo(1_000_000);
  }

  @Test
  void theFirstDatagramsAreOfTwelveHundredBytes() {
    // RFC 8899, 5.1.2: "a default BASE_PLPMTU of 1200 bytes is RECOMMENDED."
    assertThat(LedbatConfig.defaults().initialDatagramBytes()).isEqualTo(1_200);
  }
}
