package ebb.net.report;

import ebb.core.result.ResultRecord;
import ebb.core.stats.LatencyHistogram;
import ebb.net.Keys;
import ebb.net.client.ServerClock;
import ebb.net.control.FlowCounts;
import ebb.net.control.OneWay;
import ebb.net.control.TestSpec;
import ebb.net.flow.Column;
import ebb.net.run.FlowSample;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import ebb.net.run.RunSample;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run as figures, facts and rows of a result (docs/net-bench.md names them). */
public final class RunRecord {
  private RunRecord() {}

  /** Adds everything there is. */
  public static void add(RunOutcome outcome, ResultRecord.Builder result) {
    TestSpec spec = outcome.plan().spec();
    result.fact(Keys.PROTOCOL, spec.protocol()).fact(Keys.MODE, spec.mode().text());
    result.fact("direction", spec.up() ? (spec.down() ? "both" : "up") : "down");
    result.fact("payload", spec.verify() ? "verified" : "not verified");
    for (int i = 0; i < outcome.facts().size(); i++) {
      result.fact(i == 0 ? Keys.TRANSPORT : Keys.TRANSPORT + "_" + (i + 1), outcome.facts().get(i));
    }
    result.figure(Keys.MESSAGE_BYTES, spec.messageBytes()).figure("streams", spec.streams());
    result.figure(Keys.ASKED_RATE, spec.bitsPerSecond());
    result.figure("measured_micros", outcome.measuredMicros());
    result.figure("warm_up_micros", outcome.plan().warmUpMicros());
    result.figure("dropped_bytes", outcome.droppedBytes());
    if (!outcome.plan().iperf3()) {
      ServerClock.Comparison clocks = outcome.clocks();
      result.figure("clock_error_micros", clocks.errorMicros());
      result.figure("clock_error_if_even_micros", clocks.errorIfEvenMicros());
      result.figure("clock_drift_parts_per_million", clocks.driftPpm());
      result.figure("clock_drift_error_parts_per_million", clocks.driftErrorPpm());
    }
    direction(outcome, true, result);
    direction(outcome, false, result);
    latency(Keys.ROUND_TRIP, outcome.latency(), result);
    latency(Keys.PLANNED_ROUND_TRIP, outcome.plannedLatency(), result);
    long bytes = outcome.measured(true).sent().bytes() + outcome.measured(false).received().bytes();
    result.figure(
        "client_cpu_seconds_per_gigabyte",
        bytes == 0 ? Double.NaN : (double) outcome.cpuNanos() / bytes);
    outcome.disagreements().forEach(line -> result.warning("the ends do not agree: " + line));
    if (outcome.failure() != null) {
      result.warning("incomplete: " + outcome.failure().getMessage());
    }
    outcome.samples().forEach(sample -> rows(outcome, sample, result));
  }

  private static void direction(RunOutcome outcome, boolean up, ResultRecord.Builder result) {
    TestSpec spec = outcome.plan().spec();
    if (!(up ? spec.up() : spec.down())) {
      return;
    }
    String name = up ? "up_" : "down_";
    FlowCounts sent = outcome.measured(up).sent();
    FlowCounts received = outcome.measured(up).received();
    boolean told = outcome.serverTold(up);
    count(result, name + Keys.SENT_BYTES, up || told, sent.bytes());
    count(result, name + Keys.SENT_MESSAGES, up || told, sent.messages());
    result.figure(name + Keys.SENT_RATE, outcome.sentBitsPerSecond(up));
    count(result, name + Keys.RECEIVED_BYTES, !up || told, received.bytes());
    count(result, name + Keys.RECEIVED_MESSAGES, !up || told, received.messages());
    result.figure(name + "receiving_micros", outcome.receivingMicros(up));
    result.figure(name + Keys.RECEIVED_RATE, outcome.receivedBitsPerSecond(up));
    result.figure(name + "corrupt_pieces", received.corrupt());
    outcome
        .steady(up)
        .ifPresent(
            steady -> {
              result.figure(name + "steady_from_micros", steady.fromMicros());
              result.figure(name + "steady_rate_bits_per_second", steady.bitsPerSecond());
            });
    if (outcome.plan().mechanism().isDatagrams()) {
      RunOutcome.BothEnds whole = outcome.whole(up);
      boolean counted = outcome.serverCounted();
      count(result, name + Keys.LOST_MESSAGES, counted, whole.missing());
      result.figure(name + Keys.LOSS_RATIO, counted ? whole.lossRatio() : Double.NaN);
      result.figure(name + Keys.DUPLICATE_MESSAGES, received.duplicates());
      result.figure(name + Keys.OUT_OF_ORDER_MESSAGES, received.outOfOrder());
      result.figure(name + Keys.RETRANSMITTED_MESSAGES, sent.retransmitted());
      result.figure(name + Keys.JITTER_MICROS, received.jitterMicros());
      OneWay oneWay = outcome.oneWay(up);
      if (oneWay.isKnown() && outcome.clocksTell(oneWay)) {
        result.figure(name + "one_way_delay_min_micros", oneWay.minMicros());
        result.figure(name + "one_way_delay_mean_micros", oneWay.meanMicros());
        result.figure(name + "one_way_delay_max_micros", oneWay.maxMicros());
      }
    }
  }

