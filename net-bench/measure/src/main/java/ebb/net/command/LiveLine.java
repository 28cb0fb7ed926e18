package ebb.net.command;

import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.units.Human;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.report.RateFormat;
import ebb.net.run.FlowSample;
import ebb.net.run.RunSample;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The line below a client's others on a terminal: the latest rates as a small plot, rate, queue and
 * limit; nothing elsewhere. Without colours. Thread-safe.
 */
final class LiveLine {
  private static final String BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
  private static final int MOST_BARS = 24;

  private final @Nullable Progress progress;
  private final RateFormat format;
  private final Deque<Double> rates = new ArrayDeque<>();
  private long leastRttMicros = Long.MAX_VALUE;

  /** Over that progress; null for a standard error that is no terminal. */
  LiveLine(@Nullable Progress progress, RateFormat format) {
    this.progress = progress;
    this.format = format;
  }

  static LiveLine on(Output output, RateFormat format) {
    return new LiveLine(Progress.onTerminal(output).orElse(null), format);
  }

  /** Other words follow. */
  synchronized void clear() {
    if (progress != null) {
      progress.clear();
    }
  }

  /** The interval is over, and its lines are there. */
  synchronized void show(RunSample sample) {
    if (progress != null) {
      String line = text(sample);
      progress.update(() -> line);
    }
  }

  private String text(RunSample sample) {
    double up = sample.bitsPerSecond(true);
    double down = sample.bitsPerSecond(false);
    rates.addLast(up + down);
    if (rates.size() > MOST_BARS) {
      rates.removeFirst();
    }
    StringBuilder line = new StringBuilder(bars());
    boolean sends = sample.flows().stream().anyMatch(FlowSample::sending);
    boolean receives = sample.flows().stream().anyMatch(flow -> !flow.sending());
    line.append(sends ? "  to it " + format.text(up) : "");
    line.append(receives ? "  from it " + format.text(down) : "");
    long queue = sample.flows().stream().mapToLong(this::queueMicros).max().orElse(-1);
    line.append(queue < 0 ? "" : "  queue " + Human.micros(queue));
    sample.flows().stream()
        .filter(flow -> flow.limits().isKnown())
        .findFirst()
        .ifPresent(flow -> line.append("  limit ").append(flow.limits().text()));
    return line.toString();
  }

  /** The highest bar is the highest rate that is shown. */
  private String bars() {
    double most = Math.max(1, Collections.max(rates));
    StringBuilder bars = new StringBuilder();
    for (double rate : rates) {
      bars.append(BARS.charAt((int) Math.round(rate / most * (BARS.length() - 1))));
    }
    return bars.toString();
  }

  /** What the transport says, or how much longer round trips are than the shortest; or -1. */
  private long queueMicros(FlowSample flow) {
    Long told = flow.value(LedbatColumns.QUEUING_DELAY);
    if (told != null) {
      return told;
    }
    Long trip = flow.value(Column.RTT);
    if (trip == null || trip <= 0) {
      return -1;
    }
    leastRttMicros = Math.min(leastRttMicros, trip);
    return trip - leastRttMicros;
  }
}
