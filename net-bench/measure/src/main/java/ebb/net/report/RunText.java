package ebb.net.report;

import ebb.core.stats.LatencyHistogram;
import ebb.core.units.Human;
import ebb.net.client.ServerClock;
import ebb.net.control.FlowCounts;
import ebb.net.control.OneWay;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.Column;
import ebb.net.run.FlowSample;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import ebb.net.run.RunSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A run as lines for people, in iperf3's columns; transfer in powers of 1000. */
public final class RunText {
  private RunText() {}

  /** Above the intervals. */
  public static String header(NetPlan plan) {
    TestSpec spec = plan.spec();
    StringBuilder header = new StringBuilder("[ ID] Interval           Transfer    Bitrate       ");
    if (plan.mechanism().isDatagrams()) {
      header.append(spec.up() ? "  Datagrams  Limited by" : "  Jitter    Lost/Total Datagrams");
    } else if (spec.up()) {
      told(plan).forEach(column -> header.append("  ").append(pad(column, column.heading())));
      header.append("  Limited by");
    }
    if (spec.mode() == Mode.STOP_AND_WAIT) {
      header.append("  Round trip p50");
    }
    return header.toString();
  }

  /** What is measured with what, for those who want to know. */
  public static String test(NetPlan plan) {
    TestSpec spec = plan.spec();
    String until =
        spec.amountBytes() > 0
            ? spec.amountBytes() * spec.streams() + " bytes"
            : Human.micros(plan.durationMicros());
    return String.format(
        Locale.ROOT,
        "%d stream%s, messages of %d bytes, %s, after %s left out; Java %s, %s %s",
        spec.streams(),
        spec.streams() == 1 ? "" : "s",
        spec.messageBytes(),
        until,
        Human.micros(plan.warmUpMicros()),
        System.getProperty("java.version"),
        System.getProperty("os.name"),
        System.getProperty("os.version"));
  }

  /** What the run cost here. */
  public static List<String> cost(RunOutcome outcome) {
    double micros = Math.max(1, outcome.measuredMicros());
    return List.of(
        String.format(
            Locale.ROOT,
            "CPU of this process: %.1f%% of one%s",
            100 * outcome.cpuNanos() / 1e3 / micros,
            outcome.plan().iperf3() ? "" : "; " + clocks(outcome.clocks())));
  }

  /** What is known of the server's clock. */
  private static String clocks(ServerClock.Comparison clocks) {
    return String.format(
        Locale.ROOT,
        "clocks within %s if the empty path is even, within %s if not",
        Human.micros(clocks.errorIfEvenMicros()),
        Human.micros(clocks.errorMicros()));
  }

  private static List<Column> told(NetPlan plan) {
    return plan.mechanism().columns().stream().filter(c -> !c.heading().isEmpty()).toList();
  }

  private static String pad(Column column, String words) {
    return String.format(Locale.ROOT, column.growing() ? "%4s" : "%-8s", words);
  }

  /** The lines of one interval. */
  public static List<String> interval(NetPlan plan, RunSample sample, RateFormat format) {
    TestSpec spec = plan.spec();
    List<String> lines = new ArrayList<>();
    for (FlowSample flow : sample.flows()) {
      String id = String.format(Locale.ROOT, "[%3d]", flow.stream());
      lines.add(line(id, plan, sample, flow, format));
    }
    if (spec.streams() > 1) {
      for (boolean sending : new boolean[] {true, false}) {
        if (sending ? spec.up() : spec.down()) {
          lines.add(
              start(
                      "[SUM]",
                      spec,
                      sample,
                      sending,
                      sample.toMicros(sending),
                      sample.arrivedBytes(sending),
                      format.text(sample.bitsPerSecond(sending)))
                  .toString()
                  .stripTrailing());
        }
      }
    }
    return lines;
  }

