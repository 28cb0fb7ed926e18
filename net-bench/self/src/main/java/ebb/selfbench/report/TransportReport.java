package ebb.selfbench.report;

import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Summary;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Results;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Series;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run found out: as text, as a record, as a page. */
public final class TransportReport {
  private final ResultRecord.Builder builder = ResultRecord.of("bench transport");
  private final Period period;
  private final Map<String, String> versions;
  private List<Series> series = List.of();
  private List<Verdict> verdicts = List.of();
  private @Nullable ResultRecord result;

  public TransportReport(
      int datagramBytes, Period period, int rounds, Map<String, String> versions) {
    this.period = period;
    this.versions = versions;
    builder
        .figure("datagram_bytes", datagramBytes)
        .figure("warm_up_millis", period.warmUpMillis())
        .figure("measured_millis", period.millis())
        .figure("rounds", rounds);
    versions.forEach((name, version) -> builder.fact("version_" + key(name), version));
  }

  /** The record before anything was measured. */
  public ResultRecord settings() {
    return builder.build(false, ExitCode.DONE.value());
  }

  /**
   * The run is over.
   *
   * @param all the subjects whose targets are judged, measured or not
   */
  public void add(Results run, List<Subject> all) {
    series = run.series();
    verdicts = run.judge(all);
    for (Series one : series) {
      if (!one.measured()) {
        builder.fact("not_measured_" + key(one.name()), one.missing());
      } else if (one.hasRate()) {
        figures(one);
      }
    }
    verdicts.forEach(verdict -> builder.row(row(verdict)));
    for (Series one : series) {
      one.samples().forEach((round, sample) -> builder.row(row(one, round, sample)));
    }
    result = builder.build(true, ExitCode.DONE.value());
  }

  private void figures(Series one) {
    Summary rate = one.rate();
    String name = key(one.name());
    builder
        .figure(name + "_megabytes_per_second", rate.median())
        .figure(name + "_min_megabytes_per_second", rate.min())
        .figure(name + "_max_megabytes_per_second", rate.max())
        .figure(name + "_cpu_seconds_per_gigabyte", one.cpuSecondsPerGigabyte());
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT).replace('-', '_');
  }

  private static Map<String, @Nullable Object> row(Verdict verdict) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("target", (long) verdict.target().number());
    row.put("what", verdict.target().what());
    row.put("measured", verdict.measured());
    row.put(verdict.target().atLeast() ? "at_least" : "at_most", verdict.target().bound());
    row.put("unit", verdict.target().unit());
    row.put("verdict", verdict.word());
    row.put("reason", verdict.reason());
    return row;
  }

  private static Map<String, @Nullable Object> row(Series one, int round, Sample sample) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("subject", one.name());
    row.put("round", (long) round);
    row.put("megabytes_per_second", sample.megabytesPerSecond());
    row.put("cpu_seconds_per_gigabyte", sample.cpuSecondsPerGigabyte());
    row.putAll(sample.details());
    return row;
  }

  /** For the terminal. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT, "%-16s %8s %15s %8s", "median", "MB/s", "min to max", "CPU s/GB"));
    for (Series one : series) {
      if (!one.measured()) {
        lines.add(String.format(Locale.ROOT, "%-16s not measured: %s", one.name(), one.missing()));
      } else if (one.hasRate()) {
        lines.add(line(one));
      }
    }
    lines.add("");
    for (Verdict one : verdicts) {
      // Those that nobody asked for would only be noise here.
      if (one.wasAskedFor()) {
        lines.add(line(one));
      }
    }
    return lines;
  }

  private static String line(Series one) {
    Summary rate = one.rate();
    return String.format(
        Locale.ROOT,
        "%-16s %8.0f %15s %8s  %s",
        one.name(),
        rate.median(),
        String.format(Locale.ROOT, "%.0f to %.0f", rate.min(), rate.max()),
        Sample.cpuText(one.cpuSecondsPerGigabyte()),
        one.subject().what());
  }

  private static String line(Verdict one) {
    return String.format(
        Locale.ROOT,
        "target %d  %-12s %-52s %s",
        one.target().number(),
        one.word(),
        one.target().what(),
        one.wasMeasured()
            ? one.measuredText() + ", wanted " + one.wantedText()
            : "because " + one.reason());
  }

  /** For machines. */
  public ResultRecord result() {
    ResultRecord present = result;
    if (present == null) {
      throw new IllegalStateException("the run is not over");
    }
    return present;
  }

  /** As Markdown. */
  public String page() {
    return PerformancePage.of(result(), series, verdicts, versions, period);
  }
}
