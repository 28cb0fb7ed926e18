package ebb.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DescriptorsTest {
  @Test
  void whatIsLeftOfTheLimitIsTakenAndAReserveIsNot() {
    assertThat(Descriptors.atMost(8_192, 128, 1_024, 40)).isEqualTo(1_024 - 40 - 128);
    assertThat(Descriptors.atMost(100, 128, 1_024, 40)).isEqualTo(100);
    assertThat(Descriptors.atMost(8_192, 128, 100, 40)).as("never none").isEqualTo(1);
    assertThat(Descriptors.atMost(8_192, 128, Long.MAX_VALUE, 40)).isEqualTo(8_192);
    assertThat(Descriptors.atMost(8_192, 128, -1, 40)).as("no limit").isEqualTo(8_192);
  }
}
