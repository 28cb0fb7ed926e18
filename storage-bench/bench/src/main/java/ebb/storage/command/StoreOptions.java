package ebb.storage.command;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.attempts.RetryPolicy;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import ebb.storage.bench.OpenStore;
import ebb.storage.bench.Target;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that say which store is meant and how to deal with it, for all commands that open one.
 */
final class StoreOptions {
  private static final int REQUEST_ATTEMPTS = 6;

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      description = {
        "gs://BUCKET (must exist), gs:// (a new bucket, removed afterwards), file:DIR or mem:.",
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

  /** The target; without any the demo endpoint is meant. */
  Target target() {
    try {
      return Target.parse(target == null ? "gs://" : target);
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(wrong), wrong);
    }
  }

  private @Nullable String endpoint() {
    return target == null && endpoint == null ? OpenStore.DEMO : endpoint;
  }

  boolean isDemo() {
    return OpenStore.DEMO.equals(endpoint());
  }

  /** All that decides what is measured, in words. */
  String words() {
    return target + " " + endpoint + " " + project + " " + location + " " + retries + " " + fsync;
  }

  /** The endpoint for a result; the demo's is a word, for its port changes. */
  String endpointText() {
    Target to = target();
    String given = endpoint();
    return to.kind() != Target.Kind.GCS ? "none" : given == null ? "Google" : given;
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

  Shape shape() {
    return new Shape(demoRate.bytesPerSecond(), demoLatency.micros());
  }

  OpenStore open(int parallel) {
    if (endpoint != null && target().kind() != Target.Kind.GCS) {
      throw new EbbException(ExitCode.USAGE, "--endpoint goes with gs:// only");
    }
    if (!demoFaults.isEmpty() && !isDemo()) {
      throw new EbbException(ExitCode.USAGE, "--demo-fault goes with the demo endpoint only");
    }
    List<Fault> faults = new ArrayList<>();
    try {
      demoFaults.forEach(fault -> faults.add(Fault.parse(fault)));
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(wrong), wrong);
    }
    int attempts = retriesNumber() == 0 ? 1 : REQUEST_ATTEMPTS;
    try {
      return OpenStore.open(
          target(),
          new OpenStore.Options(
              endpoint(), project, location, parallel, attempts, fsync, shape(), faults));
    } catch (RequestFailedException e) {
      // What is wrong with what was typed, such as a directory that is not there.
      ExitCode code = e.kind() == FailureKind.NOT_FOUND ? ExitCode.USAGE : exitCode(e.kind());
      throw new EbbException(code, e.line(), e);
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
