package ebb.net.yield;

import ebb.core.units.Human;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.report.RateBars;
import ebb.net.yield.YieldFigures.PhaseFigures;
import ebb.net.yield.YieldTrace.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** An outcome in words, at most 100 columns wide. It computes no figures. */
final class YieldText {
  private static final String ROW = "%-25s %12s %12s %12s %12s %7s %7s";
  private static final long RATE_MICROS = 1_000_000;

  /** Of a small plot. */
  private static final int BARS = 4;

  private YieldText() {}

  static List<String> lines(YieldOutcome outcome, Thresholds thresholds) {
    List<String> lines = new ArrayList<>();
    YieldFigures f = outcome.figures;
    lines.add(setUp(outcome));
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            ROW,
            "",
            outcome.plan.yielder().word(),
            "TCP",
            "queue median",
            "queue 95%",
            "resent",
            "TCP's"));
    for (PhaseFigures phase : f.phases()) {
      lines.add(
          String.format(
                  Locale.ROOT,
                  ROW,
                  name(outcome.plan, phase.phase()),
                  Human.bitRate(phase.ledbatBitsPerSecond()),
                  Human.bitRate(phase.tcpBitsPerSecond()),
                  micros(phase.queueMedianMicros()),
                  micros(phase.queueP95Micros()),
                  count(phase.ledbatRetransmitted()),
                  count(phase.tcpRetransmitted()))
              .stripTrailing());
    }
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%s alone, settled: %s; TCP %s alone, %s beside it",
            outcome.plan.yielder().word(),
            Human.bitRate(f.ledbat().aloneBitsPerSecond()),
            Human.bitRate(f.tcp().aloneBitsPerSecond()),
            Human.bitRate(f.tcp().contendedBitsPerSecond())));
    lines.add(
        String.format(
            Locale.ROOT,
            "base round trip %s; the base delay moved by %s; the settled share %s",
            micros(f.path().baseRttMicros()),
            micros(f.path().baseDelayRangeMicros()),
            percent(f.share().settledRatio())));
    String probe = probe(outcome);
    if (!probe.isEmpty()) {
      lines.add("added to a probe, median: " + probe);
    }
    lines.add("");
    for (Thresholds.Check check : thresholds.judge(f, outcome.plan.yielder())) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-33s %10s   %-18s %s",
              check.words(),
              value(check, check.value()),
              limit(check),
              word(check)));
    }
    if (f.share().wholeRatio() > thresholds.maxShareRatio()
        && f.share().settledRatio() <= thresholds.maxShareRatio()) {
      lines.add("the settled share keeps the bound: joining weighs less in a longer --contended");
    }
    lines.add(verdict(outcome, thresholds));
    return lines;
  }

  /** What each did to a probe that is neither's; empty without one. */
  static String probe(YieldOutcome outcome) {
    String it = outcome.plan.yielder().word();
    List<String> words = new ArrayList<>();
    for (PhaseFigures phase : outcome.figures.phases()) {
      if (Double.isFinite(phase.probeMedianMicros())) {
        String who =
            switch (phase.phase().kind()) {
              case TCP_ALONE, TCP_LEAD -> "TCP";
              case ALONE -> it;
              case CONTENDED -> "both";
              case AFTER -> it + " after";
            };
        words.add(who + " +" + micros(phase.probeMedianMicros()));
      }
    }
    return String.join(", ", words);
  }

  static String setUp(YieldOutcome outcome) {
    YieldPlan plan = outcome.plan;
    String server = outcome.server.getAddress().getHostAddress();
    String first = plan.first() == YieldPlan.First.LEDBAT ? plan.yielder().word() : "TCP";
    return switch (plan.yielder()) {
      case LEDBAT_SENDER ->
          "LEDBAT (%s) and TCP (%s) to %s, %s first; payload rates at the receiver"
              .formatted(plan.controller(), outcome.congestion, server, first);
      case LEDBAT_RECEIVER ->
          "LEDBAT whose receiver yields (%s), and TCP, both from %s, %s first"
              .formatted(plan.controller(), server, first);
      case TCP_RECEIVER ->
          "TCP that its receiver keeps in the background, and TCP, both from %s, %s first"
              .formatted(
                  server, plan.first() == YieldPlan.First.LEDBAT ? "the former" : "the latter");
    };
  }

  static String verdict(YieldOutcome outcome, Thresholds thresholds) {
    return outcome.failure() != null
        ? "verdict: incomplete"
        : outcome.holds(thresholds) ? "verdict: it yields" : "verdict: FAILED";
  }

  static String name(YieldPlan plan, Phase phase) {
    return String.format(
        Locale.ROOT,
        "%s, %s",
        phase.kind().words(plan.yielder()),
        Human.micros(phase.lengthMicros()));
  }

  static String word(Thresholds.Check check) {
    return Double.isInfinite(check.limit()) ? "not judged" : check.holds() ? "ok" : "FAILED";
  }

  static String limit(Thresholds.Check check) {
    return Double.isInfinite(check.limit()) ? "" : "at most " + value(check, check.limit());
  }

  static String value(Thresholds.Check check, double value) {
    if (Double.isNaN(value)) {
      return "none";
    }
    return check.isTime() ? micros(value) : percent(value);
  }

  static String micros(double value) {
    return Double.isFinite(value) ? Human.micros(Math.round(value)) : "-";
  }

  static String percent(double ratio) {
    return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.1f%%", ratio * 100) : "-";
  }

  static String count(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.0f", value) : "-";
  }

  /** One line while it runs. */
  static String progress(
      YieldPlan plan, YieldTrace trace, String phase, long nowMicros, long startMicros) {
    return String.format(
        Locale.ROOT,
        "%5.1f s  %-20s %s %11s  TCP %11s%s",
        (nowMicros - startMicros) / 1e6,
        phase,
        plan.yielder().word(),
        Human.bitRate(latest(trace.ledbat, trace, nowMicros)),
        Human.bitRate(latest(trace.tcp, trace, nowMicros)),
        queue(trace, nowMicros) + window(trace, nowMicros));
  }

  /** The same for a terminal, of 80 columns or more, with the latest rates as small plots. */
  static String plotted(YieldPlan plan, YieldTrace trace, String phase, long nowMicros) {
    List<Double> mine = rates(trace.ledbat, trace, nowMicros);
    List<Double> others = rates(trace.tcp, trace, nowMicros);
    double most = Math.max(1, Math.max(Collections.max(mine), Collections.max(others)));
    String queue = queue(trace, nowMicros);
    return String.format(
        Locale.ROOT,
        "%-16s  %s %s %s  TCP %s %s%s",
        phase,
        plan.yielder().word(),
        RateBars.text(mine, most),
        Human.bitRate(latest(trace.ledbat, trace, nowMicros)),
        RateBars.text(others, most),
        Human.bitRate(latest(trace.tcp, trace, nowMicros)),
        queue.isEmpty() || trace.ledbat.limit.isEmpty()
            ? queue
            : queue + "  limit " + trace.ledbat.limit);
  }

  private static double latest(YieldTrace.Kind kind, YieldTrace trace, long nowMicros) {
    long last = trace.lastArrivalMicros(nowMicros);
    return kind.bitsPerSecond(last - RATE_MICROS, last);
  }

  /** The latest seconds', in order. */
  private static List<Double> rates(YieldTrace.Kind kind, YieldTrace trace, long nowMicros) {
    long last = trace.lastArrivalMicros(nowMicros);
    List<Double> rates = new ArrayList<>();
    for (int ago = BARS; ago > 0; ago--) {
      long from = last - ago * RATE_MICROS;
      rates.add(kind.bitsPerSecond(from, from + RATE_MICROS));
    }
    return rates;
  }

  /** What its sender says of the queue; empty when that is long ago. */
  private static String queue(YieldTrace trace, long nowMicros) {
    return fresh(trace, nowMicros)
        .map(sample -> "  queue " + micros(sample.value(LedbatColumns.QUEUING_DELAY)))
        .orElse("");
  }

  private static String window(YieldTrace trace, long nowMicros) {
    return fresh(trace, nowMicros)
        .map(sample -> "  window " + Human.bytes(sample.value(Column.CWND)))
        .orElse("");
  }

  private static Optional<Sample> fresh(YieldTrace trace, long nowMicros) {
    return trace.ledbat.last().filter(sample -> nowMicros - sample.micros() < RATE_MICROS);
  }
}
