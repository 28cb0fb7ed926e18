package ebb.net.report;

import ebb.core.result.ResultRecord;
import ebb.core.stats.LatencyHistogram;
import ebb.net.Keys;
import ebb.net.control.TestSpec;
import ebb.net.echo.EchoCounts;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoSchedule;
import ebb.net.echo.MarkCounts;
import ebb.net.mechanism.TypeOfService;
import ebb.net.run.RunOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Echoes as figures, facts and rows of a result (docs/net-bench.md names them). */
public final class EchoRecord {
  private EchoRecord() {}

  /** What was asked for. */
  public static void plan(TestSpec spec, EchoLog log, ResultRecord.Builder result) {
    result.fact(Keys.PROTOCOL, spec.protocol()).fact(Keys.MODE, spec.mode().text());
    result.figure(Keys.MESSAGE_BYTES, spec.messageBytes());
    result.figure("interval_micros", spec.parameters().getOrDefault(EchoSchedule.INTERVAL, 0L));
    result.figure("wait_micros", log.waitMicros());
  }

  /** What it came to. */
  public static void figures(EchoLog log, ResultRecord.Builder result) {
    EchoCounts counts = log.counts();
    result.figure("measured_micros", log.spanMicros());
    result.figure("transmitted", counts.transmitted()).figure("received", counts.received());
    result.figure(Keys.LOST_MESSAGES, counts.lost()).figure(Keys.LOSS_RATIO, counts.lossRatio());
    result.figure("late_messages", counts.late());
    result.figure(Keys.DUPLICATE_MESSAGES, counts.duplicates());
    result.figure(Keys.OUT_OF_ORDER_MESSAGES, counts.reordered());
    result.figure("corrupt_pieces", counts.corrupt());
    LatencyHistogram rtt = log.roundTrips();
    RunRecord.latency(Keys.ROUND_TRIP, rtt, result);
    if (rtt.count() > 0) {
      result.figure(Keys.ROUND_TRIP + "_mdev_micros", log.deviationMicros());
    }
  }

  /** What became of the mark that was named, in words, too. */
  public static void marks(List<String> words, MarkCounts mark, ResultRecord.Builder result) {
    result.fact("mark", TypeOfService.text(mark.tos()));
    result.figure("mark_sent", mark.sent()).figure("mark_answered", mark.answered());
    result.figure("mark_kept_there", mark.keptThere());
    result.figure("mark_kept_back", mark.keptBack());
    for (int i = 0; i < words.size(); i++) {
      result.fact("marks_" + (i + 1), words.get(i));
    }
  }

  /** Where echoes were lost, by both ends' counts. */
  public static void ways(RunOutcome outcome, EchoCounts counts, ResultRecord.Builder result) {
    if (outcome.serverCounted()) {
      long there = outcome.whole(true).missing();
      result.figure("up_" + Keys.LOST_MESSAGES, there);
      result.figure("up_" + Keys.LOSS_RATIO, outcome.whole(true).lossRatio());
      result.figure("down_" + Keys.LOST_MESSAGES, Math.max(0, counts.lost() - there));
    }
  }

  /** A row for each echo that the log keeps. */
  public static void rows(EchoLog log, ResultRecord.Builder result) {
    int kept = log.kept();
    for (int i = 0; i < kept; i++) {
      long micros = log.roundTripMicros(i);
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("seq", i + 1L);
      row.put("sent_micros", log.sentMicros(i) - log.sentMicros(0));
      row.put("round_trip_micros", micros == EchoLog.UNANSWERED ? null : (Long) micros);
      result.row(row);
    }
    if (log.counts().transmitted() > kept) {
      result.warning("the rows are of the first " + kept + " echoes");
    }
  }

  /** One second of many. */
  public static Map<String, @Nullable Object> second(
      long fromMicros, long toMicros, EchoCounts counts, LatencyHistogram rtt) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put(Keys.FROM_MICROS, fromMicros);
    row.put(Keys.TO_MICROS, toMicros);
    row.put("transmitted", counts.transmitted());
    row.put("received", counts.received());
    row.put(Keys.LOST_MESSAGES, counts.lost());
    row.put("late_messages", counts.late());
    row.put(Keys.DUPLICATE_MESSAGES, counts.duplicates());
    row.put(Keys.OUT_OF_ORDER_MESSAGES, counts.reordered());
    row.put("round_trip_min_micros", rtt.minMicros());
    row.put("round_trip_mean_micros", rtt.meanMicros());
    row.put("round_trip_max_micros", rtt.maxMicros());
    return row;
  }
}
