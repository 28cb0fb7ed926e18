package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.core.attempts.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewcomersTest {
  private static final long SECOND = 1_000_000;

  /** A transfer whose progress is known at one time in between. */
  private static Transfer transfer(long from, long middle, long moved, long to, long bytes) {
    Outcome outcome = new Outcome(from, to - from, 1, 0, 0, List.of(), null, "");
    return new Transfer(0, outcome, bytes, new long[] {middle}, new long[] {moved});
  }

  @Test
  void aNewcomerThatIsTwiceAsFastHasAnAdvantageOfOne() {
    // From second 5 to 10 the first moves 50 bytes, the newcomer 100.
    Transfer first = transfer(0, 5 * SECOND, 100, 10 * SECOND, 150);
    Transfer second = transfer(5 * SECOND, 10 * SECOND, 100, 20 * SECOND, 300);
    assertThat(Newcomers.advantage(List.of(second, first))).hasValueCloseTo(1.0, within(1e-9));
  }

  @Test
  void equalRatesAreNoAdvantage() {
    Transfer first = transfer(0, 5 * SECOND, 50, 10 * SECOND, 100);
    Transfer second = transfer(5 * SECOND, 10 * SECOND, 50, 15 * SECOND, 100);
    assertThat(Newcomers.advantage(List.of(first, second))).hasValueCloseTo(0.0, within(1e-9));
  }

  @Test
  void withoutOverlapNothingCanBeSaid() {
    Transfer first = transfer(0, SECOND, 50, 2 * SECOND, 100);
    Transfer second = transfer(5 * SECOND, 6 * SECOND, 50, 7 * SECOND, 100);
    assertThat(Newcomers.advantage(List.of(first, second))).isEmpty();
    assertThat(Newcomers.advantage(List.of(first))).isEmpty();
  }
}
