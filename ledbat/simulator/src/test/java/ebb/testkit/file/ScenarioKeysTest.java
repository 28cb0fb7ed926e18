package ebb.testkit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.link.AckFilterSpec;
import ebb.testkit.link.CodelSpec;
import ebb.testkit.link.DeliveryTrace;
import ebb.testkit.link.FqCodelSpec;
import ebb.testkit.link.JitterShape;
import ebb.testkit.link.LossSpec;
import ebb.testkit.link.PieSpec;
import ebb.testkit.link.QueueSpec;
import ebb.testkit.link.RedSpec;
import ebb.testkit.link.ServiceSpec;
import ebb.testkit.link.TokenBucketSpec;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.tcp.TcpSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What links, ways back, flows of TCP and checks may say, and what may not be said together. */
class ScenarioKeysTest {
  @TempDir Path folder;

  /** With something in the link, beside it, in the flow of TCP, and a check. */
  private static String text(String link, String more, String tcp, String check) {
    return """
        title = "short"
        end = 10s
        link { rate = 10M, rtt = 40ms, buffer = 60ms, %s }
        %s
        flows = [
          { name = own, controller = scavenger }
          { name = rival, tcp = cubic, %s }
        ]
        checks = [{ %s }]
        """
        .formatted(link, more, tcp, check);
  }

  private static final String CHECK = "of = jain, at-least = 0";

  private static ScenarioFile parse(String text) throws ScenarioFileException {
    return ScenarioFiles.parse("test", "test.conf", text);
  }

  private static ScenarioFile link(String keys) throws ScenarioFileException {
    return parse(text(keys, "", "", CHECK));
  }

  private static void refused(String text, String message) {
    assertThatExceptionOfType(ScenarioFileException.class)
        .as(text)
        .isThrownBy(() -> parse(text))
        .satisfies(e -> assertThat(e.getMessage()).contains(message).hasLineCount(1));
  }

  private static void linkRefused(String keys, String message) {
    refused(text(keys, "", "", CHECK), "test.conf:3: " + message);
  }

  @Test
  void queuesAreNamed() throws Exception {
    Map<String, QueueSpec> kinds =
        Map.of(
            "drop-tail", QueueSpec.DROP_TAIL,
            "codel", CodelSpec.DEFAULTS,
            "pie", PieSpec.DEFAULTS,
            "fq-codel", FqCodelSpec.DEFAULTS,
            "thin-acks", new AckFilterSpec(),
            "red", RedSpec.forBuffer(75_000));
    for (Map.Entry<String, QueueSpec> kind : kinds.entrySet()) {
      assertThat(link("queue = " + kind.getKey()).forward().queue()).isEqualTo(kind.getValue());
    }
    assertThat(
            link("queue = red, red { min = 8ms, max = 24ms, probability = 0.2, weight = 0.01 }")
                .forward()
                .queue())
        .isEqualTo(new RedSpec(10_000, 30_000, 0.2, 0.01));
    linkRefused(
        "queue = blue", "\"queue\" must be drop-tail, codel, pie, red, fq-codel or thin-acks");
  }

  @Test
  void policersShapersBurstsAndJitterAreRead() throws Exception {
    assertThat(link("policer { rate = 5M, bucket = 60k }").forward().bucket())
        .isEqualTo(TokenBucketSpec.policer(5_000_000, 60_000));
    assertThat(link("shaper { rate = 5M, bucket = 60k }").forward().bucket())
        .isEqualTo(TokenBucketSpec.shaper(5_000_000, 60_000));
    assertThat(link("bursts { from = 2ms, to = 8ms }").forward().service())
        .isEqualTo(new ServiceSpec.Bursts(2_000, 8_000));
    assertThat(link("jitter = 3ms, jitter-shape = pareto").forward().faults().jitterShape())
        .isEqualTo(JitterShape.PARETO);
  }

  @Test
  void contradictionsAreRefused() {
    linkRefused("codel = true, queue = pie", "\"codel\" and \"queue\" contradict in link");
    linkRefused(
        "policer { rate = 5M, bucket = 60k }, shaper { rate = 5M, bucket = 60k }",
        "\"policer\" and \"shaper\" contradict in link");
    linkRefused(
        "policer { rate = 10M, bucket = 60k }",
        "\"rate\" of a policer must be below that of the link");
    linkRefused("policer { rate = 5M, bucket = 1000 }", "a token bucket holds at least 1500 bytes");
    linkRefused(
        "loss = 0.1, burst-loss { good-to-bad = 0.1 }",
        "\"loss\" and \"burst-loss\" contradict in link");
    linkRefused("jitter-shape = normal", "\"jitter-shape\" means nothing without \"jitter\"");
    linkRefused("jitter = 1ms, jitter-shape = odd", "\"jitter-shape\" must be uniform, normal");
    linkRefused("red { min = 1ms }", "\"red\" means something only with queue = red");
    linkRefused("reorder-by = 1ms", "\"reorder-by\" means nothing without \"reorder\"");
    linkRefused("reorder-packets = 3", "\"reorder-packets\" means nothing without \"reorder\"");
    linkRefused("reorder = 0.01, reorder-packets = -1", "reorderPackets must not be negative: -1");
    linkRefused("bursts { from = 3ms, to = 2ms }", "bursts need 0 < min <= max");
    linkRefused(
        "rtts = [{ at = 2s, rtt = 80ms }], trace { file = x }",
        "\"trace\" and \"rtts\" contradict in link");
  }

