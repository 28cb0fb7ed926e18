package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.control.FlowCounts;
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
          Keys.TRANSMISSION_MICROS,
          Keys.SENT_RATE,
          Keys.RECEIVED_RATE,
          Keys.LOSS_RATIO,
          Keys.JITTER_MICROS,
          Keys.ROUND_TRIP_P50,
          Keys.ROUND_TRIP_P99);

  private NetFigures() {}

  /** Of the direction that the run had; of both, the one to the server. */
  static Map<String, @Nullable Object> row(RunOutcome outcome) {
    boolean up = outcome.plan().spec().up();
    FlowCounts sent = outcome.measured(up).sent();
    FlowCounts received = outcome.measured(up).received();
    RunOutcome.BothEnds whole = outcome.whole(up);
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put(Keys.COMPLETE, outcome.failure() == null);
    row.put(Keys.TRANSMISSION_MICROS, outcome.measuredMicros());
    boolean told = outcome.serverTold(up);
    row.put(Keys.SENT_MESSAGES, up || told ? sent.messages() : null);
    row.put(Keys.SENT_BYTES, up || told ? sent.bytes() : null);
    row.put(Keys.RECEIVED_MESSAGES, !up || told ? received.messages() : null);
    row.put(Keys.RECEIVED_BYTES, !up || told ? received.bytes() : null);
    row.put(Keys.SENT_RATE, outcome.sentBitsPerSecond(up));
    row.put(Keys.RECEIVED_RATE, outcome.receivedBitsPerSecond(up));
    // What only datagrams can have was not measured elsewhere, and so is not 0.
    boolean datagrams = outcome.plan().mechanism().isDatagrams();
    boolean counted = datagrams && outcome.serverCounted();
    row.put(Keys.LOST_MESSAGES, counted ? whole.missing() : null);
    row.put(Keys.LOSS_RATIO, counted ? whole.lossRatio() : null);
    row.put(Keys.DUPLICATE_MESSAGES, datagrams ? received.duplicates() : null);
    row.put(Keys.OUT_OF_ORDER_MESSAGES, datagrams ? received.outOfOrder() : null);
    row.put(Keys.RETRANSMITTED_MESSAGES, datagrams ? sent.retransmitted() : null);
    row.put(Keys.JITTER_MICROS, datagrams ? received.jitterMicros() : null);
    row.put("round_trip_mean_micros", outcome.latency().meanMicros());
    row.put(Keys.ROUND_TRIP_P50, outcome.latency().percentileMicros(50));
    row.put(Keys.ROUND_TRIP_P99, outcome.latency().percentileMicros(99));
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
