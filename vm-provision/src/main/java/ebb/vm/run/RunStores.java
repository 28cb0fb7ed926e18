package ebb.vm.run;

import ebb.core.attempts.RequestFailedException;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.OpenStore;
import ebb.storage.store.StoreSettings;
import ebb.storage.store.StoreTarget;
import ebb.storage.store.Stores;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens the store of a run. */
public final class RunStores {
  private static final String STORE = "store";
  private static final int REQUEST_ATTEMPTS = 3;

  private RunStores() {}

  /**
   * The bucket that the run was begun with, or a directory.
   *
   * @param storage where buckets are, a base URL; null for the environment's, else Google's own
   * @throws EbbException when it cannot be opened
   */
  public static RunStore open(RunState state, RunFiles files, @Nullable String storage) {
    String bucket = state.setting().bucket();
    if (bucket == null || bucket.startsWith("file:")) {
      return new DirectoryRunStore(files.local().resolve(STORE).resolve(state.runId()));
    }
    return new BucketRunStore(bucket(bucket, storage), state.labels());
  }

  /** What runs have left in a bucket; as {@link #open}. */
  public static BucketLeftovers leftovers(String bucket, @Nullable String storage) {
    return new BucketLeftovers(bucket(bucket, storage));
  }

  /** A bucket that is there. */
  record OpenBucket(ObjectStore store, String container) {}

  private static OpenBucket bucket(String bucket, @Nullable String storage) {
    try {
      StoreTarget target = Stores.target(bucket);
      if (target.container() == null) {
        throw new EbbException(ExitCode.USAGE, "no bucket in '" + bucket + "'");
      }
      String endpoint = storage == null ? endpoint() : storage;
      Map<String, String> words = endpoint == null ? Map.of() : Map.of("endpoint", endpoint);
      OpenStore open =
          target.provider().open(target, new StoreSettings(1, REQUEST_ATTEMPTS, words));
      return new OpenBucket(open.store(), target.container());
    } catch (RequestFailedException e) {
      throw failed(bucket, e);
    } catch (IllegalArgumentException e) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(e), e);
    }
  }

  private static EbbException failed(String bucket, RequestFailedException e) {
    return switch (e.kind()) {
      case NO_CREDENTIALS ->
          new EbbException(
              ExitCode.CANNOT_CONNECT,
              bucket
                  + ": no Google credentials: run 'gcloud auth application-default login', or set"
                  + " GOOGLE_APPLICATION_CREDENTIALS to a service account's key file",
              e);
      case CANNOT_CONNECT -> new EbbException(ExitCode.CANNOT_CONNECT, e.line(), e);
      default -> new EbbException(ExitCode.REFUSED_OR_BUSY, e.line(), e);
    };
  }

  /** Where VMs find the jar, and keep results, when {@code bucket} is {@code gs://...}. */
  public static RunResources.Shipped inBucket(String bucket, String runId, String jarSha256) {
    String prefix = bucket + "/" + runId;
    return new RunResources.Shipped(prefix + "/ebb.jar", jarSha256, prefix + "/results");
  }

  /** As the start-up script understands it; null for Google's own. */
  private static @Nullable String endpoint() {
    String host = System.getenv("STORAGE_EMULATOR_HOST");
    if (host == null || host.isBlank()) {
      return null;
    }
    return host.contains("://") ? host : "http://" + host;
  }
}
