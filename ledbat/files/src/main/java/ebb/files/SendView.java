package ebb.files;

import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.ledbat.command.Addresses;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LimitTimes;
import ebb.ledbat.connection.SendLimit;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a sender's user sees: progress, a line for each trouble, the result. Thread-safe. */
final class SendView implements SendListener {
  /** Files that the JSON result lists; the totals count all. */
  private static final int MAX_ROWS = 1_000;

  private final Output output;
  private final Progress progress;
  private final SourceTree.Totals totals;
  private final TransferMonitor monitor = new TransferMonitor();
  private final RateMeter rate = new RateMeter();
  private final ResultRecord.Builder result = ResultRecord.of("ledbat send");
  private final List<FileOutcome> rows = new ArrayList<>();
  private boolean interrupted;
  private long arrivedBytes;
  private double bytesPerSecond;
  private LimitTimes limitsBefore = LimitTimes.NONE;
  private String limitedBy = "";

  SendView(Output output, Progress progress, SourceTree.Totals totals) {
    this.output = output;
    this.progress = progress;
    this.totals = totals;
  }

  TransferMonitor monitor() {
    return monitor;
  }

  @Override
  public void onContent(long bytes, boolean skipped) {
    (skipped ? monitor.skippedBytes : monitor.movedBytes).addAndGet(bytes);
  }

  @Override
  public synchronized void onOutcome(FileOutcome outcome) {
    monitor.filesDone.incrementAndGet();
    if (rows.size() < MAX_ROWS) {
      rows.add(outcome);
    }
    if (outcome.status() == FileOutcome.Status.FAILED) {
      note(TerminalText.printable(outcome.name()) + ": " + outcome.reason());
    }
  }

  @Override
  public synchronized void onSkipped(String name, String reason) {
    note(TerminalText.printable(name) + ": left out: " + reason);
  }

  private void note(String text) {
    progress.clear();
    output.note("ebb: " + text);
  }

  /** Shows progress when it is time to. */
  synchronized void tick() {
    monitor.sample();
    // What the transport still holds has not arrived.
    ConnectionStats stats = monitor.stats();
    arrivedBytes = stats == null ? 0 : Math.min(monitor.movedBytes.get(), stats.bytesAcked());
    bytesPerSecond = rate.update(System.nanoTime(), arrivedBytes);
    if (stats != null) {
      noteLimit(stats.limits());
    }
    progress.update(this::progressLine);
  }

  /** What held for most of the time since the last look. */
  private void noteLimit(LimitTimes limits) {
    List<SendLimit> held = limits.since(limitsBefore).byLength();
    if (!held.isEmpty()) {
      limitedBy = ", limited by " + held.get(0).text();
      limitsBefore = limits;
    }
  }

  private String progressLine() {
    ConnectionStats stats = monitor.stats();
    long skipped = monitor.skippedBytes.get();
    long moved = arrivedBytes;
    long left = Math.max(0, totals.bytes() - skipped - moved);
    StringBuilder line = new StringBuilder();
    if (totals.files() != 1) {
      line.append(monitor.filesDone).append(" of ").append(totals.files()).append(" files, ");
    }
    line.append(Human.bytes((double) (skipped + moved)))
        .append(" of ")
        .append(Human.bytes((double) totals.bytes()));
    line.append(", ").append(Human.byteRate(bytesPerSecond));
    line.append(", ETA ");
    line.append(bytesPerSecond < 1 ? "-" : Human.clock((long) Math.ceil(left / bytesPerSecond)));
    if (stats != null) {
      line.append(", queue ").append(Human.micros(stats.queuingDelayMicros()));
      line.append(", cwnd ").append(Human.bytes((double) stats.cwndBytes()));
      line.append(limitedBy);
    }
    return line.toString();
  }

  synchronized void clear() {
    progress.clear();
  }

  /** Tells that the user stopped it. */
  synchronized void interrupted() {
    interrupted = true;
    note("interrupted; give the same command again to go on from here");
  }

