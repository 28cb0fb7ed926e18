package ebb.selfbench.command;

import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.selfbench.builtin.BuiltInSubjects;
import ebb.selfbench.side.BenchMode;
import ebb.selfbench.side.TransferSource;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * So many bytes over one connection, with everything that the engine tells of them, and raw UDP.
 */
final class SingleTransfer {
  private static final long MAX_WARM_UP_MILLIS = 1_000;

  private final BenchMode mode;
  private final long bytes;
  private final BenchContext context;
  private final long rawMillis;

  SingleTransfer(BenchMode mode, long bytes, BenchContext context, long rawMillis) {
    this.mode = mode;
    this.bytes = bytes;
    this.context = context;
    this.rawMillis = rawMillis;
  }

  /** Measures, prints, and gives the exit code. */
  ExitCode run(int repeat, Output output) throws InterruptedException {
    ResultRecord.Builder result =
        ResultRecord.of("bench transport").fact("mode", mode.name().toLowerCase(Locale.ROOT));
    double best = 0;
    double sum = 0;
    double ceiling = 0;
    for (int run = 1; run <= repeat; run++) {
      TransferSource.Outcome outcome = TransferSource.run(mode, bytes, context.datagramBytes());
      double raw = raw();
      output.line(text(outcome, raw));
      result.row(row(outcome, raw));
      sum += outcome.megabytesPerSecond();
      best = Math.max(best, outcome.megabytesPerSecond());
      ceiling += raw;
    }
    result
        .figure("bytes", bytes)
        .figure("datagram_bytes", context.datagramBytes())
        .figure("mean_megabytes_per_second", sum / repeat)
        .figure("best_megabytes_per_second", best)
        .figure("mean_raw_megabytes_per_second", ceiling / repeat)
        .figure("ratio_to_raw", sum / ceiling);
    output.json(result.build(true, ExitCode.DONE.value()).toJson());
    return ExitCode.DONE;
  }

  private double raw() throws InterruptedException {
    if (rawMillis == 0) {
      return Double.NaN;
    }
    long warmUp = Math.min(MAX_WARM_UP_MILLIS, rawMillis / 3);
    return BuiltInSubjects.raw(mode)
        .measure(context, new Period(warmUp, rawMillis - warmUp))
        .megabytesPerSecond();
  }

  private static String text(TransferSource.Outcome outcome, double raw) {
    return String.format(
        Locale.ROOT,
        "%.0f MB/s over one connection (%s%s%s); CPU s/GB: sender %.2f, receiver %.2f;"
            + " retransmitted %.3f%%, time-outs %d; %.1f datagrams a burst received;"
            + " limited by %s%s",
        outcome.megabytesPerSecond(),
        outcome.driver().transport().name().toLowerCase(Locale.ROOT),
        outcome.driver().gsoInUse() ? " GSO" : "",
        outcome.driver().groInUse() ? " GRO" : "",
        outcome.senderCpuSecondsPerGigabyte(),
        outcome.receiverCpuSecondsPerGigabyte(),
        100.0 * outcome.connection().bytesRetransmitted() / outcome.bytes(),
        outcome.connection().timeouts(),
        (double) outcome.receiverDatagrams() / Math.max(1, outcome.receiverBursts()),
        outcome.connection().limits().text(),
        Double.isNaN(raw)
            ? ""
            : String.format(
                Locale.ROOT,
                "; raw UDP %.0f MB/s, ratio %.2f",
                raw,
                outcome.megabytesPerSecond() / raw));
  }

  private static Map<String, @Nullable Object> row(TransferSource.Outcome outcome, double raw) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("megabytes_per_second", outcome.megabytesPerSecond());
    row.put("sender_cpu_seconds_per_gigabyte", outcome.senderCpuSecondsPerGigabyte());
    row.put("receiver_cpu_seconds_per_gigabyte", outcome.receiverCpuSecondsPerGigabyte());
    row.put("bytes_retransmitted", outcome.connection().bytesRetransmitted());
    row.put("timeouts", outcome.connection().timeouts());
    row.put("losses", outcome.connection().losses());
    row.put("cwnd_bytes", outcome.connection().cwndBytes());
    row.put("smoothed_rtt_micros", outcome.connection().smoothedRttMicros());
    row.put("queuing_delay_micros", outcome.connection().queuingDelayMicros());
    outcome.connection().limits().sharesByName().forEach(row::put);
    row.put("receiver_bursts", outcome.receiverBursts());
    row.put("receiver_datagrams", outcome.receiverDatagrams());
    row.put("sender_datagrams_in", outcome.driver().in().datagrams());
    row.put("raw_megabytes_per_second", raw);
    return row;
  }
}
