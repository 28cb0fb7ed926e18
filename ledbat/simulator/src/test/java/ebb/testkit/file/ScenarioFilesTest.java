package ebb.testkit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import ebb.ledbat.congestion.CongestionControllers;
import ebb.testkit.host.LateHost;
import ebb.testkit.link.CodelSpec;
import ebb.testkit.link.LossSpec;
import ebb.testkit.scenario.LedbatFlowSpec;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ScenarioFilesTest {
  private static final String FULL =
      """
      title = "Everything that a file can say"
      seed = 7
      runs = 2
      end = 20s
      send-jitter = 500us
      link {
        rate = 10M, rtt = 51ms, buffer = 100ms, codel = true, mtu = 1400
        burst-loss { good-to-bad = 0.01, badToGood = 0 }
        jitter = 1ms, reorder = 0.01, reorder-by = 2ms, duplicate = 0.02
        rates = [{ at = 5s, rate = 5M }]
        rtts = [{ at = 6s, rtt = 81ms }]
        losses = [{ at = 7s, loss = 0.5 }]
      }
      flows = [
        {
          name = a, controller = "dtl:2", start = 1s, stop = 9s, bytes = 1000, target = 20ms
          slow-start = true, access-delay = 3ms, sender-clock { ahead = 5s, drift-ppm = -100 }
          controllers = [{ at = 4s, controller = "ledbat++" }], late-hosts { each = 20ms, by = 80ms }
        }
        { name = b, tcp = "multcp:3", start = 2s }
      ]
      checks = [
        { of = recovery, flow = a, from = 1s, to = 3s, portion = 0.8, at-most = 500ms }
        { of = jain, at-least = 0.1 }
      ]
      """
          .replace("badToGood = 0", "bad-to-good = 0.5, good = 0.001, bad = 0.9");

  private static ScenarioFile parse(String text) throws ScenarioFileException {
    return ScenarioFiles.parse("test", "test.conf", text);
  }

  private static void refused(String text, String message) {
    assertThatExceptionOfType(ScenarioFileException.class)
        .isThrownBy(() -> parse(text))
        .satisfies(e -> assertThat(e.getMessage()).startsWith(message).hasLineCount(1));
  }

  @Test
  void everyKeyIsRead() throws Exception {
    ScenarioFile file = parse(FULL);
    assertThat(file.title()).isEqualTo("Everything that a file can say");
    assertThat(file.seed()).isEqualTo(7);
    assertThat(file.runs()).isEqualTo(2);
    assertThat(file.endMicros()).isEqualTo(20_000_000);
    assertThat(file.sendJitterMicros()).isEqualTo(500);
    assertThat(file.forward().rateBitsPerSecond().at(5_000_000)).isEqualTo(5_000_000);
    // Half of 51 ms each way, the odd microsecond back; the longer route is longer forward.
    assertThat(file.forward().delayMicros().at(0)).isEqualTo(25_500);
    assertThat(file.forward().delayMicros().at(6_000_000)).isEqualTo(55_500);
    assertThat(file.backward().delayMicros().at(6_000_000)).isEqualTo(25_500);
    assertThat(file.forward().bufferBytes()).isEqualTo(125_000);
    assertThat(file.forward().queue()).isEqualTo(CodelSpec.DEFAULTS);
    assertThat(file.forward().mtuBytes()).isEqualTo(1_400);
    assertThat(file.forward().loss().at(0)).isEqualTo(new LossSpec.Burst(0.01, 0.5, 0.001, 0.9));
    assertThat(file.forward().loss().at(7_000_000)).isEqualTo(new LossSpec.Random(0.5));
    assertThat(file.forward().faults().jitterMicros()).isEqualTo(1_000);
    assertThat(file.forward().faults().reorderProbability()).isEqualTo(0.01);
    assertThat(file.forward().faults().reorderMicros()).isEqualTo(2_000);
    assertThat(file.forward().faults().duplicateProbability()).isEqualTo(0.02);
    LedbatFlowSpec a = Objects.requireNonNull(file.flows().get(0).ledbat());
    assertThat(a.config().controller()).isEqualTo("dtl:2");
    assertThat(a.config().targetDelayMicros()).isEqualTo(20_000);
    assertThat(a.config().slowStart()).isTrue();
    assertThat(a.times().startMicros()).isEqualTo(1_000_000);
    assertThat(a.times().stopMicros()).isEqualTo(9_000_000);
    assertThat(a.totalBytes()).isEqualTo(1_000);
    assertThat(a.accessDelayMicros()).isEqualTo(3_000);
    assertThat(a.hosts().senderClock().offsetMicros()).isEqualTo(5_000_000);
    assertThat(a.hosts().senderClock().driftPpm()).isEqualTo(-100);
    assertThat(a.hosts().late()).isEqualTo(new LateHost(20_000, 80_000));
    assertThat(file.flows().get(0).controllers()).isEqualTo(Map.of(4_000_000L, "ledbat++"));
    assertThat(file.flows().get(1).name()).isEqualTo("b");
    assertThat(file.checks().get(0))
        .isEqualTo(
            new Check(
                Check.Figure.RECOVERY,
                "a",
                1_000_000,
                3_000_000,
                50,
                0.8,
                Double.NEGATIVE_INFINITY,
                500_000));
  }

  @Test
  void theSameFileGivesTheSameTrace() throws Exception {
    ScenarioOutcome one = ScenarioRunner.run(parse(FULL));
    ScenarioOutcome other = ScenarioRunner.run(parse(FULL));
    assertThat(one.traceDigest()).isEqualTo(other.traceDigest()).hasSize(64);
    assertThat(one.results()).isEqualTo(other.results());
    assertThat(ScenarioRunner.run(parse(FULL).withSeed(8)).traceDigest())
        .isNotEqualTo(one.traceDigest());
  }

  @Test
  void whatIsWrongIsToldWithFileAndLine() {
    refused(FULL.replace("seed = 7", "sed = 7"), place(2) + unknown("sed", "the scenario"));
    refused(FULL.replace("jitter = 1ms", "jiter = 1ms"), place(9) + unknown("jiter", "link"));
    refused(FULL.replace("rtt = 51ms", "rtt = 51"), "test.conf:7: \"rtt\": " + time("51"));
    refused(
        FULL.replace("each = 20ms", "each = 0ms"),
        place(18) + "a host is late each so often by something: 0, 80000 us (in late-hosts)");
    refused(FULL.replace("seed = 7", "seed = seven"), place(2) + "\"seed\": has the wrong type");
    refused(
        FULL.replace("\"dtl:2\"", "vegas"),
        place(15)
            + "unknown congestion controller \"vegas\"; there is "
            + String.join(", ", CongestionControllers.names())
            + ", libutp-like"
            + " (in an entry of flows)");
    refused(
        FULL.replace("of = jain", "of = jain, flow = a"),
        place(24) + "\"flow\" means nothing for this figure (in an entry of checks)");
    refused(
        FULL.replace("flow = a,", "flow = c,"),
        place(23) + "there is no flow \"c\" (in an entry of checks)");
    refused(
        FULL.replace("to = 3s", "to = 21s"),
        place(23)
            + "\"from\" must be before \"to\", and \"to\" not after the end"
            + " (in an entry of checks)");
    refused(
        FULL.replace("multcp:3", "vegas"),
        place(20) + "\"tcp\" must be reno, cubic, bbr or multcp:N: vegas (in an entry of flows)");
    refused("title = x", "test.conf:1: \"end\" is missing in the scenario");
    assertThatExceptionOfType(ScenarioFileException.class)
        .isThrownBy(() -> parse("title = {"))
        .satisfies(e -> assertThat(e.getMessage()).startsWith("test.conf: 1: ").hasLineCount(1));
  }

  private static String place(int line) {
    return "test.conf:" + line + ": ";
  }

  private static String unknown(String key, String what) {
    return "unknown key \"" + key + "\" in " + what;
  }

  private static String time(String text) {
    try {
      return "" + ebb.core.units.Micros.parse(text);
    } catch (IllegalArgumentException wrong) {
      return "" + wrong.getMessage();
    }
  }

  @Test
  void theScenariosThatComeWithItAreReadableAndTheShortOnesHold() throws Exception {
    assertThat(ScenarioFiles.shipped()).hasSizeGreaterThan(25).isSorted();
    for (String name : ScenarioFiles.shipped()) {
      assertThat(ScenarioFiles.shipped(name).checks()).as(name).isNotEmpty();
    }
    ScenarioOutcome outcome = ScenarioRunner.run(ScenarioFiles.shipped("recovery"));
    assertThat(outcome.holds()).isTrue();
    assertThat(outcome.seconds().get(outcome.seconds().size() - 1)).isCloseTo(60, within(0.2));
    assertThat(outcome.lines()).hasSize(2);
    assertThat(outcome.lines().get(0).targetMicros()).isEqualTo(100_000);
    assertThat(outcome.lines().get(1).targetMicros()).isZero();
  }
}
