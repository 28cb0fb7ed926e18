package ebb.net.report;

import ebb.core.result.ResultRecord;
import ebb.core.stats.LatencyHistogram;
import ebb.net.control.FlowCounts;
import ebb.net.control.OneWay;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.run.FlowSample;
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
    result.fact("protocol", spec.protocol().text()).fact("mode", spec.mode().text());
    result.fact("direction", spec.up() ? (spec.down() ? "both" : "up") : "down");
    result.fact("payload", spec.verify() ? "verified" : "not verified");
    for (int i = 0; i < outcome.facts().size(); i++) {
      result.fact(i == 0 ? "transport" : "transport_" + (i + 1), outcome.facts().get(i));
    }
    result.figure("message_bytes", spec.messageBytes()).figure("streams", spec.streams());
    result.figure("asked_rate_bits_per_second", spec.bitsPerSecond());
    result.figure("measured_micros", outcome.measuredMicros());
    result.figure("warm_up_micros", outcome.plan().warmUpMicros());
    result.figure("clock_error_micros", outcome.clockErrorMicros());
    direction(outcome, true, result);
    direction(outcome, false, result);
    latency("round_trip", outcome.latency(), result);
    latency("planned_round_trip", outcome.plannedLatency(), result);
    long bytes = outcome.sent().bytes() + outcome.received().bytes();
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
    FlowCounts sent = up ? outcome.sent() : outcome.serverSent();
    FlowCounts received = up ? outcome.serverReceived() : outcome.received();
    result.figure(name + "sent_bytes", sent.bytes());
    result.figure(name + "sent_messages", sent.messages());
    result.figure(name + "sent_rate_bits_per_second", outcome.sentBitsPerSecond(up));
    result.figure(name + "received_bytes", received.bytes());
    result.figure(name + "received_messages", received.messages());
    result.figure(name + "received_rate_bits_per_second", outcome.receivedBitsPerSecond(up));
    result.figure(name + "corrupt_pieces", received.corrupt());
    outcome
        .steady(up)
        .ifPresent(
            steady -> {
              result.figure(name + "steady_from_micros", steady.fromMicros());
              result.figure(name + "steady_rate_bits_per_second", steady.bitsPerSecond());
            });
    if (spec.protocol() == Protocol.UDP) {
      RunOutcome.Whole whole = up ? outcome.wholeUp() : outcome.wholeDown();
      result.figure(name + "lost_messages", whole.missing());
      result.figure(name + "loss_ratio", whole.lossRatio());
      result.figure(name + "duplicate_messages", received.duplicates());
      result.figure(name + "out_of_order_messages", received.outOfOrder());
      result.figure(name + "retransmitted_messages", sent.retransmitted());
      result.figure(name + "jitter_micros", received.jitterMicros());
      OneWay oneWay = outcome.oneWay(up);
      if (oneWay.isKnown()) {
        result.figure(name + "one_way_delay_min_micros", oneWay.minMicros());
        result.figure(name + "one_way_delay_mean_micros", oneWay.meanMicros());
        result.figure(name + "one_way_delay_max_micros", oneWay.maxMicros());
      }
    }
  }

  private static void latency(String name, LatencyHistogram latency, ResultRecord.Builder result) {
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
      result.row(row(outcome.plan().spec(), sample, flow));
    }
  }

  /** One flow in one interval. */
  public static Map<String, @Nullable Object> row(
      TestSpec spec, RunSample sample, FlowSample flow) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("from_micros", sample.fromMicros());
    row.put("to_micros", sample.toMicros());
    row.put("warm_up", sample.warmUp());
    row.put("stream", (long) flow.stream());
    row.put("side", flow.sending() ? "sender" : "receiver");
    row.put("bytes", flow.counts().bytes());
    row.put("messages", flow.counts().messages());
    row.put("rate_bits_per_second", flow.counts().bytes() * 8e6 / sample.micros());
    if (spec.protocol() == Protocol.UDP) {
      // Where the client sends, the server's own report of about the same time says what came.
      boolean remote = flow.sending();
      FlowCounts seen = remote ? sample.serverReceived() : flow.counts();
      row.put("receiver_bytes", seen.bytes());
      row.put("receiver_lost_messages", seen.lost());
      row.put("receiver_duplicate_messages", seen.duplicates());
      row.put("receiver_out_of_order_messages", seen.outOfOrder());
      row.put("receiver_jitter_micros", seen.jitterMicros());
      row.put("retransmitted", flow.counts().retransmitted());
    } else {
      row.put("receiver_bytes", flow.sending() ? sample.serverReceived().bytes() : null);
      row.put("retransmitted", known(flow.retransmitted()));
      row.put("cwnd_bytes", known(flow.cwndBytes()));
      row.put("rtt_micros", known(flow.rttMicros()));
    }
    if (spec.protocol() == Protocol.LEDBAT) {
      row.put("queuing_delay_micros", known(flow.queuingDelayMicros()));
      row.put("base_delay_micros", flow.cwndBytes() < 0 ? null : flow.baseDelayMicros());
      row.put("target_micros", flow.targetMicros() <= 0 ? null : flow.targetMicros());
    }
    row.putAll(flow.limits().sharesByName());
    if (spec.mode() == TestSpec.Mode.STOP_AND_WAIT) {
      row.put("round_trip_p50_micros", sample.latency().percentileMicros(50));
      row.put("round_trip_p99_micros", sample.latency().percentileMicros(99));
    }
    return row;
  }

  private static @Nullable Long known(long value) {
    return value < 0 ? null : value;
  }
}
