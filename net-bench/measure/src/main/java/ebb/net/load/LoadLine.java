package ebb.net.load;

import ebb.core.units.Human;
import ebb.net.echo.EchoLog;
import ebb.net.report.RateFormat;
import ebb.net.report.SampleLine;
import ebb.net.run.RunSample;
import java.util.function.Consumer;

/**
 * How a run of loads goes, in one line several times a second: what is measured, what the load
 * reaches, and what the probe has to wait for in the queue. Thread-safe.
 */
final class LoadLine {
  private final EchoLog probe;
  private final int columns;
  private final Consumer<String> lines;
  private String what = "";
  private SampleLine load;
  private boolean loading;
  private long queueMicros = -1;

  /**
   * Nothing is measured yet.
   *
   * @param columns of a line with a small plot; 0 for none
   */
  LoadLine(EchoLog probe, int columns, Consumer<String> lines) {
    this.probe = probe;
    this.columns = columns;
    this.lines = lines;
    load = new SampleLine(RateFormat.FITTING, columns);
  }

  /** From now on this is measured. */
  synchronized void begins(String now) {
    what = now;
    loading = false;
    load = new SampleLine(RateFormat.FITTING, columns);
    lines.accept(what);
  }

  /** The probe's answers so far. */
  synchronized void onProbe() {
    var answered = probe.sinceLast();
    if (answered.count() > 0) {
      queueMicros =
          Math.max(0, Math.round(answered.percentileMicros(50) - probe.roundTrips().minMicros()));
    }
    if (!loading) {
      lines.accept(queueMicros < 0 ? what : what + "  queue " + Human.micros(queueMicros));
    }
  }

  /** An interval of the load. */
  synchronized void onLoad(RunSample sample) {
    loading = true;
    lines.accept(load.text(what + "  ", sample, queueMicros));
  }
}
