package ebb.storage.command;

import ebb.core.attempts.RequestFailedException;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyFile;
import ebb.core.cli.Output;
import ebb.core.units.Micros;
import ebb.storage.clients.ClientListener;
import ebb.storage.clients.ClientSession;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ebb storage client}: the other end of {@code ebb storage run --clients}. */
@Command(
    name = "client",
    mixinStandardHelpOptions = true,
    description = {
      "Measure for 'ebb storage run --clients' on another machine.",
      "With --listen it waits for that at a port, and ends with that run. Without, it is started by",
      "ssh: lines of JSON come on standard input, and answers go to standard output."
    })
public final class StorageClientCommand implements EbbCommand {
  private static final int MAX_PORT = 65_535;

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--listen",
      paramLabel = "[ADDRESS:]PORT",
      description =
          "Wait for the coordinator at this TCP port, on all addresses unless one is given; needs"
              + " --key-file.")
  @Nullable String listen;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "The key that the coordinator proves to have, and this one to it ('ebb key new FILE' makes"
              + " one).")
  @Nullable Path keyFile;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "10m",
      description = "For the coordinator (default: ${DEFAULT-VALUE}).")
  Micros patience = Micros.parse("10m");

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() throws InterruptedException {
    if ((listen == null) != (keyFile == null)) {
      throw new EbbException(ExitCode.USAGE, "--listen and --key-file go together");
    }
    PrintStream out = System.out;
    // Whatever else is printed is no answer.
    System.setOut(System.err);
    try {
      ClientSession session =
          listen == null
              ? ClientSession.of(
                  System.in, new PrintStream(out, false, StandardCharsets.UTF_8), version(spec))
              : awaited(listen);
      return (session.serve() ? ExitCode.DONE : ExitCode.INCOMPLETE).value();
    } finally {
      System.setOut(out);
    }
  }

  private ClientSession awaited(String place) {
    Path file = keyFile;
    if (file == null) {
      throw new IllegalStateException("no key");
    }
    try (ClientListener listener = ClientListener.at(address(place), KeyFile.read(file))) {
      Output.standard(true).note("ebb: waiting for a coordinator at port " + listener.port());
      return ClientSession.of(listener, Duration.ofNanos(patience.micros() * 1_000), version(spec));
    } catch (RequestFailedException e) {
      throw new EbbException(StoreOptions.exitCode(e.kind()), e.line(), e);
    }
  }

  private static InetSocketAddress address(String place) {
    int colon = place.lastIndexOf(':');
    String host = place.substring(0, Math.max(0, colon)).replaceAll("^\\[|]$", "");
    String port = place.substring(colon + 1);
    boolean right = port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= MAX_PORT;
    // Names are looked up here, so that what does not exist is told.
    InetSocketAddress address =
        !right
            ? null
            : colon < 0
                ? new InetSocketAddress((InetAddress) null, Integer.parseInt(port))
                : new InetSocketAddress(host, Integer.parseInt(port));
    if (address == null || address.isUnresolved()) {
      throw new EbbException(
          ExitCode.USAGE, "--listen takes [ADDRESS:]PORT of this machine, not '" + place + "'");
    }
    return address;
  }

  /** The program's, as {@code --version} shows it first; whose Java it has follows there. */
  static String version(@Nullable CommandSpec spec) {
    return spec == null || spec.version().length == 0 ? "" : spec.version()[0];
  }
}
