package ebb.net.peer;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.KeyOption;
import ebb.core.cli.Output;
import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.KompicsSystem;
import ebb.core.result.ResultRecord;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.LedbatConfigs;
import ebb.ledbat.kompics.SecureDriverFactory;
import ebb.ledbat.secure.PresharedKey;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import se.sics.kompics.Component;

/** The command {@code ebb peer}. */
@Command(
    name = "peer",
    mixinStandardHelpOptions = true,
    description = {
      "Send messages over LEDBAT between two Kompics components.",
      "10 KB each, acknowledged by the server's application, with a window of them kept full.",
      "With two arguments a server, with five a client:",
      "  ebb peer <ip> <port>",
      "  ebb peer <ip> <port> <server ip> <server port> <seconds>"
    })
public final class PeerCommand implements EbbCommand {
  /** What keys are told that a connection is for. */
  private static final String PURPOSE = "messages";

  private static final long CONNECT_TIMEOUT_MICROS = 5_000_000;
  private static final long INTERRUPT_WAIT_MILLIS = 2_000;

  @Parameters(index = "0", paramLabel = "<ip>", description = "This side's address.")
  private String ip = "";

  @Parameters(index = "1", paramLabel = "<port>", description = "This side's port.")
  private int port;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "<server ip>",
      description = "The server's address.")
  private @Nullable String serverIp;

  @Parameters(
      index = "3",
      arity = "0..1",
      paramLabel = "<server port>",
      description = "The server's port.")
  private @Nullable Integer serverPort;

  @Parameters(
      index = "4",
      arity = "0..1",
      paramLabel = "<seconds>",
      description = "How long to send.")
  private @Nullable Integer seconds;

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "512",
      description = "Messages that may be unacknowledged (default: ${DEFAULT-VALUE}).")
  private int window = 512;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Mixin private KeyOption keyOption = new KeyOption();

  @Override
  public Integer call() throws InterruptedException {
    Output output = Output.standard(json);
    EbbAddress self = address(ip, port, ExitCode.USAGE);
    byte[] bytes = keyOption.key();
    PresharedKey key = bytes == null ? null : new PresharedKey(bytes);
    checkFree(self);
    if (serverIp == null) {
      return serve(self, key, output);
    }
    if (serverPort == null || seconds == null) {
      throw new EbbException(ExitCode.USAGE, "a client needs <server ip> <server port> <seconds>");
    }
    if (seconds < 1 || window < 1) {
      throw new EbbException(ExitCode.USAGE, "<seconds> and --window must be at least 1");
    }
    EbbAddress server = address(serverIp, serverPort, ExitCode.CANNOT_CONNECT);
    return send(self, server, seconds, key, output);
  }

  private int serve(EbbAddress self, @Nullable PresharedKey key, Output output)
      throws InterruptedException {
    AtomicReference<PeerReport> latest = new AtomicReference<>();
    CompletableFuture<PeerReport> fault = new CompletableFuture<>();
    ResultRecord.Builder result = ResultRecord.of("peer");
    PeerServer.Init server = new PeerServer.Init(self, output::line, latest::set);
    output.note("serving on " + self + ", stop with Ctrl-C");
    Interrupts.Registration interrupts =
        Interrupts.onInterrupt(
            INTERRUPT_WAIT_MILLIS,
            ExitCode.DONE,
            () -> {
              PeerReport report = latest.get();
              if (report != null) {
                summarise("received", report, result, ExitCode.DONE, output);
              }
            });
    try {
      DriverFactory drivers = SecureDriverFactory.ifKeyed(DriverFactory.netty(), key, PURPOSE);
      PeerNode node = new PeerNode(config(), drivers);
      run(components -> node.assemble(components, server), fault);
      return ExitCode.DONE.value();
    } finally {
      interrupts.close();
    }
  }

  private int send(
      EbbAddress self, EbbAddress server, int seconds, @Nullable PresharedKey key, Output output)
      throws InterruptedException {
    CompletableFuture<PeerReport> end = new CompletableFuture<>();
    ResultRecord.Builder result = ResultRecord.of("peer");
    PeerClient.Init client =
        new PeerClient.Init(self, server, window, seconds * 1_000L, output::line, end::complete);
    DriverFactory drivers = SecureDriverFactory.ifKeyed(DriverFactory.netty(), key, PURPOSE);
    PeerNode node = new PeerNode(config(), drivers);
    PeerReport report = run(components -> node.assemble(components, client), end);
    if (report.neverConnected()) {
      boolean keyRefused =
          drivers instanceof SecureDriverFactory secure && secure.peersWithoutKey() > 0;
      throw new EbbException(
          keyRefused ? ExitCode.REFUSED_OR_BUSY : ExitCode.CANNOT_CONNECT, report.failure());
    }
    ExitCode exit = report.isComplete() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    if (!report.failure().isEmpty()) {
      output.note("ebb: " + report.failure());
    }
    summarise("sent", report, result, exit, output);
    return exit.value();
  }

  private static LedbatConfig config() {
    try {
      LedbatConfig config = LedbatConfigs.fromConfig(LedbatConfigs.load());
      return config.toBuilder()
          .connectTimeoutMicros(Math.min(config.connectTimeoutMicros(), CONNECT_TIMEOUT_MICROS))
          .build();
    } catch (IllegalArgumentException e) {
      throw new EbbException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  @SuppressWarnings("try") // the system is there to be closed
  private static PeerReport run(
      KompicsSystem.Assembly<Component> node, CompletableFuture<PeerReport> end)
      throws InterruptedException {
    try (KompicsSystem<Component> system = KompicsSystem.start(node, end::completeExceptionally)) {
      return end.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      for (Throwable t = cause; t != null; t = t.getCause()) {
        if (t instanceof java.net.BindException) {
          throw new EbbException(ExitCode.REFUSED_OR_BUSY, String.valueOf(t.getMessage()), e);
        }
      }
      throw new EbbException(ExitCode.INTERNAL, "a component failed: " + cause, e);
    }
  }

  private static void summarise(
      String verb, PeerReport report, ResultRecord.Builder result, ExitCode exit, Output output) {
    output.line(
        String.format(
            Locale.ROOT,
            "%d packages %s, %d acknowledged, %d lost, %d doubled: %.1f KiB/s over %.1f s",
            report.packages(),
            verb,
            report.acks(),
            report.lost(),
            report.doubled(),
            report.kibibytesPerSecond(),
            report.micros() / 1e6));
    output.json(
        result
            .figure("packages_" + verb, report.packages())
            .figure("packages_acknowledged", report.acks())
            .figure("packages_lost", report.lost())
            .figure("packages_doubled", report.doubled())
            .figure("duration_micros", report.micros())
            .figure("rate_bytes_per_second", report.kibibytesPerSecond() * 1_024)
            .build(report.isComplete(), exit.value())
            .toJson());
  }

  private static EbbAddress address(String host, int port, ExitCode unknownHost) {
    if (port < 1 || port > 65_535) {
      throw new EbbException(ExitCode.USAGE, "a port is between 1 and 65535: " + port);
    }
    try {
      return EbbAddress.of(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new EbbException(unknownHost, "unknown host: " + host, e);
    }
  }

  /** Says so in one line before Kompics makes a fault of it. */
  private static void checkFree(EbbAddress self) {
    try (DatagramSocket socket = new DatagramSocket(self.asSocket())) {
      socket.setReuseAddress(false);
    } catch (SocketException e) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY, "cannot bind " + self + ": " + e.getMessage(), e);
    }
  }
}
