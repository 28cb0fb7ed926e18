package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyOption;
import ebb.ledbat.command.Addresses;
import ebb.ledbat.config.LedbatConfig;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.run.RunPlan;
import ebb.net.tcp.TcpCongestion;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to reach a server, for commands that decide themselves what to measure. */
final class NetPathOptions {
  @Option(
      names = {"-p", "--port"},
      paramLabel = "PORT",
      defaultValue = NetServerCommand.DEFAULT_PORT,
      description = "The server's port (default: ${DEFAULT-VALUE}).")
  String port = NetServerCommand.DEFAULT_PORT;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "How long to try to reach the server (default: ${DEFAULT-VALUE}).")
  String connectTimeout = "5s";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "Prove to the server that you have the key in FILE.")
  @Nullable Path keyFile;

  RunPlan plan(String host, TestSpec spec, long intervalMicros, long durationMicros) {
    return plan(Addresses.remote(host, port), spec, intervalMicros, durationMicros);
  }

  RunPlan plan(InetSocketAddress server, TestSpec spec, long intervalMicros, long durationMicros) {
    return plan(server, spec, intervalMicros, durationMicros, 0);
  }

  RunPlan plan(
      InetSocketAddress server,
      TestSpec spec,
      long intervalMicros,
      long durationMicros,
      long warmUpMicros) {
    long connectMicros = connectMicros();
    return new RunPlan(
        server,
        spec,
        intervalMicros,
        warmUpMicros,
        durationMicros,
        TcpCongestion.KERNELS_OWN,
        LedbatConfig.defaults().toBuilder().connectTimeoutMicros(connectMicros).build(),
        null,
        key(),
        connectMicros / 1_000);
  }

  /** How long to try to reach a server. */
  long connectMicros() {
    long micros = Seconds.micros("--connect-timeout", connectTimeout);
    if (micros < 1_000 || micros > 3_600_000_000L) {
      throw new EbbException(ExitCode.USAGE, "--connect-timeout is between 1 ms and an hour");
    }
    return micros;
  }

  /** The server's key; null for none. */
  @Nullable NetKey key() {
    return NetKey.of(KeyOption.read(keyFile));
  }

  /** How messages follow one another, by its name. */
  static Mode mode(String name) {
    for (Mode known : Mode.values()) {
      if (known.text().equals(name)) {
        return known;
      }
    }
    throw new EbbException(ExitCode.USAGE, "a mode is streaming or stop-and-wait: " + name);
  }
}
