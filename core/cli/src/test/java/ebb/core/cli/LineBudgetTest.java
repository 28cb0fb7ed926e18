package ebb.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.time.VirtualClock;
import org.junit.jupiter.api.Test;

class LineBudgetTest {
  @Test
  void afterTheFirstOnesThereIsOneForEachInterval() {
    VirtualClock clock = new VirtualClock(5);
    LineBudget budget = new LineBudget(clock, 2, 1_000);
    assertThat(budget.ask("a")).contains("a");
    assertThat(budget.ask("b")).contains("b");
    assertThat(budget.ask("c")).isEmpty();
    assertThat(budget.ask("d")).isEmpty();
    clock.advance(999);
    assertThat(budget.ask("e")).isEmpty();
    clock.advance(1);
    assertThat(budget.ask("f")).contains("f (3 more lines not shown)");
    assertThat(budget.ask("g")).isEmpty();
    clock.advance(1_000_000);
    assertThat(budget.ask("h")).contains("h (1 more lines not shown)");
    assertThat(budget.ask("i")).contains("i");
    assertThat(budget.ask("j")).as("a long silence does not add up").isEmpty();
  }
}
