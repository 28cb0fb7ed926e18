package ebb.launcher.demo;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.core.units.ByteSize;
import ebb.core.units.Human;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb demo}. It owns the order and the words; the work is the other classes'. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Show in under a minute what Ebb does.",
      "It needs no network, no root and no cloud.",
      "Moves a file over loopback through the whole stack and verifies it, then simulates a minute"
          + " in which LEDBAT yields to a TCP flow and comes back, and a download whose receiver"
          + " makes it yield.",
    })
public final class DemoCommand implements EbbCommand {
  private static final String DEFAULT_SIZE = "128Mi";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The HTML page to write (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("ebb-demo.html");

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = DEFAULT_SIZE,
      description = "How much to move over loopback (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse(DEFAULT_SIZE);

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the simulation (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("ebb demo");
    checkWritable();

    output.line("1. A real file through the whole stack, over loopback");
    LoopbackTransfer.Outcome transfer = LoopbackTransfer.move(size.bytes());
    String transferLine =
        String.format(
            Locale.ROOT,
            "%s of random bytes in %.2f s: %s; SHA-256 of what arrived is %s.",
            Human.bytes((double) transfer.bytes()),
            transfer.seconds(),
            Human.byteRate(transfer.bytes() / transfer.seconds()),
            transfer.verified() ? "as sent" : "NOT AS SENT");
    output.line("   " + transferLine);
    output.line("   " + transfer.sha256Received());
    output.line("");

    output.line("2. A simulated minute: LEDBAT alone, TCP joins at 20 s and leaves at 40 s");
    YieldRun run = YieldRun.of(seed);
    YieldView view = new YieldView(run);
    show(output, view.terminalLines());
    output.line("");
    output.line(
        String.format(Locale.ROOT, "   Two minutes simulated in %.1f s.", run.wallSeconds()));
    output.line("");

    output.line("3. A simulated download that its receiver holds back: TCP from 10 s to 25 s");
    DownloadRun download = DownloadRun.of(seed);
    DownloadView downloadView = new DownloadView(download);
    show(output, downloadView.terminalLines());
    try {
      view.html(transferLine, downloadView).writeTo(out);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "cannot write " + out + ": " + e.getMessage(), e);
    }
    output.line("");
    output.line("   Page: " + out);

    ExitCode code = ExitCode.DONE;
    if (!run.bytesIntact() || !download.bytesIntact()) {
      output.note("ebb: the simulated transfer delivered wrong bytes (seed " + seed + ")");
      code = ExitCode.INTERNAL;
    }
    if (!transfer.verified()) {
      output.note("ebb: the file that arrived is not the file that was sent");
      code = ExitCode.INCOMPLETE;
    }
    addFigures(result, transfer, run);
    addFigures(result, download);
    output.json(result.build(code == ExitCode.DONE, code.value()).toJson());
    return code.value();
  }

  private static void show(Output output, List<String> lines) {
    lines.forEach(line -> output.line(line.isEmpty() ? "" : "   " + line));
  }

  private static void addFigures(ResultRecord.Builder result, DownloadRun download) {
    Map.of("held", download.held(), "free", download.free())
        .forEach(
            (name, side) ->
                result
                    .figure(
                        "download_" + name + "_alone_utilisation_ratio", side.aloneUtilisation())
                    .figure(
                        "download_" + name + "_queuing_delay_median_micros",
                        side.queueAloneMicros())
                    .figure("download_" + name + "_settled_share_ratio", side.shareSettled())
                    .figure(
                        "download_" + name + "_tcp_rate_bits_per_second", side.tcpBitsPerSecond())
                    .figure(
                        "download_" + name + "_recovery_micros",
                        side.recoveryMicros() < 0 ? Double.NaN : (double) side.recoveryMicros()));
  }

  private void checkWritable() {
    Path directory = out.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new EbbException(ExitCode.USAGE, "cannot write " + out + ": no such directory");
    }
    if (Files.isDirectory(out)) {
      throw new EbbException(ExitCode.USAGE, "cannot write " + out + ": it is a directory");
    }
  }

  private void addFigures(
      ResultRecord.Builder result, LoopbackTransfer.Outcome transfer, YieldRun run) {
    YieldRun.Figures f = run.figures();
    result
        .figure("transfer_bytes", transfer.bytes())
        .figure("transfer_seconds", transfer.seconds())
        .figure("transfer_rate_bytes_per_second", transfer.bytes() / transfer.seconds())
        .fact("transfer_sha256", transfer.sha256Received())
        .fact("transfer_verified", Boolean.toString(transfer.verified()))
        .figure("link_rate_bits_per_second", YieldRun.RATE_BITS_PER_SECOND)
        .figure("link_base_rtt_micros", YieldRun.BASE_RTT_MICROS)
        .figure("link_buffer_micros", YieldRun.BUFFER_MICROS)
        .figure("target_micros", YieldRun.TARGET_MICROS)
        .figure("alone_utilisation_ratio", f.aloneUtilisation())
        .figure("contended_ledbat_share_ratio", f.ledbatShare())
        .figure("contended_settled_ledbat_share_ratio", f.ledbatShareSettled())
        .figure("tcp_rate_bits_per_second", f.tcpBitsPerSecond())
        .figure("tcp_alone_rate_bits_per_second", f.tcpAloneBitsPerSecond())
        .figure("tcp_loss_ratio", f.tcpLoss())
        .figure(
            "recovery_micros", f.recoveryMicros() < 0 ? Double.NaN : (double) f.recoveryMicros())
        .figure("alone_queuing_delay_median_micros", f.queueAloneMicros())
        .figure("contended_queuing_delay_median_micros", f.queueContendedMicros())
        .figure("tcp_alone_queuing_delay_median_micros", f.queueTcpAloneMicros())
        .figure("simulated_ledbat_bytes", run.ledbatBytes())
        .figure("simulation_wall_seconds", run.wallSeconds())
        .figure("seed", seed)
        .fact("trace_sha256", run.traceDigest())
        .fact("page", out.toString());
    result.warning("the TCP flow is a model of Reno, not a kernel's TCP");
  }
}