  /** Prints the result. */
  synchronized ExitCode finish(InetSocketAddress remote, SendReport report) {
    progress.clear();
    ExitCode code = exitCode(report);
    String to = Addresses.text(remote);
    String refused = report.refused();
    String broken = report.broken();
    if (refused != null) {
      output.note("ebb: " + to + ": " + refused);
    } else if (broken != null && !interrupted) {
      output.note(
          "ebb: the transfer to "
              + to
              + " broke: "
              + broken
              + "; give the same command again to go on from there");
    }
    double seconds = report.nanos() / 1e9;
    output.line(summary(report, to, seconds));
    if (output.isJson()) {
      output.json(record(report, to, seconds, code).toJson());
    }
    return code;
  }

  private static ExitCode exitCode(SendReport report) {
    Refusal worst = report.worst();
    if (report.refused() != null) {
      return ExitCode.REFUSED_OR_BUSY;
    }
    if (report.broken() != null || (worst != null && worst.incomplete)) {
      return ExitCode.INCOMPLETE;
    }
    return worst == null ? ExitCode.DONE : ExitCode.REFUSED_OR_BUSY;
  }

  private static String summary(SendReport report, String to, double seconds) {
    StringBuilder line = new StringBuilder("sent ");
    line.append(report.sent()).append(" to ").append(to).append(": ");
    line.append(Human.bytes((double) report.contentBytes())).append(" in ");
    line.append(Human.micros((long) (seconds * 1e6)));
    line.append(" (").append(Human.byteRate(report.contentBytes() / seconds)).append(")");
    if (report.resumedBytes() > 0) {
      line.append(", ")
          .append(Human.bytes((double) report.resumedBytes()))
          .append(" were there before");
    }
    if (report.alreadyThere() > 0) {
      line.append(", ").append(report.alreadyThere()).append(" already there");
    }
    if (report.failed() > 0) {
      line.append(", ").append(report.failed()).append(" failed");
    }
    if (report.skipped() > 0) {
      line.append(", ").append(report.skipped()).append(" left out");
    }
    return line.toString();
  }

  private ResultRecord record(SendReport report, String to, double seconds, ExitCode code) {
    result
        .fact("peer", to)
        .figure("sent", report.sent())
        .figure("already_there", report.alreadyThere())
        .figure("failed", report.failed())
        .figure("left_out", report.skipped())
        .figure("content_bytes", report.contentBytes())
        .figure("resumed_bytes", report.resumedBytes())
        .figure("seconds", seconds)
        .figure("rate_bytes_per_second", report.contentBytes() / seconds);
    String trouble = report.refused() == null ? report.broken() : report.refused();
    if (trouble != null) {
      result.fact("error", trouble);
    }
    ConnectionStats stats = monitor.stats();
    if (stats != null) {
      result
          .figure("smoothed_rtt_micros", stats.smoothedRttMicros())
          .figure("queuing_delay_micros", stats.queuingDelayMicros())
          .figure("target_delay_micros", stats.targetDelayMicros())
          .figure("retransmitted_bytes", stats.bytesRetransmitted())
          .figure("losses", stats.losses())
          .figure("timeouts", stats.timeouts());
      stats.limits().sharesByName().forEach(result::figure);
    }
    rows.forEach(outcome -> result.row(row(outcome)));
    if (report.sent() + report.alreadyThere() + report.failed() > rows.size()) {
      result.warning("only the first " + MAX_ROWS + " files are listed");
    }
    return result.build(code == ExitCode.DONE, code.value());
  }

  private static Map<String, @Nullable Object> row(FileOutcome outcome) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("name", outcome.name());
    row.put("status", outcome.status().name().toLowerCase(java.util.Locale.ROOT));
    row.put("size_bytes", outcome.sizeBytes());
    row.put("resumed_bytes", outcome.resumedBytes());
    row.put("sha256", outcome.sha256().isEmpty() ? null : outcome.sha256());
    row.put("reason", outcome.reason().isEmpty() ? null : outcome.reason());
    return row;
  }
}
