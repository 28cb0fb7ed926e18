package ebb.net.command;

import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.net.report.RateFormat;
import ebb.net.report.SampleLine;
import ebb.net.run.RunSample;
import org.jspecify.annotations.Nullable;

/** The line below a client's others on a terminal; nothing elsewhere. Thread-safe. */
final class LiveLine {
  private final @Nullable Progress progress;
  private final SampleLine line;

  /** Over that progress; null for a standard error that is no terminal. */
  LiveLine(@Nullable Progress progress, RateFormat format) {
    this.progress = progress;
    line = new SampleLine(format, progress == null ? 0 : progress.lineColumns());
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
      String text = line.text(sample);
      progress.update(() -> text);
    }
  }
}
