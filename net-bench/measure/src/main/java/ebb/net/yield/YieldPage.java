package ebb.net.yield;

import ebb.core.report.HtmlReport;
import ebb.core.report.HtmlReport.Figure;
import ebb.core.report.HtmlReport.Tone;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.units.Human;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.yield.YieldFigures.PhaseFigures;
import java.util.ArrayList;
import java.util.List;

/** An outcome as one HTML page. It computes no figures. */
final class YieldPage {
  private YieldPage() {}

  static HtmlReport of(YieldOutcome outcome, Thresholds thresholds) {
    HtmlReport page =
        new HtmlReport("Ebb: does " + outcome.plan.yielder().word() + " yield on this path?");
    page.lead(YieldText.setUp(outcome) + ". " + YieldText.verdict(outcome, thresholds) + ".");
    String it = outcome.plan.yielder().word();
    List<Figure> figures = new ArrayList<>();
    for (Thresholds.Check check : thresholds.judge(outcome.figures, outcome.plan.yielder())) {
      Tone tone =
          Double.isInfinite(check.limit()) ? Tone.PLAIN : check.holds() ? Tone.GOOD : Tone.BAD;
      String limit = YieldText.limit(check);
      figures.add(
          new Figure(
              YieldText.value(check, check.value()),
              check.words() + (limit.isEmpty() ? "" : ", " + limit),
              tone));
    }
    page.figures(figures);
    page.chart(chart(outcome));
    page.heading("Phases");
    page.table(
        List.of(
            "Phase",
            it,
            "TCP",
            "Median queue",
            "95% queue",
            it + " packets resent",
            "TCP segments resent"),
        rows(outcome));
    page.heading("How it was measured");
    page.paragraph(method(outcome.plan));
    page.paragraph(
        it
            + " alone "
            + Human.bitRate(outcome.figures.ledbat().aloneBitsPerSecond())
            + ", TCP alone "
            + Human.bitRate(outcome.figures.tcp().aloneBitsPerSecond())
            + ", TCP beside it "
            + Human.bitRate(outcome.figures.tcp().contendedBitsPerSecond())
            + "; smallest round trip "
            + YieldText.micros(outcome.figures.path().baseRttMicros())
            + ".");
    return page;
  }

  private static String method(YieldPlan plan) {
    String it = plan.yielder().word();
    String rates =
        plan.download()
            ? "Rates are of payload that arrived at this end, which counted it ten times a second."
            : "Rates are of payload that arrived at the server, which counted it ten times a"
                + " second.";
    String queue =
        plan.yielder() == Yielder.TCP_RECEIVER
            ? " The queue is what round trips were longer than the least that this end knew, every"
                + " 100 ms, above the smallest of the whole run."
            : " The queuing delay is what the end that yields knew every 100 ms, above the smallest"
                + " base delay of the whole run; where the controller's own figure differs, its"
                + " base delay was higher.";
    return rates
        + queue
        + (" The rate of %s alone is that of the second half of its phase; TCP's loss compares it"
                + " to itself at the same age. Recovery is the time after which %s has 90%% of its"
                + " rate alone over half a second and over all of what follows.")
            .formatted(it, it);
  }

  private static List<List<String>> rows(YieldOutcome outcome) {
    List<List<String>> rows = new ArrayList<>();
    for (PhaseFigures phase : outcome.figures.phases()) {
      rows.add(
          List.of(
              YieldText.name(outcome.plan, phase.phase()),
              Human.bitRate(phase.ledbatBitsPerSecond()),
              Human.bitRate(phase.tcpBitsPerSecond()),
              YieldText.micros(phase.queueMedianMicros()),
              YieldText.micros(phase.queueP95Micros()),
              YieldText.count(phase.ledbatRetransmitted()),
              YieldText.count(phase.tcpRetransmitted())));
    }
    return rows;
  }

  private static List<Series> windows(YieldOutcome outcome, YieldSeries series) {
    List<Series> windows = new ArrayList<>();
    windows.add(series.ledbat(outcome.plan.yielder().word(), s -> s.value(Column.CWND) / 1e3));
    if (!outcome.plan.download()) {
      windows.add(series.tcp(outcome.tcpName(), s -> s.value(Column.CWND) / 1e3));
    }
    return windows;
  }

  private static LineChart chart(YieldOutcome outcome) {
    YieldSeries series = new YieldSeries(outcome.trace, outcome.startMicros);
    String it = outcome.plan.yielder().word();
    double lowest = YieldFigures.lowestDelay(outcome.trace);
    LineChart chart =
        new LineChart(
                "Throughput, congestion windows, queuing delay and base delay over time", "seconds")
            .panel(
                "Throughput at the receiver, Mbit/s",
                series.rates(it, outcome.tcpName()).toArray(new Series[0]))
            .panel("Window, KB", windows(outcome, series).toArray(new Series[0]));
    List<Series> queues = new ArrayList<>();
    queues.add(
        series.ledbat(
            "above the run's base",
            s -> s.hasDelay() ? Math.max(0, s.delayMicros() - lowest) / 1e3 : Double.NaN));
    queues.add(
        series.ledbat(
            "as the controller sees it",
            s -> s.hasDelay() ? s.value(LedbatColumns.QUEUING_DELAY) / 1e3 : Double.NaN));
    double[] targets =
        outcome.trace.ledbat.samples().stream()
            .mapToDouble(s -> s.value(LedbatColumns.TARGET))
            .filter(target -> target > 0)
            .distinct()
            .toArray();
    if (targets.length > 1) {
      // Some controllers move theirs: a line of its own.
      queues.add(series.ledbat("TARGET", s -> s.value(LedbatColumns.TARGET) / 1e3));
    }
    chart.panel("Queuing delay, ms", queues.toArray(new Series[0]));
    if (targets.length == 1) {
      chart.reference(targets[0] / 1e3, "TARGET " + YieldText.micros(targets[0]));
    }
    chart.panel(
        "Base delay above the smallest of the run, ms",
        series.ledbat(
            "base delay",
            s -> s.hasDelay() ? (s.value(LedbatColumns.BASE_DELAY) - lowest) / 1e3 : Double.NaN));
    for (Phase phase : outcome.trace.phases()) {
      boolean shaded =
          phase.kind() == Phase.Kind.CONTENDED
              || phase.kind() == Phase.Kind.TCP_ALONE
              || phase.kind() == Phase.Kind.TCP_LEAD;
      if (shaded) {
        chart.range(
            series.seconds(phase.fromMicros()),
            series.seconds(phase.toMicros()),
            phase.kind() == Phase.Kind.CONTENDED ? "both" : "TCP");
      }
    }
    return chart;
  }
}
