package ebb.net.report;

import ebb.core.units.Human;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.run.FlowSample;
import ebb.net.run.RunSample;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * How a run goes, in one line, by its latest interval: the latest rates as a small plot, rate,
 * queue and limit. Without colours. Not thread-safe.
 */
public final class SampleLine {
  private static final int MOST_BARS = 24;
  private static final String GAP = "  ";

  private final RateFormat format;
  private final int columns;
  private final Deque<Double> rates = new ArrayDeque<>();
  private long leastRttMicros = Long.MAX_VALUE;

  /**
   * Of one run.
   *
   * @param columns that a line may take with its plot, which gives way to words; 0 for no plot, and
   *     as many words as there are
   */
  public SampleLine(RateFormat format, int columns) {
    this.format = format;
    this.columns = columns;
  }

  /** With what the transport says of the queue, or by how much round trips are longer. */
  public String text(RunSample sample) {
    return text("", sample, sample.flows().stream().mapToLong(this::queueMicros).max().orElse(-1));
  }

  /**
   * The same with what another knows of the queue.
   *
   * @param before words that the line begins with
   * @param queueMicros below 0 when it is not known
   */
  public String text(String before, RunSample sample, long queueMicros) {
    double up = sample.bitsPerSecond(true);
    double down = sample.bitsPerSecond(false);
    rates.addLast(up + down);
    if (rates.size() > MOST_BARS) {
      rates.removeFirst();
    }
    StringBuilder line = new StringBuilder();
    boolean sends = sample.flows().stream().anyMatch(FlowSample::sending);
    boolean receives = sample.flows().stream().anyMatch(flow -> !flow.sending());
    line.append(sends ? "up " + format.text(up) : "");
    line.append(sends && receives ? "  " : "");
    line.append(receives ? "down " + format.text(down) : "");
    line.append(queueMicros < 0 ? "" : "  queue " + Human.micros(queueMicros));
    sample.flows().stream()
        .filter(flow -> flow.limits().isKnown())
        .findFirst()
        .ifPresent(flow -> line.append(limit(flow, columns - before.length() - line.length())));
    int room = columns - before.length() - line.length() - GAP.length();
    return before + bars(Math.min(room, rates.size())) + line;
  }

  /** All that held it, or only what did for longest where there is no room. */
  private String limit(FlowSample flow, int room) {
    String all = GAP + "limit " + flow.limits().text();
    return columns == 0 || all.length() <= room ? all : all.split(",", 2)[0];
  }

  /** The latest so many. */
  private String bars(int number) {
    if (number <= 0) {
      return "";
    }
    List<Double> latest = rates.stream().skip(rates.size() - number).toList();
    return RateBars.text(latest, Math.max(1, Collections.max(latest))) + GAP;
  }

  private long queueMicros(FlowSample flow) {
    Long told = flow.value(LedbatColumns.QUEUING_DELAY);
    if (told != null) {
      return told;
    }
    Long trip = flow.value(Column.RTT);
    if (trip == null || trip <= 0) {
      return -1;
    }
    Long least = flow.value(LedbatColumns.MIN_RTT);
    leastRttMicros = Math.min(leastRttMicros, least == null || least <= 0 ? trip : least);
    return Math.max(0, trip - leastRttMicros);
  }
}