  @Test
  void whatWouldNeverHappenIsRefused() {
    String late = "\"at\" must be before the scenario's end";
    linkRefused("rates = [{ at = 10s, rate = 1M }]", late + " (in an entry of rates)");
    linkRefused("rtts = [{ at = 11s, rtt = 50ms }]", late + " (in an entry of rtts)");
    linkRefused("losses = [{ at = 11s, loss = 0.1 }]", late + " (in an entry of losses)");
    linkRefused(
        "rates = [{ at = 2s, rate = 1M }, { at = 2s, rate = 5M }]",
        "two entries have the same \"at\" (in an entry of rates)");
    refusedTcp("start = 10s", "\"start\" must be before the scenario's end");
  }

  @Test
  void boundsThatNoFigureReachesAreRefused() {
    // 90 for 0.9: it would fail for ever, or hold whatever happens.
    for (String check :
        List.of("of = jain, at-least = 90", "of = share, flow = own, at-most = -1")) {
      refused(text("", "", "", check), "must be between 0 and 10");
    }
    refused(
        text("", "", "", "of = queue, percent = 500, at-most = 1ms"),
        "\"percent\" must be between 0 and 100");
    refused(
        text("", "", "", "of = recovery, flow = own, portion = 90, at-most = 2s"),
        "\"portion\" must be between 0 and 1");
  }

  @Test
  void theWayBackHasKeysOfItsOwn() throws Exception {
    String back =
        "return { rate = 256k, buffer = 100ms, loss = 0.02, jitter = 5ms, queue = thin-acks }";
    ScenarioFile file = parse(text("", back, "", CHECK));
    assertThat(file.backward().rateBitsPerSecond().at(0)).isEqualTo(256_000);
    assertThat(file.backward().bufferBytes()).isEqualTo(3_200);
    assertThat(file.backward().loss().at(0)).isEqualTo(new LossSpec.Random(0.02));
    assertThat(file.backward().faults().jitterMicros()).isEqualTo(5_000);
    assertThat(file.backward().queue()).isEqualTo(new AckFilterSpec());
    assertThat(file.backward().delayMicros().at(0)).isEqualTo(20_000);
    refused(
        text("", "return { rtt = 3ms }", "", CHECK), "test.conf:4: unknown key \"rtt\" in return");
  }

  @Test
  void aNarrowWayBackIsFeltAndThinningHelps() throws Exception {
    // 10 Mbit/s need 833 acknowledgements of 52 bytes a second: 350 kbit/s one by one. At 100 they
    // fill the buffer of the way back, unless newer ones take the places of older ones.
    double[] waitedMicros = new double[2];
    for (int i = 0; i < 2; i++) {
      String queue = i == 0 ? "drop-tail" : "thin-acks";
      ScenarioFile file =
          parse(
              text("", "return { rate = 100k, buffer = 400ms, queue = " + queue + " }", "", CHECK));
      Scenario scenario = new Scenario(1, file.forward(), file.backward());
      scenario.add(TcpFlowSpec.cubic("tcp"));
      scenario.runUntil(10_000_000);
      waitedMicros[i] = Checks.queueMicros(scenario.back(), 50, 5_000_000, 10_000_000);
    }
    assertThat(waitedMicros[0]).isGreaterThan(300_000);
    assertThat(waitedMicros[1]).isLessThan(10_000);
  }

