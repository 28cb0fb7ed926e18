package ebb.vm.command;

import ebb.core.attempts.RequestFailedException;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.vm.local.LocalNetwork;
import ebb.vm.local.LocalProvider;
import ebb.vm.local.ThisMachine;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderSettings;
import ebb.vm.provider.Providers;
import ebb.vm.run.RunFiles;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose VMs are meant, a cloud's or this machine's. */
public final class ProviderOption {
  static final String STANDARD = "gce";

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = STANDARD,
      completionCandidates = Providers.Descriptions.class,
      description = "Who has the VMs: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  String provider = STANDARD;

  boolean isLocal() {
    return provider.equals(ThisMachine.NAME);
  }

  /** What there is on this machine, for commands that make nothing. */
  static LocalProvider here(VmOptions options) {
    return new LocalProvider(options.files().local(), LocalNetwork.none());
  }

  /** A session with the provider that is meant. */
  VmSession session(VmOptions options, Consumer<String> progress) {
    return VmSession.start(open(provider, options, null, options.files()), progress);
  }

  /** A session with the provider of commands that have no other. */
  static VmSession standardSession(
      VmOptions options, @Nullable String projectOfPlan, Consumer<String> progress) {
    return VmSession.start(open(STANDARD, options, projectOfPlan, options.files()), progress);
  }

  /**
   * Opens a provider.
   *
   * @throws EbbException when there is no such one, or it cannot be opened
   */
  static Provider open(
      String name, VmOptions options, @Nullable String projectOfPlan, RunFiles files) {
    options.findDemo(files);
    try {
      return Providers.named(name)
          .open(new ProviderSettings(files.local(), options.words(projectOfPlan)));
    } catch (IllegalArgumentException e) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(e), e);
    } catch (RequestFailedException e) {
      throw new EbbException(VmOptions.exitCode(e.kind()), e.line(), e);
    }
  }
}
