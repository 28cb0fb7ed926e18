package ebb.storage.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyFile;
import ebb.core.text.OneLine;
import ebb.storage.bench.RunPlan;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.WarmUp;
import ebb.storage.clients.ClientHosts;
import ebb.storage.store.StoreProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say who measures together. */
final class ClientOptions {
  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "[NAME=]HOST",
      description =
          "Measure from these machines at the same time, with one report: hosts that ssh reaches and"
              + " that have the same ebb, 'local' for a process here, or tcp://HOST:PORT where 'ebb"
              + " storage client --listen' waits; each as NAME=HOST to give it a name.")
  List<String> clients = new ArrayList<>();

  @Option(
      names = "--ssh",
      paramLabel = "COMMAND",
      description =
          "What starts a client, with HOST for the host; without HOST, it and 'ebb storage client'"
              + " follow (default: "
              + ClientHosts.SSH
              + ").")
  @Nullable String ssh;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "With clients at tcp://HOST:PORT: the key that each proves to have ('ebb key new FILE'"
              + " makes one).")
  @Nullable String keyFile;

  /** Null when this process measures. */
  @Nullable ClientHosts hosts(RunPlan plan, StoreProvider provider) {
    if (clients.isEmpty()) {
      if (ssh != null || keyFile != null) {
        throw usage((ssh != null ? "--ssh" : "--key-file") + " goes with --clients");
      }
      return null;
    }
    if (!provider.isShared()) {
      throw usage("--clients: each process has a '" + provider.scheme() + ":' of its own");
    }
    if (plan.items().stream().anyMatch(ClientOptions::isStaggered)) {
      throw usage("--clients begin together, and processes at an --interval do not");
    }
    if (plan.warmUp().kind() == WarmUp.Kind.AUTO) {
      throw usage("--clients need a warm-up of the same length everywhere, not --warm-up auto");
    }
    try {
      return ClientHosts.parse(
          clients,
          ssh == null ? ClientHosts.SSH : ssh,
          keyFile == null ? null : KeyFile.read(Path.of(keyFile)));
    } catch (IllegalArgumentException e) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(e), e);
    }
  }

  private static boolean isStaggered(Item item) {
    return item.intervalMicros() > 0;
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }

  /** All that decides who measures, in words. */
  String words() {
    return clients.isEmpty() ? "" : " " + clients;
  }
}