  /** What nobody has told is not 0. */
  private static void count(ResultRecord.Builder result, String name, boolean known, long count) {
    if (known) {
      result.figure(name, count);
    } else {
      result.figure(name, Double.NaN);
    }
  }

  static void latency(String name, LatencyHistogram latency, ResultRecord.Builder result) {
    if (latency.count() == 0) {
      return;
    }
    result.figure(name + "_count", latency.count());
    result.figure(name + "_min_micros", latency.minMicros());
    result.figure(name + "_mean_micros", latency.meanMicros());
    result.figure(name + "_p50_micros", latency.percentileMicros(50));
    result.figure(name + "_p90_micros", latency.percentileMicros(90));
    result.figure(name + "_p99_micros", latency.percentileMicros(99));
    result.figure(name + "_p99_9_micros", latency.percentileMicros(99.9));
    result.figure(name + "_max_micros", latency.maxMicros());
  }

  private static void rows(RunOutcome outcome, RunSample sample, ResultRecord.Builder result) {
    for (FlowSample flow : sample.flows()) {
      result.row(row(outcome.plan(), sample, flow));
    }
  }

  /** One flow in one interval. */
  public static Map<String, @Nullable Object> row(NetPlan plan, RunSample sample, FlowSample flow) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put(Keys.FROM_MICROS, sample.fromMicros());
    row.put(Keys.TO_MICROS, sample.fromMicros() + flow.micros());
    row.put("warm_up", sample.warmUp());
    row.put(Keys.STREAM, (long) flow.stream());
    row.put(Keys.SIDE, flow.sending() ? "sender" : "receiver");
    row.put("bytes", flow.counts().bytes());
    row.put("messages", flow.counts().messages());
    row.put("arrived_bytes", flow.arrivedBytes());
    row.put(Keys.RATE, flow.bitsPerSecond());
    // The server's own report of about the same time, of all streams: told once, with the first.
    boolean reported = flow.sending() && flow.stream() == 1;
    long micros = reported ? sample.serverMicros() : 0;
    row.put(
        Keys.RECEIVER_RATE,
        micros <= 0 ? null : (Double) (sample.serverReceived().bytes() * 8e6 / micros));
    if (plan.mechanism().isDatagrams()) {
      FlowCounts none = FlowCounts.NONE;
      FlowCounts told = reported ? sample.serverReceived() : none;
      FlowCounts seen = flow.sending() ? told : flow.counts();
      row.put("receiver_bytes", seen.bytes());
      row.put(Keys.RECEIVER_LOST_MESSAGES, seen.lost());
      row.put("receiver_duplicate_messages", seen.duplicates());
      row.put("receiver_out_of_order_messages", seen.outOfOrder());
      row.put(Keys.RECEIVER_JITTER_MICROS, seen.jitterMicros());
      row.put(Column.RETRANSMITTED.key(), flow.counts().retransmitted());
    } else {
      row.put("receiver_bytes", reported ? (Long) sample.serverReceived().bytes() : null);
    }
    for (Column column : plan.mechanism().columns()) {
      row.put(column.key(), flow.value(column));
    }
    row.putAll(flow.limits().sharesByName());
    if (plan.spec().mode() == TestSpec.Mode.STOP_AND_WAIT) {
      row.put(Keys.ROUND_TRIP_P50, sample.latency().percentileMicros(50));
      row.put(Keys.ROUND_TRIP_P99, sample.latency().percentileMicros(99));
    }
    return row;
  }
}
