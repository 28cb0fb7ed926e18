package ebb.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** On virtual time. */
class RateBudgetTest {
  private static final int READ_BYTES = 10_000;

  @Test
  void whoReadsByTheAnswersGetsTheRate() {
    RateBudget budget = new RateBudget(() -> 1_000_000);
    long now = 0;
    int reads = 0;
    while (now < 10_000_000) {
      now = budget.reserve(now, READ_BYTES);
      reads++;
    }
    // Ten seconds, and the burst at the beginning.
    assertThat((long) reads * READ_BYTES).isBetween(9_900_000L, 10_100_000L);
  }

  @Test
  void tenWhoWantAllGetATenthEach() {
    RateBudget budget = new RateBudget(() -> 1_000_000);
    long[] again = new long[10];
    int[] reads = new int[10];
    while (true) {
      int next = 0;
      for (int i = 1; i < again.length; i++) {
        next = again[i] < again[next] ? i : next;
      }
      if (again[next] > 10_000_000) {
        break;
      }
      again[next] = budget.reserve(again[next], READ_BYTES);
      reads[next]++;
    }
    assertThat(java.util.Arrays.stream(reads).boxed())
        .allMatch(count -> count >= 98 && count <= 104);
  }

  @Test
  void whatWasNotUsedIsKeptForAMomentOnly() {
    RateBudget budget = new RateBudget(() -> 1_000_000);
    budget.reserve(0, READ_BYTES);
    long later = 3_600_000_000L;
    assertThat(budget.reserve(later, READ_BYTES)).isLessThanOrEqualTo(later);
    assertThat(budget.reserve(later, 10 * READ_BYTES)).isBetween(later + 80_000, later + 100_000);
  }

  @Test
  void withoutARateNobodyWaits() {
    RateBudget budget = new RateBudget(() -> 0);
    assertThat(budget.reserve(5, Integer.MAX_VALUE)).isEqualTo(5);
    assertThat(budget.reserve(6, Integer.MAX_VALUE)).isEqualTo(6);
    assertThat(budget.quantumBytes(77)).isEqualTo(77);
  }

  @Test
  void aRateMayChange() {
    long[] rate = {1_000};
    RateBudget budget = new RateBudget(() -> rate[0]);
    long before = budget.reserve(0, 1_000);
    rate[0] = 0;
    assertThat(budget.reserve(10, 1_000)).isEqualTo(10).isLessThan(before);
  }
}
