package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.rand.SeededRandom;
import ebb.storage.bench.Discarded.Why;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The end of the warm-up, found in series whose steady part is known. */
class SteadyStateTest {
  private static final long WINDOW = 1_000_000;
  private static final long BOUND = SteadyState.WINDOWS * WINDOW;

  /** Operations end at even distances in each window, so many as the series says. */
  private static SteadyState after(IntToDoubleFunction countOfWindow) {
    SteadyState search = new SteadyState(BOUND);
    for (int window = 0; window < SteadyState.WINDOWS; window++) {
      long count = Math.round(countOfWindow.applyAsDouble(window));
      for (long i = 0; i < count; i++) {
        search.ended(window * WINDOW + i * WINDOW / count);
      }
    }
    assertThat(search.isOver(BOUND)).isTrue();
    return search;
  }

  private static IntToDoubleFunction noise(long seed, double mean, double spread) {
    SeededRandom random = new SeededRandom(seed);
    return window -> mean + spread * (random.nextDouble() * 2 - 1);
  }

  @Test
  void whatIsSteadyFromTheBeginIsFoundAtTheFirstLook() {
    SteadyState search = after(window -> 100);
    assertThat(search.why()).isEqualTo(Why.STEADY);
    assertThat(search.endMicros()).isEqualTo(20 * WINDOW);
  }

  @Test
  void aStepIsDiscardedHowHighItMayBe() {
    for (double before : new double[] {0, 20, 80, 500}) {
      SteadyState search = after(window -> window < 15 ? before : 100);
      assertThat(search.why()).isEqualTo(Why.STEADY);
      // The step is no longer in the later half of 29 windows, the 14 from the 16th on.
      assertThat(search.endMicros()).as("from " + before).isEqualTo(29 * WINDOW);
    }
  }

  @Test
  void aStepInNoiseIsDiscarded() {
    for (long seed = 1; seed <= 50; seed++) {
      IntToDoubleFunction noise = noise(seed, 0, 15);
      SteadyState search = after(window -> (window < 15 ? 40 : 100) + noise.applyAsDouble(window));
      assertThat(search.why()).as("seed " + seed).isEqualTo(Why.STEADY);
      assertThat(search.endMicros()).as("seed " + seed).isGreaterThan(20 * WINDOW);
    }
  }

  @Test
  void aRampThatEndsIsDiscarded() {
    SteadyState search = after(window -> Math.min(100, 5 * window));
    assertThat(search.why()).isEqualTo(Why.STEADY);
    // At 95 of 100 there are changes within the tolerance.
    assertThat(search.endMicros()).isBetween(36 * WINDOW, 41 * WINDOW);
  }

  @Test
  void aRampThatDoesNotEndIsNeverSteady() {
    for (double slope : new double[] {1, 10, -1}) {
      SteadyState search = after(window -> 100 + slope * window);
      assertThat(search.why()).as("slope " + slope).isEqualTo(Why.NOT_STEADY);
      assertThat(search.endMicros()).isEqualTo(BOUND);
    }
    for (long seed = 1; seed <= 50; seed++) {
      IntToDoubleFunction noise = noise(seed, 0, 10);
      SteadyState search = after(window -> 20 + 10 * window + noise.applyAsDouble(window));
      assertThat(search.why()).as("seed " + seed).isEqualTo(Why.NOT_STEADY);
    }
  }

  @Test
  void whatGrowsOrSwingsOnIsNeverSteady() {
    assertThat(after(window -> 10 * Math.pow(1.1, window)).why()).isEqualTo(Why.NOT_STEADY);
    assertThat(after(window -> 100 + 50 * Math.sin(window / 6.0)).why()).isEqualTo(Why.NOT_STEADY);
  }

  @Test
  void noiseAloneIsSteadyMostlyAtTheFirstLook() {
    int first = 0;
    for (long seed = 1; seed <= 200; seed++) {
      SteadyState search = after(noise(seed, 100, 30));
      assertThat(search.why()).as("seed " + seed).isEqualTo(Why.STEADY);
      first += search.endMicros() == 20 * WINDOW ? 1 : 0;
    }
    // 190 are expected, give or take 3.
    assertThat(first).isBetween(175, 200);
  }

  @Test
  void fewOperationsSayNothing() {
    assertThat(after(window -> 0).why()).isEqualTo(Why.NOT_STEADY);
    // One in each window: there are twenty in the later half of forty.
    SteadyState search = after(window -> 1);
    assertThat(search.why()).isEqualTo(Why.STEADY);
    assertThat(search.endMicros()).isEqualTo(40 * WINDOW);
  }

  @Test
  void whenNoMoreCanBeSpentItSaysSo() {
    SteadyState search = new SteadyState(BOUND);
    search.ended(WINDOW / 2);
    search.giveUp(3 * WINDOW);
    assertThat(search.isOver(3 * WINDOW)).isTrue();
    assertThat(search.endMicros()).isEqualTo(3 * WINDOW);
    assertThat(search.why()).isEqualTo(Why.OUT_OF_OPERATIONS);
    search.giveUp(5 * WINDOW);
    assertThat(search.endMicros()).isEqualTo(3 * WINDOW);
  }

  @Test
  void theTimeItselfEndsItWhenNothingEnds() {
    SteadyState search = new SteadyState(BOUND);
    assertThat(search.isOver(BOUND - 1)).isFalse();
    assertThat(search.endMicros()).isEqualTo(Long.MAX_VALUE);
    assertThat(search.isOver(BOUND)).isTrue();
    assertThat(search.why()).isEqualTo(Why.NOT_STEADY);
    assertThat(search.endMicros()).isEqualTo(BOUND);
  }
}
