package ebb.net.bench;

import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run found out, as text and as a record. */
final class TransportReport {
  private final ResultRecord.Builder result = ResultRecord.of("bench transport");
  private final List<String> lines = new ArrayList<>();

  TransportReport(int datagramBytes, Period period, int rounds) {
    result
        .figure("datagram_bytes", datagramBytes)
        .figure("warm_up_millis", period.warmUpMillis())
        .figure("measured_millis", period.millis())
        .figure("rounds", rounds);
  }

  void add(List<Series> series) {
    lines.add(
        String.format(
            Locale.ROOT,
            "%-18s %10s %17s %9s  %s",
            "",
            "MB/s",
            "min to max",
            "CPU s/GB",
            "median of " + "the rounds"));
    for (Series one : series) {
      if (one.measured()) {
        measured(one);
      } else {
        lines.add(String.format(Locale.ROOT, "%-18s not measured: %s", one.name(), one.missing()));
        result.fact("not_measured_" + one.name(), one.missing());
      }
      for (int round = 0; round < one.samples().size(); round++) {
        result.row(row(one, round + 1, one.samples().get(round)));
      }
    }
  }

  private void measured(Series one) {
    Summary rate = one.rate();
    String name = one.name().replace('-', '_');
    result
        .figure(name + "_megabytes_per_second", rate.median())
        .figure(name + "_min_megabytes_per_second", rate.min())
        .figure(name + "_max_megabytes_per_second", rate.max())
        .figure(name + "_cpu_seconds_per_gigabyte", one.cpuSecondsPerGigabyte());
    lines.add(
        String.format(
            Locale.ROOT,
            "%-18s %10.0f %17s %9.2f  %s",
            one.name(),
            rate.median(),
            String.format(Locale.ROOT, "%.0f to %.0f", rate.min(), rate.max()),
            one.cpuSecondsPerGigabyte(),
            one.subject().what()));
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

  List<String> lines() {
    return lines;
  }

  String toJson() {
    return result.build(true, ExitCode.DONE.value()).toJson();
  }
}
