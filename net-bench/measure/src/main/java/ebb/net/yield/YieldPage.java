package ebb.net.yield;

import ebb.core.report.HtmlReport;
import ebb.core.report.HtmlReport.Figure;
import ebb.core.report.HtmlReport.Tone;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.units.Human;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.yield.YieldFigures.PhaseFigures;
import ebb.net.yield.YieldTrace.Sample;
import java.util.ArrayList;
import java.util.List;

/** An outcome as one HTML page. It computes no figures. */
final class YieldPage {
  private YieldPage() {}

  /** While it goes on there is no verdict. */
  static HtmlReport running(YieldOutcome soFar) {
    HtmlReport page = new HtmlReport(title(soFar));
    page.lead("It goes on: " + YieldText.setUp(soFar) + ".");
    page.chart(chart(soFar));
    if (!soFar.figures.phases().isEmpty()) {
      page.heading("Phases");
      page.table(phases(soFar));
    }
    return page;
  }

  private static String title(YieldOutcome outcome) {
    return "Ebb: does " + outcome.plan.yielder().word() + " yield on this path?";
  }

  static HtmlReport of(YieldOutcome outcome, Thresholds thresholds) {
    HtmlReport page = new HtmlReport(title(outcome));
    page.lead(YieldText.setUp(outcome) + ".");
    page.answer(answer(outcome, thresholds));
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
    page.table(phases(outcome));
    page.heading("How it was measured");
    page.paragraph(method(outcome.plan));
    return page;
  }

  private static String answer(YieldOutcome outcome, Thresholds thresholds) {
    YieldFigures f = outcome.figures;
    String it = outcome.plan.yielder().word();
    String verdict =
        outcome.failure() != null
            ? "Incomplete"
            : outcome.holds(thresholds) ? "It yields" : "It does not keep all limits";
    String probe = YieldText.probe(outcome);
    String everybody = probe.isEmpty() ? "" : " Everybody's round trips, median: " + probe + ".";
    return "%s: %s had %s alone; TCP had %s alone and %s beside it; the smallest round trip was %s."
            .formatted(
                verdict,
                it,
                Human.bitRate(f.ledbat().aloneBitsPerSecond()),
                Human.bitRate(f.tcp().aloneBitsPerSecond()),
                Human.bitRate(f.tcp().contendedBitsPerSecond()),
                YieldText.micros(f.path().baseRttMicros()))
        + everybody;
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
    String behind =
        " What came behind a loss is counted when it came, not when the gap was filled.";
    String probe =
        " The probe is a 64-byte echo by UDP each 50 ms, a session and a socket of its own; what it"
            + " took above the shortest of the run is the queue that everybody had.";
    return rates
        + behind
        + queue
        + probe
        + (" The rate of %s alone is that of the second half of its phase; TCP's loss compares it"
                + " to itself at the same age. Recovery is the time after which %s has 90%% of its"
                + " rate alone over half a second and over all of what follows.")
            .formatted(it, it);
  }

  private static Table phases(YieldOutcome outcome) {
    String it = outcome.plan.yielder().word();
    Table table =
        new Table()
            .text("Phase")
            .number(it, Unit.BITS_PER_SECOND)
            .number("TCP", Unit.BITS_PER_SECOND)
            .number("Queue, median", Unit.MICROS)
            .number("Queue, 95%", Unit.MICROS)
            .number("Probe, median added", Unit.MICROS)
            .number("Probe, 95%", Unit.MICROS)
            .number(it + " packets resent", Unit.COUNT)
            .number("TCP segments resent", Unit.COUNT);
    for (PhaseFigures phase : outcome.figures.phases()) {
      table.row(
          YieldText.name(outcome.plan, phase.phase()),
          phase.ledbatBitsPerSecond(),
          phase.tcpBitsPerSecond(),
          phase.queueMedianMicros(),
          phase.queueP95Micros(),
          phase.probeMedianMicros(),
          phase.probeP95Micros(),
          phase.ledbatRetransmitted(),
          phase.tcpRetransmitted());
    }
    return table;
  }

  private static List<Series> windows(YieldOutcome outcome, YieldSeries series) {
    List<Series> windows = new ArrayList<>();
    windows.add(series.ledbat(outcome.plan.yielder().word(), s -> s.value(Column.CWND)));
    if (!outcome.plan.download()) {
      windows.add(series.tcp(outcome.tcpName(), s -> s.value(Column.CWND)));
    }
    return windows;
  }

  private static List<Series> trips(YieldOutcome outcome, YieldSeries series) {
    List<Series> trips = new ArrayList<>();
    trips.add(series.ledbat(outcome.plan.yielder().word(), YieldPage::roundTrip));
    if (!outcome.plan.download()) {
      trips.add(series.tcp(outcome.tcpName(), YieldPage::roundTrip));
    }
    if (!outcome.trace.echoes().isEmpty()) {
      trips.add(series.echoes("probe"));
    }
    return trips;
  }

  private static double zero(double value) {
    return Double.isFinite(value) ? value : 0;
  }

  /** A transport that has measured none says 0. */
  private static double roundTrip(Sample sample) {
    double micros = sample.value(Column.RTT);
    return micros > 0 ? micros : Double.NaN;
  }

  private static LineChart chart(YieldOutcome outcome) {
    YieldSeries series = new YieldSeries(outcome.trace, outcome.startMicros);
    String it = outcome.plan.yielder().word();
    double lowest = YieldFigures.lowestDelay(outcome.trace);
    LineChart chart =
        new LineChart("The run over time", "seconds")
            .panel(
                "Arrived at the receiver",
                Unit.BITS_PER_SECOND,
                series.rates(it, outcome.tcpName()).toArray(new Series[0]));
    double most =
        outcome.figures.phases().stream()
            .mapToDouble(p -> zero(p.ledbatBitsPerSecond()) + zero(p.tcpBitsPerSecond()))
            .max()
            .orElse(0);
    if (most > 0) {
      chart.reference(most, "the most of a whole phase, " + Human.bitRate(most));
    }
    chart.panel("Window", Unit.BYTES, windows(outcome, series).toArray(new Series[0]));
    chart.panel("Round trip", Unit.MICROS, trips(outcome, series).toArray(new Series[0]));
    List<Series> queues = new ArrayList<>();
    queues.add(
        series.ledbat(
            "above the run's base",
            s -> s.hasDelay() ? Math.max(0, s.delayMicros() - lowest) : Double.NaN));
    queues.add(
        series.ledbat(
            "as the controller sees it",
            s -> s.hasDelay() ? s.value(LedbatColumns.QUEUING_DELAY) : Double.NaN));
    double[] targets =
        outcome.trace.ledbat.samples().stream()
            .mapToDouble(s -> s.value(LedbatColumns.TARGET))
            .filter(target -> target > 0)
            .distinct()
            .toArray();
    if (targets.length > 1) {
      // Some controllers move theirs: a line of its own.
      queues.add(series.ledbat("TARGET", s -> s.value(LedbatColumns.TARGET)));
    }
    chart.panel("Queuing delay", Unit.MICROS, queues.toArray(new Series[0]));
    if (targets.length == 1) {
      chart.reference(targets[0], "TARGET " + YieldText.micros(targets[0]));
    }
    chart.panel(
        "Base delay above the smallest of the run",
        Unit.MICROS,
        series.ledbat(
            "base delay",
            s -> s.hasDelay() ? s.value(LedbatColumns.BASE_DELAY) - lowest : Double.NaN));
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
