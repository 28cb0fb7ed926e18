package ebb.net.report;

import ebb.core.units.Human;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.run.FlowSample;
import ebb.net.run.RunSample;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;

/**
 * How a run goes, in one line, by its latest interval: the latest rates as a small plot, rate,
 * queue and limit. Without colours. Not thread-safe.
 */
public final class SampleLine {
  private final RateFormat format;
  private final int mostBars;
  private final Deque<Double> rates = new ArrayDeque<>();
  private long leastRttMicros = Long.MAX_VALUE;

  /**
   * Of one run.
   *
   * @param mostBars of the plot; 0 for none
   */
  public SampleLine(RateFormat format, int mostBars) {
    this.format = format;
    this.mostBars = mostBars;
  }

  /** With what the transport says of the queue, or by how much round trips are longer. */
  public String text(RunSample sample) {
    return text(sample, sample.flows().stream().mapToLong(this::queueMicros).max().orElse(-1));
  }

  /**
   * The same with what another knows of the queue.
   *
   * @param queueMicros below 0 when it is not known
   */
  public String text(RunSample sample, long queueMicros) {
    double up = sample.bitsPerSecond(true);
    double down = sample.bitsPerSecond(false);
    rates.addLast(up + down);
    if (rates.size() > mostBars) {
      rates.removeFirst();
    }
    StringBuilder line = new StringBuilder();
    if (!rates.isEmpty()) {
      line.append(RateBars.text(rates, Math.max(1, Collections.max(rates)))).append("  ");
    }
    boolean sends = sample.flows().stream().anyMatch(FlowSample::sending);
    boolean receives = sample.flows().stream().anyMatch(flow -> !flow.sending());
    line.append(sends ? "to it " + format.text(up) : "");
    line.append(sends && receives ? "  " : "");
    line.append(receives ? "from it " + format.text(down) : "");
    line.append(queueMicros < 0 ? "" : "  queue " + Human.micros(queueMicros));
    sample.flows().stream()
        .filter(flow -> flow.limits().isKnown())
        .findFirst()
        .ifPresent(flow -> line.append("  limit ").append(flow.limits().text()));
    return line.toString();
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
