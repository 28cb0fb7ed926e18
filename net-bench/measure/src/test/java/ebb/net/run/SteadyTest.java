package ebb.net.run;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.stats.LatencyHistogram;
import ebb.net.control.FlowCounts;
import ebb.net.control.OneWay;
import ebb.net.flow.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SteadyTest {
  /** Intervals of a second, each with so many megabytes sent. */
  private static List<RunSample> seconds(boolean warmUp, long from, long... megabytes) {
    List<RunSample> samples = new ArrayList<>();
    for (int i = 0; i < megabytes.length; i++) {
      FlowCounts counts =
          new FlowCounts(megabytes[i] * 1_000_000, 1, 0, 0, 0, 0, 0, 0, OneWay.NONE);
      samples.add(
          new RunSample(
              0,
              (from + i) * 1_000_000,
              (from + i + 1) * 1_000_000,
              warmUp,
              List.of(
                  new FlowSample(
                      1, true, counts, counts.bytes(), 1_000_000, Map.of(), Limits.NONE)),
              List.of(),
              FlowCounts.NONE,
              1_000_000,
              new LatencyHistogram()));
    }
    return samples;
  }

  @Test
  void aSlowBeginningIsFoundAndTheRateAfterItIsTold() {
    // 100 MB a second from the third second on; the last interval is the end of the run.
    assertThat(Steady.of(seconds(false, 0, 20, 70, 95, 105, 100, 100, 100, 3), true))
        .contains(new Steady(2_000_000, 800e6));
  }

  @Test
  void theWarmUpThatWasAskedForIsNotLookedAt() {
    List<RunSample> samples = seconds(true, 0, 1, 1);
    samples.addAll(seconds(false, 2, 100, 100, 100, 100, 100, 100, 3));
    assertThat(Steady.of(samples, true)).contains(new Steady(0, 800e6));
  }

  @Test
  void nothingIsSaidOfWhatNeverSettlesOrWasTooShort() {
    assertThat(Steady.of(seconds(false, 0, 1, 2, 4, 8, 16, 32, 64, 64), true)).isEmpty();
    assertThat(Steady.of(seconds(false, 0, 100, 100, 100, 100, 100, 3), true)).isEmpty();
  }
}
