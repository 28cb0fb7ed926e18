package ebb.net.bench;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.core.units.ByteSize;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb bench transport}: one LEDBAT connection over loopback beside the raw UDP ceiling. */
@Command(
    name = "transport",
    mixinStandardHelpOptions = true,
    description = {
      "Moves bytes over one LEDBAT connection to a second JVM on this machine, with real",
      "congestion control, and compares the rate to what raw UDP reaches the same way."
    })
public final class TransportCommand implements EbbCommand {
  @Option(
      names = "--bytes",
      defaultValue = "2Gi",
      description = "How much to move (default ${DEFAULT-VALUE}).")
  private ByteSize bytes = new ByteSize(2L << 30);

  @Option(
      names = "--datagram",
      defaultValue = "1400",
      description = "UDP payload size, 576 to 65507 (default ${DEFAULT-VALUE}).")
  private int datagram = 1_400;

  @Option(
      names = "--repeat",
      defaultValue = "1",
      description = "How often, each time with a new receiver (default ${DEFAULT-VALUE}).")
  private int repeat = 1;

  @Option(
      names = "--mode",
      defaultValue = "AUTO",
      description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
  private BenchMode mode = BenchMode.AUTO;

  @Option(
      names = "--raw-millis",
      defaultValue = "3000",
      description = "How long the raw ceiling is measured; 0 leaves it out (${DEFAULT-VALUE}).")
  private long rawMillis = 3_000;

  @Option(names = "--json", description = "One result record on standard output.")
  private boolean json;

  @Override
  public String group() {
    return "bench";
  }

  @Override
  public Integer call() {
    if (bytes.bytes() < 1) {
      throw new EbbException(ExitCode.USAGE, "--bytes must be at least 1");
    }
    if (datagram < 576 || datagram > 65_507) {
      throw new EbbException(ExitCode.USAGE, "--datagram must be 576 to 65507: " + datagram);
    }
    if (repeat < 1 || rawMillis < 0) {
      throw new EbbException(
          ExitCode.USAGE, "--repeat must be at least 1 and --raw-millis at least 0");
    }
    Output output = Output.standard(json);
    ResultRecord.Builder result =
        ResultRecord.of("bench transport").fact("mode", mode.name().toLowerCase(Locale.ROOT));
    double best = 0;
    double sum = 0;
    double ceiling = 0;
    for (int run = 1; run <= repeat; run++) {
      TransferSource.Outcome outcome = TransferSource.run(mode, bytes.bytes(), datagram);
      double raw =
          rawMillis == 0
              ? Double.NaN
              : RawSource.run(mode, datagram, rawMillis).megabytesPerSecond();
      output.line(text(outcome, raw));
      result.row(row(outcome, raw));
      sum += outcome.megabytesPerSecond();
      best = Math.max(best, outcome.megabytesPerSecond());
      ceiling += raw;
    }
    result
        .figure("bytes", bytes.bytes())
        .figure("datagram_bytes", datagram)
        .figure("mean_megabytes_per_second", sum / repeat)
        .figure("best_megabytes_per_second", best)
        .figure("mean_raw_megabytes_per_second", ceiling / repeat)
        .figure("ratio_to_raw", sum / ceiling);
    output.json(result.build(true, ExitCode.DONE.value()).toJson());
    return ExitCode.DONE.value();
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
    row.put("sender_datagrams_in", outcome.driver().datagramsIn());
    row.put("raw_megabytes_per_second", raw);
    return row;
  }
}
