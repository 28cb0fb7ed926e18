package ebb.launcher.net;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.units.Human;
import ebb.launcher.Addresses;
import ebb.ledbat.config.LedbatConfig;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.server.NetServer;
import ebb.net.server.SessionReport;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb net server}. */
@Command(
    name = "server",
    mixinStandardHelpOptions = true,
    description = {
      "Serve clients that measure the path to here, such as 'ebb net yield', one at a time.",
      "Uses one port number, TCP and UDP; counts what arrives and keeps nothing."
    })
public final class NetServerCommand implements EbbCommand {
  /** RFC 6817 is LEDBAT. */
  static final String DEFAULT_PORT = "6817";

  private static final long STOP_MILLIS = 3_000;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Listen on this address only (default: all).")
  @Nullable String bind;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = DEFAULT_PORT,
      description =
          "TCP and UDP port; 0 takes a free one and says which (default: ${DEFAULT-VALUE}).")
  String port = DEFAULT_PORT;

  @Option(
      names = "--once",
      description = "End after the first client; with exit code 5 if it did not finish.")
  boolean once;

  @Override
  public String group() {
    return "net";
  }

  @Override
  @SuppressWarnings("try") // the registration is there to be closed
  public Integer call() throws InterruptedException {
    InetSocketAddress local =
        new InetSocketAddress(
            Addresses.host(bind == null ? "0.0.0.0" : bind), Addresses.port(port, 0));
    Output output = Output.standard(false);
    CompletableFuture<ExitCode> end = new CompletableFuture<>();
    try (NetServer server = start(local, new View(output, once, end))) {
      output.note("ebb: listening on " + Addresses.text(server.localAddress()) + ", TCP and UDP");
      try (Interrupts.Registration interrupts =
          Interrupts.onInterrupt(
              STOP_MILLIS, once ? ExitCode.INCOMPLETE : ExitCode.DONE, server::close)) {
        return end.get().value();
      }
    } catch (ExecutionException broken) {
      throw new IllegalStateException(broken.getCause());
    }
  }

  private static NetServer start(InetSocketAddress local, NetServer.Listener listener)
      throws InterruptedException {
    try {
      return NetServer.start(local, LedbatConfig.defaults(), listener);
    } catch (BindException taken) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, "" + taken.getMessage(), taken);
    }
  }

  /** A line for each thing that happens. */
  private record View(Output output, boolean once, CompletableFuture<ExitCode> end)
      implements NetServer.Listener {
    @Override
    public void onSession(InetSocketAddress client) {
      output.note("ebb: " + Addresses.text(client) + " measures");
    }

    @Override
    public void onSessionEnd(SessionReport report) {
      output.line(
          String.format(
              Locale.ROOT,
              "%s: %s over LEDBAT, %s over TCP in %s%s",
              Addresses.text(report.client()),
              Human.bytes((double) report.ledbatBytes()),
              Human.bytes((double) report.tcpBytes()),
              Human.micros(report.micros()),
              report.complete() ? "" : ", not complete: " + report.why()));
      if (once) {
        end.complete(report.complete() ? ExitCode.DONE : ExitCode.INCOMPLETE);
      }
    }

    @Override
    public void onRefused(InetSocketAddress client, Refused refused) {
      output.note("ebb: refused " + Addresses.text(client) + ": " + refused.reason());
    }
  }
}
