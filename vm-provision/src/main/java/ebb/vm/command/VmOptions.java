package ebb.vm.command;

import ebb.core.attempts.FailureKind;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.BaseUrl;
import ebb.core.text.OneLine;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.DemoPlace;
import ebb.vm.run.FailureCodes;
import ebb.vm.run.RunFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say whose VMs are meant, and who asks, for all commands that talk to a service. */
public final class VmOptions {
  /** The word for the demo cloud. */
  static final String DEMO = "demo";

  @Option(
      names = "--project",
      paramLabel = "ID",
      description = "Google Cloud project (default: the plan's, else GOOGLE_CLOUD_PROJECT).")
  @Nullable String project;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = {
        "Another service that speaks Compute Engine's API, without credentials;",
        "'demo' for the cloud of 'ebb vm demo --serve'."
      })
  @Nullable String endpoint;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "A service account's key (default: Application Default Credentials).")
  @Nullable Path keyFile;

  @Option(
      names = "--impersonate",
      paramLabel = "ACCOUNT",
      description = "Act as this service account.")
  @Nullable String impersonate;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "Where runs and demo clouds are kept (default: $XDG_STATE_HOME/ebb/vm, else"
              + " ~/.local/state/...).")
  @Nullable Path stateDirectory;

  private @Nullable DemoPlace demo;

  RunFiles files() {
    return new RunFiles(stateDirectory == null ? RunFiles.standardDirectory() : stateDirectory);
  }

  /** Whether the demo cloud is meant. */
  boolean isDemo() {
    return DEMO.equals(endpoint);
  }

  /**
   * Finds the demo cloud, if that is meant.
   *
   * @throws EbbException when there is none
   */
  void findDemo(RunFiles files) {
    if (isDemo() && demo == null) {
      demo =
          DemoPlace.find(files.local())
              .orElseThrow(
                  () ->
                      new EbbException(
                          ExitCode.CANNOT_CONNECT,
                          "no demo cloud is served: 'ebb vm demo --serve' serves one until it is"
                              + " stopped"));
    }
  }

  /**
   * Where the service is; null for Google's own.
   *
   * @param notServed what stands for the demo cloud when none is served
   */
  @Nullable String service(String notServed) {
    if (endpoint == null) {
      return null;
    }
    if (isDemo()) {
      return DemoPlace.find(files().local()).map(DemoPlace::compute).orElse(notServed);
    }
    try {
      return BaseUrl.of(endpoint);
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(wrong), wrong);
    }
  }

  /** Where the buckets of this endpoint are; null for where they are anyway. */
  @Nullable String storage() {
    return demo == null ? null : demo.storage();
  }

  /** The project that is meant; null when nobody has named one. */
  @Nullable String projectIfNamed(@Nullable String ofPlan) {
    if (isDemo() && project == null) {
      return DemoCompute.PROJECT;
    }
    String named = project != null ? project : ofPlan;
    named = named != null ? named : System.getenv("GOOGLE_CLOUD_PROJECT");
    return named == null || named.isBlank() ? null : named;
  }

  /** The project that is meant. */
  String project(@Nullable String ofPlan) {
    String named = projectIfNamed(ofPlan);
    if (named == null) {
      throw new EbbException(
          ExitCode.USAGE, "no Google Cloud project: give --project, or set GOOGLE_CLOUD_PROJECT");
    }
    return named;
  }

  /** What was typed, by name, for a provider. */
  Map<String, String> words(@Nullable String projectOfPlan) {
    Map<String, String> words = new HashMap<>();
    put(words, "project", projectIfNamed(projectOfPlan));
    put(words, "endpoint", demo == null ? service(DEMO) : demo.compute());
    put(words, "storage-endpoint", storage());
    put(words, "key-file", keyFile == null ? null : keyFile.toString());
    put(words, "impersonate", impersonate);
    return words;
  }

  private static void put(Map<String, String> words, String name, @Nullable String word) {
    if (word != null) {
      words.put(name, word);
    }
  }

  static ExitCode exitCode(FailureKind kind) {
    return FailureCodes.exitCode(kind);
  }
}
