package ebb.storage.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockReadingTest {
  @Test
  void theFastestExchangeCountsAndHalfOfItIsWhatMayBeWrong() {
    ClockReading slow = ClockReading.NONE.or(1_000, 2_000, 900_000, 51_500, 899_000);
    assertThat(slow.laterMicros()).isEqualTo(50_000);
    assertThat(slow.errorMicros()).isEqualTo(500);
    assertThat(slow.wallMicros()).isEqualTo(-500);
    ClockReading fast = slow.or(3_000, 3_101, 902_000, 53_040, 901_000);
    assertThat(fast.laterMicros()).isEqualTo(49_990);
    assertThat(fast.errorMicros()).isEqualTo(51);
    assertThat(fast.or(4_000, 4_102, 903_000, 99_999, 0)).isEqualTo(fast);
  }
}
