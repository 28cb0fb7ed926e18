package ebb.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
  @Test
  void actionsRunByTimeAndThenInTheOrderOfScheduling() {
    Simulation sim = new Simulation(1);
    List<String> ran = new ArrayList<>();
    sim.at(20, () -> ran.add("20a"));
    sim.at(10, () -> ran.add("10a"));
    sim.at(20, () -> ran.add("20b"));
    sim.at(
        10,
        () -> {
          ran.add("10b");
          sim.after(0, () -> ran.add("10c"));
          sim.at(3, () -> ran.add("10d, the past is now"));
        });
    sim.at(30, () -> ran.add("30"));
    sim.runUntil(29);
    assertThat(ran).containsExactly("10a", "10b", "10c", "10d, the past is now", "20a", "20b");
    assertThat(sim.nowMicros()).isEqualTo(29);
  }

  @Test
  void manyActionsComeOutSorted() {
    Simulation sim = new Simulation(7);
    var random = sim.random("times");
    List<Long> ran = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      long at = random.nextInt(3_000);
      long order = i;
      sim.at(at, () -> ran.add(at << 32 | order));
    }
    sim.runUntil(3_000);
    assertThat(ran).hasSize(10_000).isSorted();
  }

  @Test
  void aLaneChangesNothingButWhatWaitsWhere() {
    assertThat(runs(true)).isEqualTo(runs(false)).hasSize(20_000);
  }

  /**
   * Actions of two wires and others, many of them in the same microsecond and some out of order.
   */
  private static List<String> runs(boolean lanes) {
    Simulation sim = new Simulation(7);
    Lane[] wires = {new Lane(sim), new Lane(sim)};
    var random = sim.random("times");
    List<String> ran = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      String name = "action " + i;
      sim.at(
          random.nextInt(3_000),
          () -> {
            long delay = random.nextInt(10) == 0 ? random.nextInt(9) : 40;
            for (Lane wire : wires) {
              Runnable arrival = () -> ran.add(name + " arrives at " + sim.nowMicros());
              if (lanes) {
                wire.at(sim.nowMicros() + delay, arrival);
              } else {
                sim.after(delay, arrival);
              }
            }
            sim.after(40, () -> ran.add(name + " ends"));
            ran.add(name);
          });
    }
    sim.runUntil(4_000);
    return ran;
  }

  @Test
  void aPurposeHasItsOwnRandomnessWhateverElseIsDrawn() {
    Simulation one = new Simulation(5);
    Simulation two = new Simulation(5);
    two.random("other").nextLong();
    assertThat(one.random("a").nextLong()).isEqualTo(two.random("a").nextLong());
    assertThat(one.random("a").nextLong()).isNotEqualTo(one.random("b").nextLong());
    assertThat(one.random("a").nextLong()).isNotEqualTo(new Simulation(6).random("a").nextLong());
  }

  @Test
  void theDigestTellsTracesApartByOneFieldAndGoesOn() {
    Trace one = new Trace();
    Trace two = new Trace();
    for (int i = 0; i < 1_000; i++) {
      one.record(Trace.ENQUEUED, i, 1, 2, 3);
      two.record(Trace.ENQUEUED, i, 1, 2, 3);
      assertThat(i % 100 != 0 || one.digest().equals(two.digest())).isTrue();
    }
    one.record(Trace.MARK, 0, 0, 0, 1);
    two.record(Trace.MARK, 0, 0, 0, 2);
    assertThat(one.digest()).isNotEqualTo(two.digest());
  }

  @Test
  void schedulesStepAndIntegrate() {
    Schedule<Long> rate = Schedule.always(10L).during(100, 200, 4L).from(300, 0L);
    assertThat(rate.at(0)).isEqualTo(10);
    assertThat(rate.at(99)).isEqualTo(10);
    assertThat(rate.at(100)).isEqualTo(4);
    assertThat(rate.at(200)).isEqualTo(10);
    assertThat(rate.at(300)).isZero();
    assertThat(rate.nextChangeMicros(100)).isEqualTo(200);
    assertThat(rate.nextChangeMicros(300)).isEqualTo(Long.MAX_VALUE);
    // 50 us at 10, 100 us at 4, 100 us at 10, 100 us at 0.
    assertThat(rate.integralSeconds(50, 400, v -> v)).isCloseTo(1_900e-6, within(1e-12));
  }

  private static org.assertj.core.data.Offset<Double> within(double value) {
    return org.assertj.core.data.Offset.offset(value);
  }
}
