package ebb.ledbat.seeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SeedsTest {
  @Test
  void aFailureNamesTheSeedAndTheCommandThatRunsItAgain() {
    List<Long> ran = new ArrayList<>();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                Seeds.run(
                    SeedsTest.class,
                    4_711,
                    seed -> {
                      ran.add(seed);
                      assertThat(seed).as("the figure").isZero();
                    }))
        .withMessageContaining("seed 4711 fails")
        .withMessageContaining(
            "mvn -B test -pl ledbat/engine -am -Dtest=SeedsTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Debb.seed=4711")
        .withMessageContaining("the figure");
    assertThat(ran).containsExactly(4_711L);
  }

  @Test
  void anExceptionIsAFailureLikeAnother() {
    IllegalStateException broken = new IllegalStateException("broken");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                Seeds.run(
                    SeedsTest.class,
                    -1,
                    seed -> {
                      throw broken;
                    }))
        .withCause(broken)
        .withMessageContaining("-Debb.seed=-1");
  }
}
