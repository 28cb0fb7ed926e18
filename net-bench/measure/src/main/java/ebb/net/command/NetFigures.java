package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.Human;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.run.RunOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run as one row of figures, for repetitions and sweeps. */
final class NetFigures {
  /** Those that are summed up over runs. */
  static final List<String> NAMES =
      List.of(
          "transmission_micros",
          "sent_rate_bits_per_second",
          "received_rate_bits_per_second",
          "loss_ratio",
          "jitter_micros",
          "round_trip_p50_micros",
          "round_trip_p99_micros");

  private NetFigures() {}

  /** Of the direction that the run had; of both, the one to the server. */
  static Map<String, @Nullable Object> row(RunOutcome outcome) {
    boolean up = outcome.plan().spec().up();
    FlowCounts sent = up ? outcome.sent() : outcome.serverSent();
    FlowCounts received = up ? outcome.serverReceived() : outcome.received();
    RunOutcome.Whole whole = up ? outcome.wholeUp() : outcome.wholeDown();
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("complete", outcome.failure() == null);
    row.put("transmission_micros", outcome.measuredMicros());
    row.put("sent_messages", sent.messages());
    row.put("sent_bytes", sent.bytes());
    row.put("received_messages", received.messages());
    row.put("received_bytes", received.bytes());
    row.put("sent_rate_bits_per_second", outcome.sentBitsPerSecond(up));
    row.put("received_rate_bits_per_second", outcome.receivedBitsPerSecond(up));
    // What only datagrams can have was not measured elsewhere, and so is not 0.
    boolean udp = outcome.plan().spec().protocol() == Protocol.UDP;
    row.put("lost_messages", udp ? whole.missing() : null);
    row.put("loss_ratio", udp ? whole.lossRatio() : null);
    row.put("duplicate_messages", udp ? received.duplicates() : null);
    row.put("out_of_order_messages", udp ? received.outOfOrder() : null);
    row.put("retransmitted_messages", udp ? sent.retransmitted() : null);
    row.put("jitter_micros", udp ? received.jitterMicros() : null);
    row.put("round_trip_mean_micros", outcome.latency().meanMicros());
    row.put("round_trip_p50_micros", outcome.latency().percentileMicros(50));
    row.put("round_trip_p99_micros", outcome.latency().percentileMicros(99));
    return row;
  }

  /** One figure of all runs that have it. */
  static double[] values(List<RunOutcome> outcomes, String name) {
    return outcomes.stream()
        .map(outcome -> row(outcome).get(name))
        .filter(Number.class::isInstance)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .filter(Double::isFinite)
        .toArray();
  }

  /** Why a later repetition found nothing: the ones before it make a result, if not a whole one. */
  static EbbException afterOthers(EbbException why, int run, int repeat) {
    return new EbbException(
        ExitCode.INCOMPLETE, "run " + run + " of " + repeat + ": " + why.getMessage(), why);
  }

  static String text(String name, double value) {
    if (name.endsWith("_micros")) {
      return Human.micros(Math.round(value));
    }
    return name.endsWith("_ratio")
        ? String.format(java.util.Locale.ROOT, "%.3g%%", 100 * value)
        : Human.bitRate(value);
  }
}
