package ebb.net.yield;

import ebb.core.cli.EbbException;
import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run that is over: its figures and the ways to show them. Immutable once made. */
public final class YieldOutcome {
  final YieldPlan plan;
  final InetSocketAddress server;
  final YieldTrace trace;
  final long startMicros;
  final String congestion;
  final long clockErrorMicros;
  final YieldFigures figures;
  private final @Nullable EbbException failure;

  YieldOutcome(
      YieldPlan plan,
      InetSocketAddress server,
      YieldTrace trace,
      long startMicros,
      String congestion,
      long clockErrorMicros,
      @Nullable EbbException failure) {
    this.plan = plan;
    this.server = server;
    this.trace = trace;
    this.startMicros = startMicros;
    this.congestion = congestion;
    this.clockErrorMicros = clockErrorMicros;
    this.failure = failure;
    figures = YieldFigures.of(trace);
  }

  /** The rival, by the congestion control where it is known. */
  String tcpName() {
    return plan.download() ? "TCP" : "TCP " + congestion;
  }

  /** Why the run is not complete; null when it is. */
  public @Nullable EbbException failure() {
    return failure;
  }

  /** Whether everything was measured and within the thresholds. */
  public boolean holds(Thresholds thresholds) {
    return failure == null
        && thresholds.judge(figures, plan.yielder()).stream().allMatch(Thresholds.Check::holds);
  }

  /** For people, at most 100 columns. */
  public List<String> lines(Thresholds thresholds) {
    return YieldText.lines(this, thresholds);
  }

  /** Adds the figures, facts and samples. */
  public void record(Thresholds thresholds, ResultRecord.Builder result) {
    YieldRecord.add(this, thresholds, result);
  }

  /** The page of a run that goes on. */
  public HtmlReport running() {
    return YieldPage.running(this);
  }

  /** One page with the time line. */
  public HtmlReport page(Thresholds thresholds) {
    return YieldPage.of(this, thresholds);
  }
}
