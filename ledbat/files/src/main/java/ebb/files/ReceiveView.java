package ebb.files;

import ebb.core.cli.ExitCode;
import ebb.core.cli.LineBudget;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.core.time.MicroClock;
import ebb.core.units.Human;
import ebb.ledbat.command.Addresses;
import ebb.ledbat.connection.ConnectionStats;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a receiver's user sees: progress, a line for each session, results. Thread-safe. */
final class ReceiveView implements ReceiveListener {
  /** Files that a session's JSON result lists; the totals count all. */
  private static final int MAX_ROWS = 1_000;

  private static final long FULL_NOTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Output output;
  private final Progress progress;
  private final boolean once;
  private final LineBudget lines =
      new LineBudget(
          MicroClock.system(),
          ReceiveLimits.LINES_AT_ONCE,
          1_000_000 / ReceiveLimits.LINES_PER_SECOND);
  private final PartExpiry parts;
  private long fullNotedNanos = System.nanoTime() - FULL_NOTE_NANOS;
  private final TransferMonitor monitor = new TransferMonitor();
  private final RateMeter rate = new RateMeter();
  private final CompletableFuture<ExitCode> result = new CompletableFuture<>();
  private final Map<InetSocketAddress, List<Map<String, @Nullable Object>>> sessions =
      new HashMap<>();
  private boolean taken;
  private double bytesPerSecond;

  ReceiveView(Output output, Progress progress, boolean once, PartExpiry parts) {
    this.output = output;
    this.progress = progress;
    this.once = once;
    this.parts = parts;
  }

  TransferMonitor monitor() {
    return monitor;
  }

  /** Done when the receiver is to end. */
  CompletableFuture<ExitCode> result() {
    return result;
  }

  synchronized void listening(InetSocketAddress local, Path directory) {
    note("listening on " + Addresses.text(local) + ", files go to " + directory);
  }

  @Override
  public synchronized boolean admit(InetSocketAddress remote) {
    if (once && taken) {
      return false;
    }
    taken = true;
    sessions.put(remote, new ArrayList<>());
    return true;
  }

  @Override
  public synchronized void onSentAway(InetSocketAddress remote, String why) {
    noteOfPeer(Addresses.text(remote) + " is not served: " + why);
  }

  @Override
  public synchronized void onReceived(InetSocketAddress remote, Frame.Offer offer, String sha256) {
    monitor.filesDone.incrementAndGet();
    row(remote, offer, "received", sha256.isEmpty() ? null : sha256, null);
  }

  @Override
  public synchronized void onFailed(
      InetSocketAddress remote, Frame.Offer offer, Refusal refusal, String reason) {
    row(remote, offer, "failed", null, reason);
    noteOfPeer(
        "not received from "
            + Addresses.text(remote)
            + ": '"
            + TerminalText.printable(offer.path())
            + "': "
            + reason);
    if (refusal == Refusal.NO_SPACE) {
      noteFull();
    }
  }

  /** What can be removed; seldom, for looking costs something. */
  private void noteFull() {
    long now = System.nanoTime();
    if (now - fullNotedNanos < FULL_NOTE_NANOS) {
      return;
    }
    fullNotedNanos = now;
    PartExpiry.Parts unused = parts.unused();
    note(
        "no room is left on the disk; "
            + (unused.files() == 0
                ? "there is nothing unfinished that could be removed"
                : unfinished(unused)
                    + " in "
                    + ReservedName.PART_DIRECTORY
                    + " can be deleted when the receiver has ended; the .txt beside each says what"
                    + " it is"));
  }

  private static String unfinished(PartExpiry.Parts parts) {
    return parts.files()
        + (parts.files() == 1 ? " unfinished file of " : " unfinished files of ")
        + Human.bytes((double) parts.bytes());
  }

  /** Unfinished files were removed, for nobody had gone on with them. */
  synchronized void expired(PartExpiry.Parts removed) {
    if (removed.files() > 0) {
      note("deleted " + unfinished(removed) + " that nobody had gone on with for long");
    }
  }

  @Override
  public void onContent(long bytes) {
    monitor.movedBytes.addAndGet(bytes);
  }