  private static StringBuilder start(
      String id,
      TestSpec spec,
      RunSample sample,
      boolean sending,
      long toMicros,
      long bytes,
      String rate) {
    StringBuilder line = new StringBuilder(id);
    if (spec.up() && spec.down()) {
      line.append(sending ? "[TX]" : "[RX]");
    }
    line.append(
        String.format(
            Locale.ROOT,
            " %6.2f-%-6.2f sec  %-10s  %-14s",
            sample.fromMicros() / 1e6,
            toMicros / 1e6,
            Human.bytes((double) bytes),
            rate));
    return line;
  }

  private static String line(
      String id, NetPlan plan, RunSample sample, FlowSample flow, RateFormat format) {
    TestSpec spec = plan.spec();
    long toMicros = sample.fromMicros() + flow.micros();
    String rate = format.text(flow.bitsPerSecond());
    StringBuilder line =
        start(id, spec, sample, flow.sending(), toMicros, flow.arrivedBytes(), rate);
    boolean datagrams = plan.mechanism().isDatagrams();
    if (datagrams && !flow.sending()) {
      line.append("  ").append(jitterAndLoss(flow.counts()));
    } else if (datagrams) {
      line.append(String.format(Locale.ROOT, "  %-9d", flow.counts().messages()));
      if (spec.mode() == Mode.STOP_AND_WAIT) {
        line.append(String.format(Locale.ROOT, "  %d resent", flow.counts().retransmitted()));
      } else {
        line.append("  ").append(flow.limits().text());
      }
    } else if (flow.sending()) {
      told(plan)
          .forEach(
              column -> line.append("  ").append(pad(column, text(column, flow.value(column)))));
      line.append("  ").append(flow.limits().text());
    }
    if (spec.mode() == Mode.STOP_AND_WAIT && flow.sending() && sample.latency().count() > 0) {
      line.append("  ").append(Human.micros((long) sample.latency().percentileMicros(50)));
    }
    return line.append(sample.warmUp() ? "  (omitted)" : "").toString().stripTrailing();
  }

  private static String jitterAndLoss(FlowCounts counts) {
    long total = counts.messages() + counts.lost();
    return String.format(
        Locale.ROOT,
        "%-8s  %d/%d (%s)",
        Human.micros(counts.jitterMicros()),
        counts.lost(),
        total,
        total == 0 ? "-" : String.format(Locale.ROOT, "%.2g%%", 100.0 * counts.lost() / total));
  }

  private static String text(Column column, @Nullable Long value) {
    if (value == null) {
      return "-";
    }
    return switch (column.unit()) {
      case COUNT, OFFSET_MICROS -> value.toString();
      case BYTES -> Human.bytes((double) value);
      case MICROS -> Human.micros(value);
    };
  }

  /** What the whole run came to. */
  public static List<String> summary(RunOutcome outcome, RateFormat format) {
    TestSpec spec = outcome.plan().spec();
    List<String> lines = new ArrayList<>();
    lines.add("- - - - - - - - - - - - - - - - - - - - - - - - -");
    if (spec.up()) {
      direction(lines, outcome, true, format);
    }
    if (spec.down()) {
      direction(lines, outcome, false, format);
    }
    latency(lines, "Round trip", outcome.latency());
    if (spec.bitsPerSecond() > 0) {
      latency(lines, "Round trip from the planned time", outcome.plannedLatency());
      outcome.behindPlan().ifPresent(lines::add);
    }
    String seconds = String.format(Locale.ROOT, "%.2f s", outcome.measuredMicros() / 1e6);
    FlowCounts sent = outcome.measured(spec.up()).sent();
    lines.add(
        "Transmission time "
            + seconds
            + ", "
            + sent.messages()
            + " messages sent, "
            + sent.bytes()
            + " bytes sent");
    if (outcome.droppedBytes() > 0) {
      lines.add(
          Human.bytes((double) outcome.droppedBytes())
              + " had not arrived when the time was over; they were dropped and are not counted");
    }
    lines.addAll(outcome.facts());
    outcome.disagreements().forEach(line -> lines.add("The two ends do not agree: " + line));
    return lines;
  }

