package ebb.launcher.net;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyOption;
import ebb.launcher.Addresses;
import ebb.ledbat.config.LedbatConfig;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
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
    long connectMicros = Seconds.micros("--connect-timeout", connectTimeout);
    if (connectMicros < 1_000 || connectMicros > 3_600_000_000L) {
      throw new EbbException(ExitCode.USAGE, "--connect-timeout is between 1 ms and an hour");
    }
    return new RunPlan(
        server,
        spec,
        intervalMicros,
        0,
        durationMicros,
        TcpCongestion.KERNELS_OWN,
        LedbatConfig.defaults().toBuilder().connectTimeoutMicros(connectMicros).build(),
        null,
        NetKey.of(KeyOption.read(keyFile)),
        connectMicros / 1_000);
  }
}
