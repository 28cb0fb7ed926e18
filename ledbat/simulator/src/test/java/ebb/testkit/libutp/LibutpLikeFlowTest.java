package ebb.testkit.libutp;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.testkit.file.ScenarioFiles;
import ebb.testkit.file.ScenarioRunner;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.LedbatFlow;
import ebb.testkit.scenario.LedbatFlowSpec;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import org.junit.jupiter.api.Test;

/**
 * The model on Ebb's connection against what was measured of libutp on a real link of 50 Mbit/s,
 * base round trip 40 ms, buffer 200 ms, beside a kernel's CUBIC for 20 s.
 */
class LibutpLikeFlowTest {
  private static final long SECOND = 1_000_000;
  private static final long RATE = 50_000_000;
  private static final long RTT = 40_000;

  private static Scenario link(long seed) {
    return Scenario.onLink(seed, RATE, RTT, 200_000).withSendJitter(240);
  }

  @Test
  void itTakesAboutWhatLibutpTakesFromCubicAndComesBackAboutAsFast() {
    double share = 0;
    double recovery = 0;
    int runs = 3;
    for (int seed = 1; seed <= runs; seed++) {
      Scenario scenario = link(seed);
      LedbatFlow libutp =
          scenario.add(LedbatFlowSpec.named("libutp").withController(LibutpLikeController.NAME));
      scenario.add(TcpFlowSpec.cubic("cubic").during(20 * SECOND, 40 * SECOND));
      scenario.runUntil(50 * SECOND);
      share += Checks.useOfLink(scenario.bottleneck(), libutp, 20 * SECOND, 40 * SECOND) / runs;
      long micros =
          Checks.recoveryMicros(
              scenario.bottleneck(), libutp, 0.9, SECOND / 2, 40 * SECOND, 50 * SECOND);
      assertThat(micros).as("seed %d", seed).isPositive();
      recovery += micros / 1e6 / runs;
    }
    // Real: 4 to 7.5%, 2.6 to 3.3 s. Twice as much either way: the CUBIC here is a model.
    assertThat(share).isBetween(0.02, 0.15);
    assertThat(recovery).isBetween(1.3, 6.6);
  }

  @Test
  void aloneItFillsTheLinkAsSlowlyAsThreeThousandBytesARoundTripAllow() {
    Scenario scenario = link(1);
    LedbatFlow libutp =
        scenario.add(LedbatFlowSpec.named("libutp").withController(LibutpLikeController.NAME));
    // 250 kB fill the pipe: 83 round trips of 3,000 bytes, 3.3 s.
    scenario.runUntil(2 * SECOND);
    assertThat(libutp.cwndBytes()).isBetween(0.9 * 150_000, 1.02 * 150_000);
    scenario.runUntil(20 * SECOND);
    assertThat(Checks.utilisation(scenario.bottleneck(), 4 * SECOND, 20 * SECOND))
        .isGreaterThan(0.98);
    // Real: 42 ms. The queue creeps towards TARGET, so it depends on when one looks.
    assertThat(Checks.queueMicros(scenario.bottleneck(), 50, 0, 20 * SECOND))
        .isBetween(21_000.0, 84_000.0);
  }

  @Test
  void scenarioFilesKnowItByName() throws Exception {
    var file =
        ScenarioFiles.parse(
            "beside-libutp",
            "x",
            """
            title = "LEDBAT++ beside libutp"
            end = 10s
            link { rate = 10M, rtt = 50ms, buffer = 150ms }
            flows = [
              { name = ours, controller = "ledbat++" }
              { name = libutp, controller = libutp-like }
            ]
            checks = [{ of = share, flow = libutp, from = 2s, at-least = 0.01 }]
            """);
    var outcome = ScenarioRunner.run(file);
    assertThat(outcome.holds()).isTrue();
    assertThat(outcome.lines()).extracting(line -> line.targetMicros()).contains(100_000L);
  }
}