  private static void direction(
      List<String> lines, RunOutcome outcome, boolean up, RateFormat format) {
    FlowCounts sent = outcome.measured(up).sent();
    FlowCounts received = outcome.measured(up).received();
    boolean both = outcome.plan().spec().up() && outcome.plan().spec().down();
    String id = both ? (up ? "[TX]" : "[RX]") : "     ";
    boolean told = outcome.serverTold(up);
    lines.add(
        up || told
            ? total(id, outcome.measuredMicros(), sent, format.text(outcome.sentBitsPerSecond(up)))
                + "sender"
            : id + " what the server sent is not known");
    String more = "";
    if (outcome.plan().mechanism().isDatagrams()) {
      RunOutcome.BothEnds whole = outcome.whole(up);
      more =
          String.format(
              Locale.ROOT,
              "  jitter %s, lost %s, %d duplicates, %d out of order",
              Human.micros(received.jitterMicros()),
              outcome.serverCounted() ? lost(whole) : "not known",
              received.duplicates(),
              received.outOfOrder());
    }
    lines.add(
        !up || told
            ? total(
                    id,
                    outcome.receivingMicros(up),
                    received,
                    format.text(outcome.receivedBitsPerSecond(up)))
                + "receiver"
                + more
            : id + " what the server received is not known");
    OneWay oneWay = outcome.oneWay(up);
    if (oneWay.isKnown()) {
      String delays =
          outcome.clocksTell(oneWay)
              ? String.format(
                  Locale.ROOT,
                  "min/avg/max = %s / %s / %s",
                  Human.micros(oneWay.minMicros()),
                  Human.micros(oneWay.meanMicros()),
                  Human.micros(oneWay.maxMicros()))
              : "not known, as it is less than the clocks' error";
      lines.add(
          String.format(
              Locale.ROOT,
              "      one-way delay %s; avg/max above min = %s / %s",
              delays,
              Human.micros(oneWay.meanMicros() - oneWay.minMicros()),
              Human.micros(oneWay.maxMicros() - oneWay.minMicros())));
      lines.add("      " + clocks(outcome.clocks()));
    }
    outcome
        .steady(up)
        .filter(steady -> steady.fromMicros() > 0)
        .ifPresent(
            steady ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "      steady from %.2f sec on, at %s (-O leaves the beginning out)",
                        steady.fromMicros() / 1e6,
                        format.text(steady.bitsPerSecond()))));
    if (sent.retransmitted() > 0) {
      lines.add("      " + sent.retransmitted() + " messages sent again");
    }
  }

  private static String lost(RunOutcome.BothEnds whole) {
    return String.format(
        Locale.ROOT,
        "%d/%d (%.2g%%)",
        whole.missing(),
        whole.sent().messages(),
        100 * whole.lossRatio());
  }

  private static String total(String id, long micros, FlowCounts counts, String rate) {
    return String.format(
        Locale.ROOT,
        "%s %6.2f-%-6.2f sec  %-10s  %-14s  %d messages  ",
        id,
        0.0,
        micros / 1e6,
        Human.bytes((double) counts.bytes()),
        rate,
        counts.messages());
  }

  private static void latency(List<String> lines, String what, LatencyHistogram latency) {
    if (latency.count() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s min/avg/p50/p99/p99.9/max = %s / %s / %s / %s / %s / %s",
              what,
              Human.micros((long) latency.minMicros()),
              Human.micros((long) latency.meanMicros()),
              Human.micros((long) latency.percentileMicros(50)),
              Human.micros((long) latency.percentileMicros(99)),
              Human.micros((long) latency.percentileMicros(99.9)),
              Human.micros((long) latency.maxMicros())));
    }
  }
}
