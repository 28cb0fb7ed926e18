package ebb.storage.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.rand.SeededRandom;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Comparison;
import ebb.core.stats.Interval;
import ebb.core.stats.Summary;
import ebb.storage.report.Samples;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb storage compare}: what two files of results let one say. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Compare two files of results, case by case.",
      "Faster or slower by how much, with an interval, or not distinguishable. The files are those",
      "of 'ebb storage run --out'; six repetitions a side are needed."
    })
public final class StorageCompareCommand implements EbbCommand {
  private static final double CONFIDENCE = 0.95;

  @Parameters(index = "0", paramLabel = "BASELINE", description = "A file of results.")
  Path baseline = Path.of("");

  @Parameters(index = "1", paramLabel = "CANDIDATE", description = "Another.")
  Path candidate = Path.of("");

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() {
    Samples before = Samples.of(ResultFile.read(baseline).records());
    Samples after = Samples.of(ResultFile.read(candidate).records());
    Output output = Output.standard(json);
    ResultRecord.Builder result =
        ResultRecord.of("storage compare")
            .fact("baseline", baseline.toString())
            .fact("candidate", candidate.toString());
    int compared = 0;
    for (Samples.Key key : before.keys()) {
      double[] a = before.values(key);
      double[] b = after.values(key);
      if (a.length == 0 || b.length == 0) {
        continue;
      }
      compared++;
      Comparison comparison = Comparison.of(a, b, CONFIDENCE, new SeededRandom(1));
      String verdict = words(comparison, key.lowerIsBetter());
      output.line(
          TerminalText.printable(
              String.format(
                  Locale.ROOT,
                  "%-44s %s -> %s: %s",
                  key.words(),
                  key.show(Summary.of(a).median()),
                  key.show(Summary.of(b).median()),
                  verdict)));
      result.row(row(key, a, b, comparison, verdict));
    }
    for (Samples.Key key : before.keys()) {
      if (after.values(key).length == 0) {
        output.line(TerminalText.printable(key.words() + ": only in the baseline"));
      }
    }
    for (Samples.Key key : after.keys()) {
      if (before.values(key).length == 0) {
        output.line(TerminalText.printable(key.words() + ": only in the candidate"));
      }
    }
    result.figure("compared", compared);
    output.json(result.build(true, 0).toJson());
    return 0;
  }

  /** What may be said of a candidate, in words. */
  static String words(Comparison comparison, boolean lowerIsBetter) {
    return switch (comparison.verdict()) {
      case NOT_DISTINGUISHABLE -> "not distinguishable";
      case TOO_FEW_RUNS ->
          "too few runs to tell (" + Comparison.runsNeeded(CONFIDENCE) + " a side are needed)";
      case HIGHER, LOWER -> {
        boolean higher = comparison.verdict() == Comparison.Verdict.HIGHER;
        Optional<Interval> interval = comparison.medianRatioInterval();
        double low = interval.map(Interval::low).orElse(comparison.medianRatio());
        double high = interval.map(Interval::high).orElse(comparison.medianRatio());
        yield String.format(
            Locale.ROOT,
            "%s by %.1f%% [%.1f%%, %.1f%%]",
            higher == lowerIsBetter ? "slower" : "faster",
            100 * Math.abs(comparison.medianRatio() - 1),
            100 * Math.min(Math.abs(low - 1), Math.abs(high - 1)),
            100 * Math.max(Math.abs(low - 1), Math.abs(high - 1)));
      }
    };
  }

  private static Map<String, @Nullable Object> row(
      Samples.Key key, double[] a, double[] b, Comparison comparison, String verdict) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("what", key.words());
    row.put("baseline_runs", (long) a.length);
    row.put("candidate_runs", (long) b.length);
    row.put("baseline_median", Summary.of(a).median());
    row.put("candidate_median", Summary.of(b).median());
    row.put("median_ratio", comparison.medianRatio());
    row.put("ratio_low", comparison.medianRatioInterval().map(Interval::low).orElse(null));
    row.put("ratio_high", comparison.medianRatioInterval().map(Interval::high).orElse(null));
    row.put("verdict", verdict);
    return row;
  }
}
