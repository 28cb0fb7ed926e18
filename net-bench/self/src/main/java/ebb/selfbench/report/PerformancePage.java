package ebb.selfbench.report;

import ebb.core.result.ResultRecord;
import ebb.core.stats.Summary;
import ebb.selfbench.subject.Headline;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Series;
import ebb.selfbench.subject.Verdict;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A run as docs/performance.md: for people, in lines of at most 100 characters. */
final class PerformancePage {
  private static final int WIDTH = 100;

  private PerformancePage() {}

  static String of(
      ResultRecord result,
      List<Series> series,
      List<Verdict> verdicts,
      Map<String, String> versions,
      Period period) {
    List<String> lines = new ArrayList<>();
    lines.add("# Performance");
    lines.add("");
    wrap(
        lines,
        "Written by `ebb bench transport --write docs/performance.md` on "
            + result.started().substring(0, 16).replace('T', ' ')
            + " UTC. How it came to be so is in [performance-notes.md](performance-notes.md).");
    lines.add("");
    wrap(lines, setting(result, series, versions, period));
    lines.add("");
    result.warnings().forEach(warning -> wrap(lines, "**" + warning + "**"));
    targets(lines, verdicts);
    List<Series> commands = series.stream().filter(one -> one.subject().isCommand()).toList();
    List<Series> engine = series.stream().filter(one -> !one.subject().isCommand()).toList();
    throughput(lines, "Commands", commands);
    latency(lines, "Starts of commands", commands);
    throughput(lines, "Throughput", engine);
    latency(lines, "Latency", engine);
    memory(lines, series);
    method(lines);
    return String.join("\n", lines) + "\n";
  }

  private static String setting(
      ResultRecord result, List<Series> series, Map<String, String> versions, Period period) {
    IntSummaryStatistics rounds =
        series.stream()
            .filter(one -> one.measured() && one.subject().repeats())
            .mapToInt(one -> one.samples().size())
            .summaryStatistics();
    int most = Math.max(1, rounds.getMax());
    int least = Math.min(most, rounds.getMin());
    Map<String, String> machine = result.environment();
    StringBuilder text = new StringBuilder();
    text.append(machine.get("cpus")).append(" processors (");
    text.append(machine.getOrDefault("cpu", machine.getOrDefault("arch", "?"))).append("), ");
    text.append(machine.get("os")).append(", ").append(machine.get("jvm")).append(". ");
    versions.forEach((name, version) -> text.append(name + " " + version + ", "));
    text.append(
        String.format(
            Locale.ROOT,
            "rmem_max %s. Each figure is the median of %s rounds in which its subjects took turns,"
                + " %.1f s of each after %.1f s of warm-up, and each ratio that of the rounds' ratios;"
                + " sender and receiver are processes of their own, and CPU is that of both.",
            machine.getOrDefault("rmem_max_bytes", "?"),
            least == most ? most : least + " to " + most,
            period.millis() / 1e3,
            period.warmUpMillis() / 1e3));
    return text.toString();
  }

  private static void targets(List<String> lines, List<Verdict> verdicts) {
    lines.add("## Targets");
    lines.add("");
    lines.add("|   | what | measured | wanted | verdict |");
    lines.add("|---|---|---|---|---|");
    for (Verdict one : verdicts) {
      lines.add(
          String.format(
              Locale.ROOT,
              "| %d | %s | %s | %s | %s |",
              one.target().number(),
              one.target().what(),
              one.measuredText(),
              one.wantedText(),
              one.met() || !one.wasMeasured() ? one.word() : "**" + one.word() + "**"));
    }
    lines.add("");
    verdicts.stream()
        .filter(one -> !one.wasMeasured())
        .forEach(
            one ->
                wrap(
                    lines,
                    "- "
                        + one.target().number()
                        + ", "
                        + one.target().what()
                        + ": not measured because "
                        + one.reason()));
    wrap(
        lines,
        "16-bit sequence numbers can tell 32,767 packets apart. Ebb has at most 16,320 packets of a"
            + " connection in flight to another Ebb, and 1,000 to other programs: with datagrams of"
            + " 1,400 bytes 22.5 MB, or 0.90 Gbit/s at a round trip of 200 ms.");
    lines.add("");
  }

