package ebb.vm.command;

import ebb.core.attempts.RequestFailedException;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.vm.gce.ComputeEngineProvider;
import ebb.vm.local.LocalNetwork;
import ebb.vm.local.LocalProvider;
import ebb.vm.provider.Provider;
import ebb.vm.run.RunFiles;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a cloud's VMs are meant, or this machine's; and where runs are kept. */
public final class ProviderOption {
  /** Who has VMs. */
  enum Kind {
    GCE,
    LOCAL
  }

  @Option(
      names = "--provider",
      paramLabel = "gce|local",
      defaultValue = "gce",
      description =
          "Compute Engine, or this machine: network namespaces for root, else processes on loopback"
              + " (default: ${DEFAULT-VALUE}).")
  Kind kind = Kind.GCE;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "Where runs are kept (default: $XDG_STATE_HOME/ebb/vm, else ~/.local/state/...).")
  @Nullable Path stateDirectory;

  boolean isLocal() {
    return kind == Kind.LOCAL;
  }

  RunFiles files() {
    return new RunFiles(stateDirectory == null ? RunFiles.standardDirectory() : stateDirectory);
  }

  /** What there is on this machine, for commands that make nothing. */
  LocalProvider here() {
    return new LocalProvider(files().local(), LocalNetwork.none());
  }

  /** A session for commands that look at VMs or remove them. */
  VmSession session(VmOptions options, Consumer<String> progress) {
    if (!isLocal()) {
      return VmSession.start(options.compute(null), progress);
    }
    return VmSession.start(here(), progress);
  }

  static Provider cloud(VmOptions options, @Nullable String project) {
    try {
      return new ComputeEngineProvider(options.compute(project));
    } catch (RequestFailedException e) {
      ExitCode code = VmOptions.exitCode(e.kind());
      throw new EbbException(code, e.line(), e);
    }
  }
}
