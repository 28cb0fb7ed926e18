package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyOption;
import ebb.ledbat.command.Addresses;
import ebb.net.Mechanisms;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import ebb.net.mechanism.OptionValues;
import ebb.net.run.NetPlan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to reach a server, for commands that decide themselves what to measure. */
final class NetPathOptions {
  @Option(
      names = {"-p", "--port"},
      paramLabel = "PORT",
      description = "The server's port (default: " + NetServerCommand.DEFAULT_PORT + ").")
  @Nullable String port;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      defaultValue = "5s",
      description =
          "How long to try to reach the server; a number alone is ms (default: ${DEFAULT-VALUE}).")
  String connectTimeout = "5s";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "Prove to the server that you have the key in FILE.")
  @Nullable Path keyFile;

  /** Which addresses of a name count. */
  Class<? extends InetAddress> family = InetAddress.class;

  /** The server by what the user calls it. */
  InetSocketAddress server(String host) {
    return server(host, NetServerCommand.DEFAULT_PORT);
  }

  /** The same with a port of the caller's where the user has named none. */
  InetSocketAddress server(String host, String otherwise) {
    return Addresses.remote(host, port == null ? otherwise : port, family);
  }

  /** Whether the user has said on which port the server is. */
  boolean namesPort(String host) {
    return port != null || Addresses.hasPort(host);
  }

  /** Begins a plan: how to get there is settled, one sample comes at the end. */
  NetPlan.Builder plan(InetSocketAddress server, TestSpec spec) {
    return NetPlan.of(server, Mechanisms.get(spec.protocol()), spec)
        .key(key())
        .connectTimeoutMillis(connectMicros() / 1_000);
  }

  /** How long to try to reach a server. */
  long connectMicros() {
    long micros = OptionValues.microsOfMillis("--connect-timeout", connectTimeout);
    if (micros < 1_000 || micros > 3_600_000_000L) {
      throw new EbbException(ExitCode.USAGE, "--connect-timeout is between 1 ms and an hour");
    }
    return micros;
  }

  /** The server's key; null for none. */
  @Nullable NetKey key() {
    return NetKey.of(KeyOption.read(keyFile));
  }
}
