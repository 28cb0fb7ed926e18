package ebb.net.load;

import ebb.core.result.ResultRecord;
import ebb.net.echo.MarkCounts;
import ebb.net.echo.MarkText;
import ebb.net.mechanism.TypeOfService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was found as figures, facts and rows of a result: a row for each load and way, and one for
 * each mark that was tried, which has the column {@link #MARK}.
 */
public final class LoadRecord {
  /** The percentiles that a row has, from which curves are drawn. */
  public static final List<Integer> PERCENTILES = List.of(1, 5, 10, 25, 50, 75, 90, 95, 99, 100);

  /** So many of them are drawn: up to the 95th. */
  public static final int DRAWN = PERCENTILES.size() - 2;

  /** The column that rows of marks have, and no others. */
  public static final String MARK = "mark";

  private LoadRecord() {}

  /** Adds everything there is. */
  public static void add(LoadOutcome outcome, ResultRecord.Builder result) {
    LoadPlan plan = outcome.plan();
    result.fact("answer", outcome.answer());
    result.figure("streams", plan.streams()).figure("load_micros", plan.loadMicros());
    result.figure("probe_interval_micros", plan.probeMicros());
    result.figure("probe_bytes", LoadPlan.PROBE_BYTES);
    LoadCell idle = outcome.idle();
    if (idle != null) {
      result.figure("idle_round_trip_p50_micros", idle.percentileMicros(50));
      outcome.cells().forEach(cell -> result.row(row(cell, idle)));
    }
    List<String> told = MarkText.sentences(outcome.marks());
    for (int i = 0; i < told.size(); i++) {
      result.fact("marks_" + (i + 1), told.get(i));
    }
    outcome.marks().stream().filter(mark -> mark.sent() > 0).forEach(mark -> result.row(row(mark)));
    if (outcome.failure() != null) {
      result.warning("incomplete: " + outcome.failure().getMessage());
    }
  }

  private static Map<String, @Nullable Object> row(MarkCounts mark) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put(MARK, TypeOfService.text(mark.tos()));
    row.put("tos", (long) mark.tos());
    row.put("mark_sent", mark.sent());
    row.put("mark_answered", (long) mark.answered());
    row.put("kept_there", (long) mark.keptThere());
    row.put("kept_back", (long) mark.keptBack());
    row.put("came_there_as", MarkText.text(mark.there()));
    row.put("came_back_as", MarkText.text(mark.back()));
    return row;
  }

  private static Map<String, @Nullable Object> row(LoadCell cell, LoadCell idle) {
    boolean loaded = !cell.load().equals(LoadCell.IDLE);
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("load", cell.load());
    row.put("way", cell.way());
    row.put("from_micros", cell.fromMicros());
    row.put("to_micros", cell.toMicros());
    row.put("down_received_rate_bits_per_second", cell.downBitsPerSecond());
    row.put("up_received_rate_bits_per_second", cell.upBitsPerSecond());
    row.put("added_micros", loaded ? (Double) cell.addedMicros(idle) : null);
    row.put("grade", loaded ? cell.grade(idle) : null);
    row.put("round_trips_per_minute", cell.roundTripsPerMinute());
    row.put("trimmed_mean_micros", cell.trimmedMeanMicros());
    row.put("probe_sent", cell.sent());
    row.put("probe_received", (long) cell.answered());
    row.put("loss_ratio", cell.lossRatio());
    for (int percent : PERCENTILES) {
      row.put("round_trip_p" + percent + "_micros", cell.percentileMicros(percent));
    }
    row.put("failure", cell.failure().isEmpty() ? null : cell.failure());
    return row;
  }
}