  private static void throughput(List<String> lines, String title, List<Series> series) {
    lines.add("## " + title);
    lines.add("");
    lines.add("| name | | MB/s | min to max | CPU s/GB |");
    lines.add("|---|---|---|---|---|");
    for (Series one : series) {
      if (one.hasRate()) {
        Summary rate = one.rate();
        lines.add(
            String.format(
                Locale.ROOT,
                "| `%s` | %s | %.0f | %.0f to %.0f | %s |",
                one.name(),
                one.subject().what(),
                rate.median(),
                rate.min(),
                rate.max(),
                Sample.cpuText(one.cpuSecondsPerGigabyte())));
      } else if (!one.measured()) {
        lines.add(
            String.format(Locale.ROOT, "| `%s` | %s | | | |", one.name(), one.subject().what()));
      }
    }
    lines.add("");
    series.stream()
        .filter(one -> !one.measured())
        .forEach(
            one -> wrap(lines, "- `" + one.name() + "`: not measured because " + one.missing()));
    lines.add("");
  }

  private static void latency(List<String> lines, String title, List<Series> series) {
    lines.add("## " + title);
    lines.add("");
    lines.add("| name | | p50 us | p99 us | p99.9 us |");
    lines.add("|---|---|---|---|---|");
    for (Series one : series) {
      Headline headline = one.subject().headline();
      if (one.measured() && headline.kind() == Headline.Kind.LATENCY) {
        lines.add(
            String.format(
                Locale.ROOT,
                "| `%s` | %s | %.0f | %.0f | %.0f |",
                one.name(),
                one.subject().what(),
                one.detail(headline.p50()),
                one.detail(headline.p99()),
                one.detail(headline.p999())));
      }
    }
    lines.add("");
  }

  private static void memory(List<String> lines, List<Series> series) {
    lines.add("## Memory");
    lines.add("");
    lines.add("JVMs with `-Xmx256m` and G1; a pause is the longest that was seen in any round.");
    lines.add("");
    lines.add("| name | side | allocated B/packet | longest pause, ms | heap peak, MiB |");
    lines.add("|---|---|---|---|---|");
    for (Series one : series) {
      for (String side : List.of("sender", "receiver")) {
        if (Double.isFinite(one.detail(side + "_allocated_bytes_per_packet"))) {
          lines.add(
              String.format(
                  Locale.ROOT,
                  "| `%s` | %s | %.1f | %.0f | %.0f |",
                  one.name(),
                  side,
                  one.detail(side + "_allocated_bytes_per_packet"),
                  one.largest(side + "_gc_max_millis"),
                  one.largest(side + "_heap_peak_bytes") / (1 << 20)));
        }
      }
    }
    lines.add("");
  }

  private static void method(List<String> lines) {
    lines.add("## What is compared");
    lines.add("");
    wrap(
        lines,
        "- Ebb, NettyNetwork, TCP and bare UDP are Java, JVMs of 256 MiB with G1; streams of Ebb"
            + " and TCP carry numbers that the receiver checks. Ebb's connections have full-sized"
            + " datagrams from their start and its default congestion control.");
    wrap(
        lines,
        "- Bare UDP is what Netty can send and receive with no protocol; what arrives counts, the"
            + " rest is lost.");
    wrap(
        lines,
        "- Messages have an application's window of 8 MB (16 to 4,096 messages) and an"
            + " acknowledgement for every quarter of it; over UDP 48 KB, because NettyNetwork's"
            + " socket buffers are 64 KB.");
    wrap(
        lines,
        "- libutp has 4 MB socket buffers and neither content nor hashes; the other programs make"
            + " and hash their content, libtorrent reads and writes files.");
    wrap(
        lines,
        "- Commands are processes as users start them; what cat and socat take, and small files,"
            + " is from the sender's start to the last byte, Java's start and its compiler"
            + " included. A start's last columns are its slowest.");
    wrap(
        lines,
        "- rsync sends over TCP to a daemon of its own. Its time, and that of small files, which are"
            + " flushed on both sides of the comparison, is from the sender's start to its end.");
    wrap(
        lines,
        "- Echo times are from the planned time of each message (no coordinated omission). Delay"
            + " noise is each one-way delay that LEDBAT sees above the least of its period.");
    wrap(
        lines,
        "- The 1,000 connections have 128 KiB of send and receive buffer each; the simulated"
            + " connection has 64 MB.");
  }

  private static void wrap(List<String> lines, String text) {
    String indent = text.startsWith("- ") ? "  " : "";
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
        line.append(word);
      } else {
        line.append(line.length() == 0 ? "" : " ").append(word);
      }
    }
    lines.add(line.toString());
  }
}
