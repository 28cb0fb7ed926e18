package ebb.launcher.demo;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.TerminalPlot;
import ebb.core.units.Human;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A {@link DownloadRun} for people, in a terminal and as a part of a page. It computes nothing. */
final class DownloadView {
  private static final int COLUMNS = 78;
  private static final long STEP_MICROS = 250_000;
  private static final List<String> HEADINGS =
      List.of("", "its receiver holds it back", "nobody does");

  private final DownloadRun run;

  DownloadView(DownloadRun run) {
    this.run = run;
  }

  private static String setUp() {
    return "On the same link a sender that takes as much as four TCP connections ("
        + DownloadRun.SENDER
        + "); the receiver holds it back ("
        + DownloadRun.RECEIVER
        + "), or does not.";
  }

  List<String> terminalLines() {
    List<String> lines = new ArrayList<>();
    lines.add(setUp());
    lines.add("");
    lines.addAll(
        new TerminalPlot("The download's rate, Mbit/s over seconds", COLUMNS, 7)
            .add('f', rate("free", run.free()))
            .add('h', rate("held back", run.held()))
            .lines());
    lines.add("");
    List<List<String>> all = new ArrayList<>();
    all.add(HEADINGS);
    all.addAll(rows());
    for (List<String> row : all) {
      lines.add(String.format(Locale.ROOT, "%-34s %28s %13s", row.get(0), row.get(1), row.get(2)));
    }
    return lines;
  }

  void addTo(HtmlReport page) {
    page.heading("A download whose sender does not yield");
    page.paragraph(
        setUp()
            + " The receiver knows the queue from the sender's time stamps, and what it advertises"
            + " bounds what may be in flight. TCP is there from 10 s to 25 s.");
    page.chart(
        new LineChart("Rate of a download with and without a receiver that yields", "seconds")
            .panel(
                "The download's rate, Mbit/s",
                rate("held back", run.held()),
                rate("free", run.free()))
            .range(10, 25, "TCP is there"));
    page.table(HEADINGS, rows());
  }

  private List<List<String>> rows() {
    DownloadRun.Side held = run.held();
    DownloadRun.Side free = run.free();
    return List.of(
        row("alone: link used", percent(held.aloneUtilisation()), percent(free.aloneUtilisation())),
        row(
            "median queuing delay",
            micros(held.queueAloneMicros()),
            micros(free.queueAloneMicros())),
        row(
            "share beside TCP, from 5 s on",
            percent(held.shareSettled()),
            percent(free.shareSettled())),
        row("TCP's rate", rate(held.tcpBitsPerSecond()), rate(free.tcpBitsPerSecond())),
        row("TCP leaves: 90% of the link after", recovery(held), recovery(free)));
  }

  private static List<String> row(String... cells) {
    return List.of(cells);
  }

  private static String percent(double share) {
    return YieldView.percent(share);
  }

  private static String micros(double value) {
    return Human.micros(Math.round(value));
  }

  private static String rate(double bitsPerSecond) {
    return Human.bitRate(bitsPerSecond);
  }

  private static String recovery(DownloadRun.Side side) {
    return side.recoveryMicros() < 0 ? "not in 10 s" : Human.micros(side.recoveryMicros());
  }

  private static Series rate(String name, DownloadRun.Side side) {
    int steps = (int) (DownloadRun.END_MICROS / STEP_MICROS);
    double[] seconds = new double[steps];
    double[] values = new double[steps];
    for (int i = 0; i < steps; i++) {
      seconds[i] = (i + 0.5) * STEP_MICROS / 1e6;
      values[i] = side.megabits(i * STEP_MICROS, STEP_MICROS);
    }
    return new Series(name, seconds, values);
  }
}
