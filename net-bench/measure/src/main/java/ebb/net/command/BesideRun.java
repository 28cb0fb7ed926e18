package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.rand.SeededRandom;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Comparison;
import ebb.core.stats.Summary;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ebb and iperf3 in turn over one path, so that what changes on it in between meets both, and Ebb's
 * efficiency beside it.
 */
final class BesideRun {
  private static final double CONFIDENCE = 0.95;
  private static final long SEED = 6;

  private final NetPlan plan;
  private final int repeat;
  private final Iperf3Client iperf3;
  private final List<Map<String, @Nullable Object>> own = new ArrayList<>();
  private final List<Map<String, @Nullable Object>> theirs = new ArrayList<>();

  BesideRun(NetPlan plan, int repeat, Iperf3Client iperf3) {
    this.plan = plan;
    this.repeat = repeat;
    this.iperf3 = iperf3;
  }

  /** Measures and shows. */
  ExitCode measure(NetSession session, Output output, ResultRecord.Builder result)
      throws InterruptedException {
    Progress progress = Progress.standard(output);
    // Not counted: Java compiles while it runs, so that the first run is of something else.
    progress.update(() -> "warming up: " + plan.spec().name());
    EbbException failure = session.run(plan).failure();
    for (int run = 1; run <= repeat && failure == null && !session.stopped(); run++) {
      String doing = "run " + run + " of " + repeat + ": " + plan.spec().name();
      try {
        progress.update(() -> doing + ", Ebb");
        RunOutcome outcome = session.run(plan);
        add(own, "ebb", run, NetFigures.row(outcome), result);
        failure = outcome.failure();
        if (failure == null && !session.stopped()) {
          progress.update(() -> doing + ", iperf3");
          add(theirs, "iperf3", run, iperf3.run(plan), result);
        }
      } catch (EbbException none) {
        if (own.isEmpty() || theirs.isEmpty()) {
          throw none;
        }
        failure = NetFigures.afterOthers(none, run, repeat);
      }
    }
    progress.clear();
    result.fact("a", "iperf3").fact("b", "ebb").fact(Keys.SERVER, Addresses.text(plan.server()));
    result.fact(Keys.PROTOCOL, plan.spec().protocol()).figure("repeat", repeat);
    show(output, result);
    if (failure != null) {
      output.note("ebb: " + failure.getMessage());
      result.warning("incomplete: " + failure.getMessage());
    }
    return failure == null && !session.stopped() ? ExitCode.DONE : ExitCode.INCOMPLETE;
  }

  private static void add(
      List<Map<String, @Nullable Object>> to,
      String tool,
      int run,
      Map<String, @Nullable Object> figures,
      ResultRecord.Builder result) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("tool", tool);
    row.put(Keys.RUN, (long) run);
    row.putAll(figures);
    to.add(row);
    result.row(row);
  }

  private void show(Output output, ResultRecord.Builder result) {
    List<List<String>> table = new ArrayList<>();
    table.add(List.of(plan.spec().name(), "Ebb", "iperf3", "Ebb beside iperf3"));
    for (String name : List.of(Keys.RECEIVED_RATE, Keys.LOSS_RATIO, Keys.JITTER_MICROS)) {
      double[] mine = values(own, name);
      double[] other = values(theirs, name);
      if (mine.length == 0 || other.length == 0) {
        continue;
      }
      Summary a = Summary.of(other);
      Summary b = Summary.of(mine);
      result.figure("ebb_p50_" + name, b.median()).figure("iperf3_p50_" + name, a.median());
      String words = "";
      if (a.min() > 0) {
        Comparison comparison = Comparison.of(other, mine, CONFIDENCE, new SeededRandom(SEED));
        boolean rate = name.equals(Keys.RECEIVED_RATE);
        words = comparison.words(rate ? "faster" : "more", rate ? "slower" : "less");
        result.fact(name, words);
        if (rate) {
          result.figure("efficiency_ratio", comparison.medianRatio());
          String percent =
              String.format(Locale.ROOT, "efficiency %.1f%%, ", 100 * comparison.medianRatio());
          words = percent + words;
        }
      }
      table.add(
          List.of(
              name.replaceAll("_(bits_per_second|micros|ratio)$", "").replace('_', ' '),
              NetFigures.text(name, b.median()),
              NetFigures.text(name, a.median()),
              words));
    }
    SweepTables.table(table).forEach(output::line);
    output.line("Medians of " + own.size() + " runs of Ebb and " + theirs.size() + " of iperf3.");
  }

  private static double[] values(List<Map<String, @Nullable Object>> rows, String name) {
    return rows.stream()
        .map(row -> row.get(name))
        .filter(Number.class::isInstance)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .filter(Double::isFinite)
        .toArray();
  }
}
