package ebb.testkit.file;

import ebb.ledbat.connection.LimitTimes;
import ebb.ledbat.trace.EndpointTrace;
import ebb.testkit.file.ScenarioFile.FlowEntry;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Flow;
import ebb.testkit.scenario.LedbatFlow;
import ebb.testkit.scenario.LedbatFlowSpec;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs a scenario file. It owns the order of the runs; what is right is the file's to say. */
public final class ScenarioRunner {
  private static final int POINTS = 600;
  private static final long MIN_STEP_MICROS = 50_000;
  private static final double PACKET_BYTES = 1_500;

  private ScenarioRunner() {}

  /** Simulates all runs of {@code file} and measures. */
  public static ScenarioOutcome run(ScenarioFile file) {
    return run(file, null);
  }

  /**
   * Simulates all runs of {@code file} and measures.
   *
   * @param traces gives for the name of a LEDBAT flow who watches it in the first run; null for
   *     nobody
   */
  public static ScenarioOutcome run(
      ScenarioFile file, @Nullable Function<String, EndpointTrace> traces) {
    Recorder recorder = new Recorder(file);
    List<List<Double>> values = new ArrayList<>();
    file.checks().forEach(check -> values.add(new ArrayList<>()));
    String digest = "";
    long events = 0;
    for (int run = 0; run < file.runs(); run++) {
      Scenario scenario = scenario(file, file.seed() + run, run == 0 ? traces : null, all -> true);
      if (run == 0) {
        recorder.observe(scenario);
      }
      file.checks().forEach(check -> check.marks().forEach(scenario::mark));
      scenario.runUntil(file.endMicros());
      Map<String, Scenario> alone = new HashMap<>();
      long seed = file.seed() + run;
      for (int i = 0; i < file.checks().size(); i++) {
        Check check = file.checks().get(i);
        double value =
            check.measure(
                scenario, () -> alone.computeIfAbsent(check.flow(), f -> alone(file, seed, f)));
        values.get(i).add(value);
      }
      if (run == 0) {
        digest = scenario.sim().trace().digest();
      }
      events += scenario.sim().eventsRun();
    }
    List<ScenarioOutcome.Result> results = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      results.add(new ScenarioOutcome.Result(file.checks().get(i), List.copyOf(values.get(i))));
    }
    return new ScenarioOutcome(
        file,
        results,
        recorder.lines(),
        recorder.seconds(),
        recorder.queueMillis(),
        digest,
        file.endMicros() * file.runs(),
        events);
  }

  /** The same run without the other flows. */
  private static Scenario alone(ScenarioFile file, long seed, String flow) {
    Scenario scenario = scenario(file, seed, null, flow::equals);
    scenario.runUntil(file.endMicros());
    return scenario;
  }

  private static Scenario scenario(
      ScenarioFile file,
      long seed,
      @Nullable Function<String, EndpointTrace> traces,
      Predicate<String> flows) {
    Scenario scenario =
        new Scenario(seed, file.forward(), file.backward()).withSendJitter(file.sendJitterMicros());
    for (FlowEntry entry : file.flows()) {
      if (!flows.test(entry.name())) {
        continue;
      }
      LedbatFlowSpec ledbat = entry.ledbat();
      TcpFlowSpec tcp = entry.tcp();
      if (ledbat != null) {
        LedbatFlow flow = scenario.add(watched(ledbat, traces));
        entry.controllers().forEach(flow::switchController);
      } else if (tcp != null) {
        scenario.add(tcp);
      }
    }
    return scenario;
  }

  private static LedbatFlowSpec watched(
      LedbatFlowSpec flow, @Nullable Function<String, EndpointTrace> traces) {
    return traces == null
        ? flow
        : flow.with(flow.config().toBuilder().trace(traces.apply(flow.name())).build());
  }

  /** The time line of one run. */
  private static final class Recorder {
    private final ScenarioFile file;
    private final long stepMicros;
    private final List<double[]> cwnds = new ArrayList<>();
    private final List<List<LimitTimes>> limits = new ArrayList<>();
    private final List<Double> queues = new ArrayList<>();
    private List<Flow> flows = List.of();

    Recorder(ScenarioFile file) {
      this.file = file;
      stepMicros = Math.max(MIN_STEP_MICROS, file.endMicros() / POINTS);
    }

    void observe(Scenario scenario) {
      flows = scenario.flows();
      scenario.observe(
          stepMicros,
          now -> {
            cwnds.add(flows.stream().mapToDouble(f -> f.cwndBytes() / PACKET_BYTES).toArray());
            limits.add(flows.stream().map(Flow::limits).toList());
            double micros = Checks.queueMicros(scenario.bottleneck(), 50, now - stepMicros, now);
            queues.add(Double.isNaN(micros) ? 0 : micros / 1_000);
          });
    }

    List<Double> seconds() {
      List<Double> seconds = new ArrayList<>();
      for (int i = 1; i <= queues.size(); i++) {
        seconds.add(i * stepMicros / 1e6);
      }
      return seconds;
    }

    List<Double> queueMillis() {
      return List.copyOf(queues);
    }

    List<ScenarioOutcome.Line> lines() {
      List<ScenarioOutcome.Line> lines = new ArrayList<>();
      for (int f = 0; f < flows.size(); f++) {
        int flow = f;
        List<Double> megabits = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
          megabits.add(
              flows.get(f).goodput().bitsPerSecond(i * stepMicros, (i + 1) * stepMicros) / 1e6);
        }
        List<Double> cwnd = cwnds.stream().map(all -> all[flow]).toList();
        lines.add(
            new ScenarioOutcome.Line(
                flows.get(f).name(), target(f), megabits, cwnd, limitsByStep(f)));
      }
      return lines;
    }

    private List<LimitTimes> limitsByStep(int flow) {
      List<LimitTimes> steps = new ArrayList<>();
      LimitTimes before = LimitTimes.NONE;
      for (List<LimitTimes> all : limits) {
        steps.add(all.get(flow).since(before));
        before = all.get(flow);
      }
      return steps;
    }

    private long target(int flow) {
      LedbatFlowSpec ledbat = file.flows().get(flow).ledbat();
      return ledbat == null ? 0 : ledbat.config().parameters().targetDelayMicros();
    }
  }
}
