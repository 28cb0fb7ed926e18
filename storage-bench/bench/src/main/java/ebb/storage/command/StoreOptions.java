package ebb.storage.command;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.attempts.RetryPolicy;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import ebb.storage.bench.RunPlan;
import ebb.storage.clients.ClientGroup;
import ebb.storage.demo.DemoStores;
import ebb.storage.gcs.GcsStores;
import ebb.storage.store.OpenStore;
import ebb.storage.store.StoreProvider;
import ebb.storage.store.StoreSettings;
import ebb.storage.store.StoreTarget;
import ebb.storage.store.Stores;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that say which store is meant and how to deal with it, for all commands that open one.
 */
final class StoreOptions {
  private static final int REQUEST_ATTEMPTS = 6;
  private static final String DEMO = "demo";
  private static final StoreProvider DEMO_STORES = new DemoStores();

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      completionCandidates = Stores.Usages.class,
      description = {
        "${COMPLETION-CANDIDATES}.",
        "Without a target: a new bucket of the demo endpoint in this process."
      })
  @Nullable String target;

  @Option(
      names = "--endpoint",
      paramLabel = "URL|demo",
      description =
          "Another service that speaks Cloud Storage's JSON API, without credentials; 'demo' is"
              + " one in this process.")
  @Nullable String endpoint;

  @Option(
      names = "--project",
      paramLabel = "ID",
      description = "Google Cloud project of new buckets (default: the environment's).")
  @Nullable String project;

  @Option(
      names = "--location",
      paramLabel = "PLACE",
      description = "Where new buckets are, such as europe-west2 (default: US).")
  @Nullable String location;

  @Option(
      names = "--variant",
      paramLabel = "WHICH",
      description =
          "With Cloud Storage, what of Google's library moves whole objects: plain, composite"
              + " (parallel composite uploads), or manager (the Transfer Manager, by files); or grpc:"
              + " plain, with all requests by gRPC (needs ebb-grpc.jar); default: plain.")
  @Nullable String variant;

  @Option(
      names = "--retries",
      paramLabel = "N|off",
      defaultValue = "2",
      description =
          "How often an operation is tried again (default: ${DEFAULT-VALUE}); off also stops the"
              + " library's own retries: raw latencies.")
  String retries = "2";

  @Option(names = "--fsync", description = "With file:DIR: sync each object to the device.")
  boolean fsync;

  @Option(
      names = "--demo-rate",
      paramLabel = "RATE",
      defaultValue = "400M",
      description =
          "The demo endpoint's rate each way, all connections together; 0 for no bound"
              + " (default: ${DEFAULT-VALUE}).")
  BitRate demoRate = BitRate.parse("400M");

  @Option(
      names = "--demo-latency",
      paramLabel = "TIME",
      defaultValue = "5ms",
      description = "The demo endpoint's delay of each answer (default: ${DEFAULT-VALUE}).")
  Micros demoLatency = Micros.parse("5ms");

  @Option(
      names = "--demo-fault",
      paramLabel = "FAULT",
      description = "What the demo endpoint does wrong, such as 503@put or reset@get*3.")
  List<String> demoFaults = new ArrayList<>();

  @Option(
      names = "--demo-listen",
      hidden = true,
      paramLabel = "ADDRESS",
      description = "Where the demo endpoint serves, for clients on other machines.")
  @Nullable String demoListen;

  /** The target; without any the demo endpoint is meant. */
  StoreTarget target() {
    try {
      return Stores.target(target == null ? "gs://" : target);
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(wrong), wrong);
    }
  }

  /** The kind of store that is meant: with the demo endpoint, that one. */
  StoreProvider provider() {
    boolean demo = target == null && endpoint == null;
    return demo || DEMO.equals(endpoint) ? DEMO_STORES : target().provider();
  }

  /** All that decides what is measured, in words. */
  String words() {
    return String.join(" ", target, endpoint, project, location, retries, Boolean.toString(fsync))
        + (variant == null ? "" : " " + variant);
  }

  /** The command that removes what a run with these options has left. */
  String cleaning() {
    StringBuilder command = new StringBuilder("ebb storage gc --target " + target().text());
    String where = provider() == DEMO_STORES ? DEMO : endpoint;
    if (where != null) {
      command.append(" --endpoint ").append(where);
    }
    return command.append(project == null ? "" : " --project " + project).toString();
  }

  RetryPolicy policy() {
    return RetryPolicy.of(retriesNumber() + 1);
  }

  private int retriesNumber() {
    if (retries.equals("off")) {
      return 0;
    }
    try {
      int number = Integer.parseInt(retries);
      if (number >= 0 && number <= 100) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw noRetries(e);
    }
    throw noRetries(null);
  }

  private EbbException noRetries(@Nullable Exception cause) {
    return new EbbException(
        ExitCode.USAGE, "--retries takes 0 to 100, or off, not '" + retries + "'", cause);
  }

  OpenStore open(int parallel) {
    StoreTarget to = target();
    if (endpoint != null && !to.provider().words().contains("endpoint")) {
      throw new EbbException(
          ExitCode.USAGE, "--endpoint does not go with " + to.provider().scheme() + ":");
    }
    StoreProvider provider = provider();
    if (!demoFaults.isEmpty() && !provider.words().contains(DemoStores.FAULTS)) {
      throw new EbbException(ExitCode.USAGE, "--demo-fault goes with the demo endpoint only");
    }
    if (variant != null && !provider.words().contains(GcsStores.VARIANT)) {
      throw new EbbException(ExitCode.USAGE, "--variant goes with Cloud Storage only");
    }
    if (demoListen != null && !provider.words().contains(DemoStores.LISTEN)) {
      throw new EbbException(ExitCode.USAGE, "--demo-listen goes with the demo endpoint only");
    }
    try {
      return provider.open(to, new StoreSettings(parallel, requestAttempts(), settings()));
    } catch (RequestFailedException e) {
      // What is wrong with what was typed, such as a directory that is not there.
      ExitCode code = e.kind() == FailureKind.NOT_FOUND ? ExitCode.USAGE : exitCode(e.kind());
      throw new EbbException(code, e.line(), e);
    }
  }

  private int requestAttempts() {
    return retriesNumber() == 0 ? 1 : REQUEST_ATTEMPTS;
  }

  /** How a client opens the same: the target, and its settings. */
  ClientGroup clients(RunPlan plan, OpenStore store, Consumer<String> progress) {
    StoreTarget to = target();
    Map<String, String> words = new HashMap<>(store.elsewhere());
    if (words.isEmpty()) {
      words.putAll(settings());
      words.keySet().retainAll(to.provider().words());
      String url = store.facts().getOrDefault("endpoint", "");
      if (url.startsWith("http")) {
        words.put("endpoint", url); // Perhaps of this process's environment.
      }
    }
    put(words, GcsStores.VARIANT, variant);
    return ClientGroup.of(
        plan,
        store.elsewhere().isEmpty() ? to.text() : "gs://",
        new StoreSettings(plan.threads(), requestAttempts(), words),
        policy().maxAttempts(),
        progress);
  }

  private Map<String, String> settings() {
    Map<String, String> words = new HashMap<>();
    put(words, "endpoint", endpoint);
    put(words, DemoStores.LISTEN, demoListen);
    put(words, GcsStores.VARIANT, variant);
    put(words, "project", project);
    put(words, "location", location);
    words.put("fsync", "" + fsync);
    words.put(DemoStores.RATE, "" + demoRate.bitsPerSecond());
    words.put(DemoStores.LATENCY, demoLatency.micros() + "us");
    words.put(DemoStores.FAULTS, String.join("\n", demoFaults));
    return words;
  }

  private static void put(Map<String, String> words, String name, @Nullable String word) {
    if (word != null) {
      words.put(name, word);
    }
  }

  /** How a command ends that failed in this way. */
  static ExitCode exitCode(FailureKind kind) {
    return switch (kind) {
      case INVALID -> ExitCode.USAGE;
      case CANNOT_CONNECT -> ExitCode.CANNOT_CONNECT;
      case UNAVAILABLE, CORRUPT, OPERATION_FAILED, TIMED_OUT, CANCELLED -> ExitCode.INCOMPLETE;
      case INTERNAL -> ExitCode.INTERNAL;
      default -> ExitCode.REFUSED_OR_BUSY;
    };
  }
}