  private void row(
      InetSocketAddress remote,
      Frame.Offer offer,
      String status,
      @Nullable String sha256,
      @Nullable String reason) {
    List<Map<String, @Nullable Object>> rows = sessions.get(remote);
    if (rows != null && rows.size() < MAX_ROWS) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("name", offer.path());
      row.put("status", status);
      row.put("size_bytes", offer.sizeBytes());
      row.put("sha256", sha256);
      row.put("reason", reason);
      rows.add(row);
    }
  }

  /** Shows progress when it is time to and something goes on. */
  synchronized void tick() {
    monitor.sample(); // For the next time.
    bytesPerSecond = rate.update(System.nanoTime(), monitor.movedBytes.get());
    if (!sessions.isEmpty()) {
      progress.update(this::progressLine);
    }
  }

  private String progressLine() {
    long moved = monitor.movedBytes.get();
    String line =
        String.format(
            Locale.ROOT,
            "%d %s, %d files received, %s, %s",
            sessions.size(),
            sessions.size() == 1 ? "sender" : "senders",
            monitor.filesDone.get(),
            Human.bytes((double) moved),
            Human.byteRate(bytesPerSecond));
    ConnectionStats stats = monitor.stats();
    return stats == null || !stats.incoming().isControlled()
        ? line
        : line + incoming(stats.incoming());
  }

  /** Of one of the senders, where there are several. */
  private static String incoming(ConnectionStats.Incoming incoming) {
    return ", queue "
        + Human.micros(incoming.queuingMicros())
        + ", window "
        + Human.bytes((double) incoming.windowBytes())
        + ", limited by "
        + incoming.limit().name().toLowerCase(Locale.ROOT);
  }

  synchronized void clear() {
    progress.clear();
  }

  /** A line that a peer has caused; there may be only so many. */
  private void noteOfPeer(String text) {
    lines.ask(text).ifPresent(this::note);
  }

  private void note(String text) {
    progress.clear();
    output.note("ebb: " + text);
  }

  /** Tells that the user stopped it; true when that broke a transfer. */
  synchronized boolean interrupted() {
    boolean busy = !sessions.isEmpty();
    note(
        busy
            ? "interrupted; files that are not complete can be sent again and go on from there"
            : "interrupted");
    return busy;
  }

  /** A session is over. */
  synchronized void ended(ReceiveReport report) {
    List<Map<String, @Nullable Object>> rows = sessions.remove(report.remote());
    String from = Addresses.text(report.remote());
    String broken = report.broken();
    if (report.stranger()) {
      noteOfPeer(from + " is not served: " + broken);
      return;
    }
    progress.clear();
    ExitCode code = exitCode(report);
    double seconds = report.nanos() / 1e9;
    if (broken != null) {
      noteOfPeer("the transfer from " + from + " broke: " + broken);
    }
    output.line(summary(report, from, seconds));
    if (output.isJson()) {
      output.json(record(report, from, seconds, code, rows).toJson());
    }
    if (once) {
      result.complete(code);
    }
  }

  /** Something in this program is broken. */
  void failed(Throwable failure) {
    result.completeExceptionally(failure);
  }

  private static ExitCode exitCode(ReceiveReport report) {
    Refusal worst = report.worst();
    boolean refusedAltogether = worst == Refusal.OTHER;
    if ((report.broken() != null && !refusedAltogether) || (worst != null && worst.incomplete)) {
      return ExitCode.INCOMPLETE;
    }
    return worst == null ? ExitCode.DONE : ExitCode.REFUSED_OR_BUSY;
  }

  private static String summary(ReceiveReport report, String from, double seconds) {
    StringBuilder line = new StringBuilder("received ");
    line.append(report.received()).append(" from ").append(from).append(": ");
    line.append(Human.bytes((double) report.contentBytes())).append(" in ");
    line.append(Human.micros((long) (seconds * 1e6)));
    line.append(" (").append(Human.byteRate(report.contentBytes() / seconds)).append(")");
    if (report.alreadyThere() > 0) {
      line.append(", ").append(report.alreadyThere()).append(" already there");
    }
    if (report.failed() > 0) {
      line.append(", ").append(report.failed()).append(" failed");
    }
    return line.toString();
  }

  private static ResultRecord record(
      ReceiveReport report,
      String from,
      double seconds,
      ExitCode code,
      @Nullable List<Map<String, @Nullable Object>> rows) {
    ResultRecord.Builder record =
        ResultRecord.of("ledbat receive")
            .fact("peer", from)
            .figure("received", report.received())
            .figure("already_there", report.alreadyThere())
            .figure("failed", report.failed())
            .figure("content_bytes", report.contentBytes())
            .figure("seconds", seconds)
            .figure("rate_bytes_per_second", report.contentBytes() / seconds);
    ConnectionStats.Incoming incoming = report.incoming();
    if (incoming.isControlled()) {
      record
          .fact("incoming_controller", incoming.controller())
          .fact("incoming_limit", incoming.limit().name().toLowerCase(Locale.ROOT))
          .figure("incoming_window_bytes", incoming.windowBytes())
          .figure("incoming_smoothed_rtt_micros", incoming.smoothedRttMicros())
          .figure("incoming_queuing_delay_micros", incoming.queuingMicros())
          .figure("incoming_target_delay_micros", incoming.targetMicros());
    }
    String broken = report.broken();
    if (broken != null) {
      record.fact("error", broken);
    }
    if (rows != null) {
      rows.forEach(record::row);
      if (rows.size() == MAX_ROWS) {
        record.warning("only the first " + MAX_ROWS + " files are listed");
      }
    }
    return record.build(code == ExitCode.DONE, code.value());
  }
}