  @Test
  void flowsOfTcpSayWhatTheyAreAndWhatTheyHave() throws Exception {
    TcpFlowSpec rival = tcp("paced = true, hystart = true, delayed-acks = true, app-rate = 2M");
    assertThat(rival.options().paced()).isTrue();
    assertThat(rival.options().delayedAcks()).isTrue();
    assertThat(rival.options().source()).isEqualTo(new TcpSource.Constant(2_000_000));
    assertThat(tcp("on-off { on = 2s, off = 1s }").options().source())
        .isEqualTo(new TcpSource.OnOff(2_000_000, 1_000_000));
    assertThat(tcp("web { object = 100k, pause = 500ms }").options().source())
        .isEqualTo(new TcpSource.Web(100_000, 500_000));
    refusedTcp(
        "app-rate = 2M, web { object = 1k, pause = 1s }", "\"app-rate\" and \"web\" contradict");
    refusedTcp("target = 5ms", "\"target\" means nothing for a flow of TCP");
    refused(
        text("", "", "", CHECK).replace("scavenger }", "scavenger, paced = true }"),
        "test.conf:6: \"paced\" means nothing for a flow of LEDBAT");
    refused(
        text("", "", "hystart = true", CHECK).replace("tcp = cubic", "tcp = bbr"),
        "test.conf:7: \"hystart\" is cubic's");
  }

  private static TcpFlowSpec tcp(String keys) throws ScenarioFileException {
    return Objects.requireNonNull(parse(text("", "", keys, CHECK)).flows().get(1).tcp());
  }

  private static void refusedTcp(String keys, String message) {
    refused(text("", "", keys, CHECK), "test.conf:7: " + message);
  }

  @Test
  void aForgottenCommaDropsNothingSilently() {
    refused(
        text("", "", "", "of = jain, at-least = 0 } { of = queue, at-most = 1s"),
        "test.conf:9: a comma is missing behind \"}\"");
    refused(
        text("", "", "", CHECK).replace("scavenger }\n", "scavenger } "),
        "test.conf:6: a comma is missing behind \"}\"");
    // One object of two: HOCON takes the last value of each key.
    refused(
        text("", "", "", "of = jain, at-least = 0.9, at-least = 0.1"),
        "test.conf:9: \"at-least\" is there twice, first in line 9");
    refused(
        text("", "link { rate = 20M }", "", CHECK),
        "test.conf:4: \"link\" is there twice, first in line 3");
    refused(text("loss = 0.1 jitter = 1ms", "", "", CHECK), "test.conf: 3");
    refused(text("", "", "", "of = jain at-least = 0.9"), "test.conf: 9");
    refused(text("", "include \"other.conf\"", "", CHECK), "a scenario is one file: no include");
  }

  @Test
  void whereverAFileIsCutItIsReadOrRefusedInOneLine() {
    String whole =
        text("burst-loss { good-to-bad = 0.1 }", "# {", "web { object = 1k, pause = 1s }", CHECK)
            .replace("title = \"short\"", "title = \"a \\\" b\"");
    int read = 0;
    for (int end = 0; end <= whole.length(); end++) {
      try {
        parse(whole.substring(0, end));
        read++;
      } catch (ScenarioFileException refused) {
        assertThat(refused.getMessage()).hasLineCount(1);
      }
    }
    assertThat(read).isBetween(1, 20);
  }

  @Test
  void commentsQuotesAndLinesMayStandAnywhere() throws Exception {
    ScenarioFile file =
        parse(
            """
            title = "a } { b # no comment" // one
            end = 10s # } {
            link = {
              rate = 10M
              rtt = 40ms, buffer = 60ms
            }
            flows = [
              { name = own, controller = scavenger } # first
              # { nothing
              { name = other,
                controller = "ledbat" },
            ]
            checks = []
            """);
    assertThat(file.title()).isEqualTo("a } { b # no comment");
    assertThat(file.flows()).hasSize(2);
  }

  private ScenarioFile traced(String trace, String keys) throws Exception {
    Files.writeString(folder.resolve("lte.trace"), trace);
    Path scenario = folder.resolve("traced.conf");
    Files.writeString(scenario, text("trace { file = \"lte.trace\"" + keys + " }", "", "", CHECK));
    return ScenarioFiles.read(scenario);
  }

  private void traceRefused(String trace, String keys, String message) {
    assertThatExceptionOfType(ScenarioFileException.class)
        .as(trace)
        .isThrownBy(() -> traced(trace, keys))
        .satisfies(e -> assertThat(e.getMessage()).contains(message).hasLineCount(1));
  }

