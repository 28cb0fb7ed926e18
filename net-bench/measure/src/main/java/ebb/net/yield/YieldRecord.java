package ebb.net.yield;

import ebb.core.result.ResultRecord;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.yield.YieldFigures.PhaseFigures;
import ebb.net.yield.YieldTrace.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An outcome for machines; docs/yield.md lists the names. It computes no figures. */
final class YieldRecord {
  private static final long STEP_MICROS = 100_000;

  /** The phase of a row while a flow connects or queues drain. */
  private static final String BETWEEN = "between";

  private YieldRecord() {}

  static void add(YieldOutcome outcome, Thresholds thresholds, ResultRecord.Builder result) {
    YieldFigures f = outcome.figures;
    List<Thresholds.Check> checks = thresholds.judge(f, outcome.plan.yielder());
    String failed =
        String.join(
            ",", checks.stream().filter(c -> !c.holds()).map(Thresholds.Check::key).toList());
    String verdict =
        outcome.failure() != null ? "incomplete" : failed.isEmpty() ? "holds" : "failed";
    result
        .fact("server", outcome.server.getAddress().getHostAddress())
        .fact("controller", outcome.plan.controller())
        .fact("tcp_congestion_control", outcome.congestion)
        .fact("first", outcome.plan.first().name().toLowerCase(Locale.ROOT))
        .fact("yielder", outcome.plan.yielder().name().toLowerCase(Locale.ROOT))
        .fact("direction", outcome.plan.download() ? "down" : "up")
        .fact("rates_counted_at", "receiver")
        .fact("verdict", verdict)
        .fact("failed", failed)
        .figure("server_port", outcome.server.getPort())
        .figure("alone_ledbat_rate_bits_per_second", f.ledbat().aloneBitsPerSecond())
        .figure("contended_ledbat_rate_bits_per_second", f.ledbat().contendedBitsPerSecond())
        .figure("after_ledbat_rate_bits_per_second", f.ledbat().afterBitsPerSecond())
        .figure("alone_tcp_rate_bits_per_second", f.tcp().aloneBitsPerSecond())
        .figure("contended_tcp_rate_bits_per_second", f.tcp().contendedBitsPerSecond())
        .figure("contended_share_ratio", f.share().wholeRatio())
        .figure("contended_settled_share_ratio", f.share().settledRatio())
        .figure("tcp_loss_ratio", f.tcp().lossRatio())
        .figure("recovery_micros", f.recoveryMicros())
        .figure("base_rtt_micros", f.path().baseRttMicros())
        .figure("base_delay_range_micros", f.path().baseDelayRangeMicros())
        .figure("clock_error_micros", outcome.clockErrorMicros);
    for (Phase.Kind kind : Phase.Kind.values()) {
      PhaseFigures phase =
          f.phases().stream().filter(p -> p.phase().kind() == kind).findFirst().orElse(null);
      String key = kind.key();
      double none = Double.NaN;
      result
          .figure(key + "_queue_median_micros", phase == null ? none : phase.queueMedianMicros())
          .figure(key + "_queue_p95_micros", phase == null ? none : phase.queueP95Micros())
          .figure(key + "_probe_median_micros", phase == null ? none : phase.probeMedianMicros())
          .figure(key + "_probe_p95_micros", phase == null ? none : phase.probeP95Micros())
          .figure(
              key + "_ledbat_retransmitted_packets",
              phase == null ? none : phase.ledbatRetransmitted())
          .figure(
              key + "_tcp_retransmitted_segments", phase == null ? none : phase.tcpRetransmitted())
          .figure(
              key + "_duration_micros",
              phase == null ? none : (double) phase.phase().lengthMicros());
    }
    for (Thresholds.Check check : checks) {
      result.figure("max_" + check.key() + (check.isTime() ? "_micros" : "_ratio"), check.limit());
    }
    rows(outcome, result);
    if (outcome.failure() != null) {
      result.warning("incomplete: " + outcome.failure().getMessage());
    }
  }

  /** A row for each tenth of a second, with the senders' latest samples in it. */
  private static void rows(YieldOutcome outcome, ResultRecord.Builder result) {
    YieldTrace trace = outcome.trace;
    double lowest = YieldFigures.lowestDelay(trace);
    List<Sample> ledbat = trace.ledbat.samples();
    List<Sample> tcp = trace.tcp.samples();
    int ledbatNext = 0;
    int tcpNext = 0;
    long last = trace.lastArrivalMicros(outcome.startMicros);
    for (long to = outcome.startMicros + STEP_MICROS; to <= last; to += STEP_MICROS) {
      long from = to - STEP_MICROS;
      Sample sender = null;
      while (ledbatNext < ledbat.size() && ledbat.get(ledbatNext).micros() <= to) {
        sender = ledbat.get(ledbatNext++);
      }
      Sample rival = null;
      while (tcpNext < tcp.size() && tcp.get(tcpNext).micros() <= to) {
        rival = tcp.get(tcpNext++);
      }
      Sample delayed = sender == null || !sender.hasDelay() ? null : sender;
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("at_micros", to - outcome.startMicros);
      row.put("phase", phaseAt(trace, to));
      row.put("ledbat_rate_bits_per_second", trace.ledbat.bitsPerSecond(from, to));
      row.put("tcp_rate_bits_per_second", trace.tcp.bitsPerSecond(from, to));
      row.put("ledbat_cwnd_bytes", value(sender, Column.CWND));
      row.put("ledbat_rtt_micros", value(sender, Column.RTT));
      row.put(
          "queuing_delay_micros",
          delayed == null ? null : (long) Math.max(0, delayed.delayMicros() - lowest));
      row.put("controller_queuing_delay_micros", value(delayed, LedbatColumns.QUEUING_DELAY));
      row.put(
          "base_delay_above_lowest_micros",
          delayed == null ? null : (long) (delayed.value(LedbatColumns.BASE_DELAY) - lowest));
      row.put("target_micros", value(sender, LedbatColumns.TARGET));
      row.put("tcp_cwnd_bytes", value(rival, Column.CWND));
      row.put("tcp_rtt_micros", value(rival, Column.RTT));
      result.row(row);
    }
  }

  private static @Nullable Long value(@Nullable Sample sample, Column column) {
    return sample == null ? null : sample.values().get(column);
  }

  private static String phaseAt(YieldTrace trace, long micros) {
    for (Phase phase : trace.phases()) {
      if (micros >= phase.fromMicros() && micros < phase.toMicros()) {
        return phase.kind().key();
      }
    }
    return BETWEEN;
  }
}
