package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void whatAnOperationMovedIsSpreadEvenlyOverItsTime() {
    Spread spread = new Spread();
    spread.add(0, 10_000, 1_000);
    spread.add(5_000, 15_000, 2_000);
    Spread.Sum half = spread.between(5_000, 10_000);
    assertThat(half.bytes()).isCloseTo(500 + 1_000, within(1e-6));
    assertThat(half.operations()).isCloseTo(1, within(1e-9));
    assertThat(spread.between(-5, 1_000_000).bytes()).isCloseTo(3_000, within(1e-6));
    assertThat(spread.between(20_000, 30_000).bytes()).isZero();
    assertThat(spread.between(10_000, 5_000).operations()).isZero();
  }

  @Test
  void anInstantIsAMicrosecond() {
    Spread spread = new Spread();
    spread.add(7, 7, 5);
    assertThat(spread.between(7, 8).bytes()).isCloseTo(0.005, within(1e-9));
    assertThat(spread.between(0, 1_000).operations()).isCloseTo(1, within(1e-9));
  }

  @Test
  void binsGrowWithTheTimeAndKeepTheSums() {
    Spread spread = new Spread();
    long hour = 3_600_000_000L;
    for (long at = 0; at < hour; at += 60_000_000) {
      spread.add(at, at + 60_000_000, 60);
    }
    assertThat(spread.between(0, hour).bytes()).isCloseTo(3_600, within(1e-6));
    // A bin is a tenth of a second then.
    assertThat(spread.between(hour / 4, hour / 2).bytes()).isCloseTo(900, within(0.2));
    assertThat(spread.between(0, hour).operations()).isCloseTo(60, within(1e-6));
  }
}