  @Test
  void aTraceOfRatesAndRoundTripsIsFollowedAndRepeatedIfSaid() throws Exception {
    String trace = "# time, rate, round trip\n0s, 20M\n2s, 5M, 80ms\n4s,end\n";
    ScenarioFile file = traced(trace, ", repeat = true");
    for (long second : List.of(0L, 1L, 4L, 5L, 8L)) {
      assertThat(file.forward().rateBitsPerSecond().at(second * 1_000_000)).isEqualTo(20_000_000);
      assertThat(file.forward().delayMicros().at(second * 1_000_000)).isEqualTo(20_000);
    }
    for (long second : List.of(2L, 3L, 6L, 7L)) {
      assertThat(file.forward().rateBitsPerSecond().at(second * 1_000_000)).isEqualTo(5_000_000);
      assertThat(file.forward().delayMicros().at(second * 1_000_000)).isEqualTo(60_000);
    }
    traceRefused(trace, "", "it ends after 4000 ms, before the scenario does; say repeat = true");
    traceRefused("0s,20M\n", "", "the last line must say when it ends: TIME,end");
    traceRefused("1s,20M\n2s,end\n", "", "times must begin with 0s and rise");
    traceRefused("0s,20M\n3s,5M\n3s,end\n", "", "times must begin with 0s and rise");
    traceRefused("0s,20M\n30s,end\n40s,4M\n", "", "there is a line behind the end");
    traceRefused("0s,fast\n30s,end\n", "", "fast");
    traceRefused("0s;20M\n", "", "0s;20M");
    traceRefused("", "", "a trace has 1 to");
    refused(text("trace { file = none }", "", "", CHECK), "cannot read the trace none");
  }

  @Test
  void aTraceOfDeliveriesIsMahimahis() throws Exception {
    // A packet each 2 ms: 6 Mbit/s.
    StringBuilder trace = new StringBuilder();
    for (int millis = 2; millis <= 1_000; millis += 2) {
      trace.append(millis).append('\n');
    }
    ScenarioFile file = traced(trace.toString(), ", repeat = true");
    assertThat(file.forward().service()).isInstanceOf(DeliveryTrace.class);
    ScenarioOutcome outcome = ScenarioRunner.run(file);
    double all = 0;
    for (ScenarioOutcome.Line line : outcome.lines()) {
      all += line.megabits().stream().skip(100).mapToDouble(m -> m).average().orElse(0);
    }
    // Of 6 Mbit/s on the link, the payload.
    assertThat(all).isBetween(5.3, 5.95);
    traceRefused(trace.toString(), "", "it ends after 1000 ms, before the scenario does");
    traceRefused("5\n3\n", ", repeat = true", "the times of a trace must not fall: 3000");
    traceRefused("5\nx\n", ", repeat = true", "no number of milliseconds: x");
  }

  @Test
  void everyFigureIsMeasuredAndEveryRunIsJudged() throws Exception {
    String checks =
        """
        of = goodput, flow = rival, from = 2s, at-least = 1M }
          { of = resent, flow = own, at-most = 1 }
          { of = loss, flow = rival, at-least = 0 }
          { of = kept, flow = rival, from = 2s, at-least = 0.5 }
          { of = sharing, portion = 0.99, at-most = 1s }
          { of = queue, percent = 95, at-most = 1s""";
    ScenarioFile file = parse("runs = 3\nsend-jitter = 1200us\n" + text("", "", "", checks));
    ScenarioOutcome outcome = ScenarioRunner.run(file);
    assertThat(outcome.results()).hasSize(6).allSatisfy(r -> assertThat(r.values()).hasSize(3));
    ScenarioOutcome.Result goodput = outcome.results().get(0);
    double shown =
        outcome.lines().get(1).megabits().stream().skip(40).mapToDouble(m -> m).average().orElse(0);
    assertThat(goodput.values().get(0) / 1e6).isCloseTo(shown, within(0.01));
    assertThat(goodput.value())
        .isEqualTo(goodput.values().stream().mapToDouble(v -> v).min().orElse(0));
    assertThat(outcome.results().get(3).value()).isBetween(0.9, 1.0);
    // A scavenger does not share with CUBIC.
    assertThat(outcome.results().get(4).value()).isInfinite();
    assertThat(outcome.results().get(4).holds()).isFalse();
  }

  @Test
  void oneRunThatMissesIsNotAveragedAway() {
    Check check = new Check(Check.Figure.JAIN, "", 0, 1, 50, 0.9, 0.5, Double.MAX_VALUE);
    ScenarioOutcome.Result result = new ScenarioOutcome.Result(check, List.of(0.9, 0.4, 0.9));
    assertThat(result.holds()).isFalse();
    assertThat(result.value()).isEqualTo(0.4);
  }

  @Test
  void checksThatCannotBeAreRefused() {
    refusedCheck("of = jain, percent = 3, at-least = 0", "\"percent\" means nothing");
    refusedCheck("of = jain, portion = 0.3, at-least = 0", "\"portion\" means nothing");
    refusedCheck("of = jain, at-least = 0.5, at-most = 0.4", "\"at-least\" is above \"at-most\"");
    refusedCheck("of = speed, at-least = 0", "\"of\" must be one of utilisation, queue, share");
    refusedCheck("of = goodput, flow = own, at-least = fast", "\"at-least\": ");
  }

  private static void refusedCheck(String keys, String message) {
    refused(text("", "", "", keys), "test.conf:9: " + message);
  }
}
