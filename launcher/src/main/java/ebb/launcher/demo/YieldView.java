package ebb.launcher.demo;

import ebb.core.report.HtmlReport;
import ebb.core.report.HtmlReport.Figure;
import ebb.core.report.HtmlReport.Tone;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.TerminalPlot;
import ebb.core.units.Human;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A {@link YieldRun} for people: in a terminal and as one HTML page. It computes no figures. */
final class YieldView {
  private static final int COLUMNS = 78;
  private static final long STEP_MICROS = 250_000;

  private final YieldRun run;

  YieldView(YieldRun run) {
    this.run = run;
  }

  static String setUp() {
    return String.format(
        Locale.ROOT,
        "A link of %s, base round trip %s, drop-tail buffer of %s. LEDBAT's TARGET is %s.",
        Human.bitRate((double) YieldRun.RATE_BITS_PER_SECOND),
        Human.micros(YieldRun.BASE_RTT_MICROS),
        Human.micros(YieldRun.BUFFER_MICROS),
        Human.micros(YieldRun.TARGET_MICROS));
  }

  private static String caveat() {
    return "Ebb's real protocol engine runs here, on virtual time; the link and the TCP flow are"
        + " models (TCP Reno with SACK, not a kernel's TCP). The link is one on which a"
        + " minute is enough: RFC 6817 alone, without slow start, gains one packet a round"
        + " trip, and on fast or long links needs much longer to fill the link and to come"
        + " back. Of twelve links that were tried, this one shows the smallest share beside"
        + " TCP; the largest was 23%.";
  }

  List<String> terminalLines() {
    List<String> lines = new ArrayList<>();
    lines.add(setUp());
    lines.add("");
    lines.addAll(
        new TerminalPlot("Rate on the link, Mbit/s over seconds", COLUMNS, 9)
            .add('L', ledbatRate())
            .add('T', tcpRate())
            .lines());
    lines.add("");
    lines.addAll(
        new TerminalPlot("Queuing delay, ms over seconds (--- TARGET)", COLUMNS, 7)
            .add('q', queue())
            .reference(YieldRun.TARGET_MICROS / 1e3)
            .lines());
    lines.add("");
    String when = "";
    for (List<String> row : rows()) {
      if (!row.get(0).equals(when)) {
        when = row.get(0);
        lines.add(when);
      }
      lines.add(String.format(Locale.ROOT, "  %-54s %s", row.get(1), row.get(2)));
    }
    return lines;
  }

  private List<List<String>> rows() {
    YieldRun.Figures f = run.figures();
    String alone = "LEDBAT alone, 5 to 20 s";
    String both = "LEDBAT and TCP, 20 to 40 s";
    return List.of(
        List.of(alone, "link used", percent(f.aloneUtilisation())),
        List.of(alone, "median queuing delay", micros(f.queueAloneMicros())),
        List.of(both, "LEDBAT's share of the link", percent(f.ledbatShare())),
        List.of(both, "its share after the first 5 s", percent(f.ledbatShareSettled())),
        List.of(both, "TCP's rate", Human.bitRate(f.tcpBitsPerSecond())),
        List.of(both, "TCP's rate in a run without LEDBAT", tcpAlone(f)),
        List.of(both, "what LEDBAT's presence cost TCP", percent(f.tcpLoss())),
        List.of(both, "median queuing delay", micros(f.queueContendedMicros())),
        List.of(both, "the same in the run without LEDBAT", micros(f.queueTcpAloneMicros())),
        List.of("LEDBAT alone again, from 40 s", "90% of the link again after", recovery(f)));
  }

  private static String tcpAlone(YieldRun.Figures f) {
    return Human.bitRate(f.tcpAloneBitsPerSecond());
  }

  HtmlReport html(@Nullable String transferLine, DownloadView download) {
    YieldRun.Figures f = run.figures();
    HtmlReport page = new HtmlReport("Ebb: full speed while nobody else wants the link");
    page.lead(
        "A background transfer that steps aside: LEDBAT (RFC 6817) fills the link, gives way when a"
            + " TCP flow joins at 20 s, and takes the link back when it leaves at 40 s.");
    page.figures(
        List.of(
            new Figure(
                percent(f.aloneUtilisation()),
                "of the link used alone, " + micros(f.queueAloneMicros()) + " of queue",
                Tone.PLAIN),
            new Figure(percent(f.ledbatShare()), "LEDBAT's share while TCP is there", Tone.PLAIN),
            new Figure(
                percent(f.ledbatShareSettled()), "the same, after the first 5 s", Tone.PLAIN),
            new Figure(percent(f.tcpLoss()), "what LEDBAT's presence cost TCP", Tone.PLAIN),
            new Figure(recovery(f), "until LEDBAT is back at 90%", Tone.PLAIN)));
    page.chart(
        new LineChart(
                "Rates of LEDBAT and TCP and the link's queuing delay over a simulated minute",
                "seconds")
            .panel("Rate on the link, Mbit/s", ledbatRate(), tcpRate())
            .panel("Queuing delay, ms", queue())
            .reference(YieldRun.TARGET_MICROS / 1e3, "TARGET")
            .range(20, 40, "TCP is there"));
    page.heading("What happens");
    page.paragraph(setUp());
    page.paragraph(
        "LEDBAT measures how long its packets wait in the queue. Alone, it sends as much as the"
            + " link carries and keeps the wait near TARGET. TCP fills the buffer until packets"
            + " are lost, so the wait grows beyond TARGET and LEDBAT shrinks its window, down to"
            + " two packets. When TCP has left, the wait falls and LEDBAT grows again.");
    page.paragraph(caveat());
    page.heading("Figures");
    page.table(List.of("When", "Figure", "Value"), rows());
    download.addTo(page);
    if (transferLine != null) {
      page.heading("The real transfer");
      page.paragraph(transferLine);
    }
    page.heading("Again");
    page.paragraph(
        String.format(
            Locale.ROOT,
            "Seed %d gives this page's figures on any machine; the SHA-256 of all events on the"
                + " links is %s.",
            run.seed(),
            run.traceDigest()));
    return page;
  }

  private Series ledbatRate() {
    return series("LEDBAT", at -> run.ledbatMegabits(at, STEP_MICROS));
  }

  private Series tcpRate() {
    return series("TCP Reno", at -> run.tcpMegabits(at, STEP_MICROS));
  }

  private Series queue() {
    return series("queuing delay", at -> run.queueMillis(at, STEP_MICROS));
  }

  private interface Value {
    double over(long fromMicros);
  }

  /** One value a step, in the middle of the step. */
  private static Series series(String name, Value value) {
    int steps = (int) (YieldRun.END_MICROS / STEP_MICROS);
    double[] seconds = new double[steps];
    double[] values = new double[steps];
    for (int i = 0; i < steps; i++) {
      seconds[i] = (i + 0.5) * STEP_MICROS / 1e6;
      values[i] = value.over(i * STEP_MICROS);
    }
    return new Series(name, seconds, values);
  }

  private static String recovery(YieldRun.Figures f) {
    return f.recoveryMicros() < 0 ? "not in 20 s" : Human.micros(f.recoveryMicros());
  }

  private static String micros(double value) {
    return Double.isNaN(value) ? "-" : Human.micros(Math.round(value));
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", share * 100);
  }
}
