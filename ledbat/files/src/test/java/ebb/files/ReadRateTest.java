package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadRateTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void whatIsReadTakesTheTimeOfTheRate() {
    ReadRate rate = new ReadRate(1_000_000);
    long now = 5 * SECOND;
    long start = now;
    for (int i = 0; i < 1_000; i++) {
      now += rate.waitNanos(50_000, now);
    }

    assertThat(now - start).isBetween(49_900_000_000L, 50 * SECOND);
  }

  @Test
  void sessionsShareIt() {
    ReadRate rate = new ReadRate(1_000);
    rate.waitNanos(100, 0);

    assertThat(rate.waitNanos(1_000, 0)).isEqualTo(SECOND);
    assertThat(rate.waitNanos(1_000, 0)).isEqualTo(2 * SECOND);
  }

  @Test
  void aPauseIsMadeUpForByATenthOfASecondAtMost() {
    ReadRate rate = new ReadRate(1_000_000);
    rate.waitNanos(1, 0);

    assertThat(rate.waitNanos(1_000_000, 1_000 * SECOND)).isEqualTo(SECOND * 9 / 10);
  }

  @Test
  void withoutABoundNothingWaits() {
    assertThat(new ReadRate(0).waitNanos(Integer.MAX_VALUE, 0)).isZero();
  }

  @Test
  void theWindowIsAQuarterOfASecondWithinBounds() {
    assertThat(ReadRate.windowBytes(0, 1 << 20)).isEqualTo(1 << 20);
    assertThat(ReadRate.windowBytes(2_500_000, 1 << 20)).isEqualTo(625_000);
    assertThat(ReadRate.windowBytes(1_000, 1 << 20)).isEqualTo(64 << 10);
    assertThat(ReadRate.windowBytes(1L << 40, 1 << 20)).isEqualTo(1 << 20);
  }
}
