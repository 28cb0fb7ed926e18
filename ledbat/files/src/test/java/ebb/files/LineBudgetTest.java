package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineBudgetTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void peersCauseSoManyLinesAndNoMore() {
    LineBudget budget = new LineBudget(0);
    int printed = 0;
    int asked = 1_000_000;
    for (int i = 0; i < asked; i++) {
      printed += budget.take(i * 60 * SECOND / asked) ? 1 : 0;
    }

    int allowed = ReceiveLimits.LINES_AT_ONCE + 60 * ReceiveLimits.LINES_PER_SECOND;
    assertThat(printed).isBetween(allowed - 2, allowed);
    assertThat(budget.leftOut()).isEqualTo(asked - printed);
    assertThat(budget.leftOut()).isZero();
  }
}
