package ebb.storage.gcs;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.BaseUrl;
import ebb.core.text.OneLine;
import ebb.storage.store.OpenStore;
import ebb.storage.store.StoreProvider;
import ebb.storage.store.StoreSettings;
import ebb.storage.store.StoreTarget;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Cloud Storage, as {@code gs://BUCKET}, and other services that speak its JSON API. */
public final class GcsStores implements StoreProvider {
  private static final String ENDPOINT = "endpoint";

  /** A word of {@link GcsOptions#tokenServer}, which no option has. */
  public static final String TOKEN_SERVER = "token-server";

  /** A word: a {@link Variant}. */
  public static final String VARIANT = "variant";

  private static final String NO_GRPC =
      "--variant grpc needs ebb-grpc.jar beside ebb.jar: 'mvn -q -DskipTests -pl storage-bench/grpc"
          + " -am package' makes it in storage-bench/grpc/target";

  private static final String PROJECT = "project";
  private static final String LOCATION = "location";
  private static final long MAX_OBJECT_BYTES = 5L << 40;
  private static final long OTHERS_BACKOFF_MILLIS = 200;

  @Override
  public String scheme() {
    return "gs";
  }

  @Override
  public String usage() {
    return "gs://BUCKET (must exist), gs:// (a new bucket, removed afterwards)";
  }

  @Override
  public Set<String> words() {
    return Set.of(ENDPOINT, PROJECT, LOCATION, VARIANT);
  }

  @Override
  public long maxObjectBytes() {
    return MAX_OBJECT_BYTES;
  }

  @Override
  public StoreTarget target(String place) {
    if (!place.startsWith("//")) {
      throw new IllegalArgumentException("no target 'gs:" + place + "'; give " + usage());
    }
    return StoreTarget.ofContainer(this, place);
  }

  @Override
  public OpenStore open(StoreTarget target, StoreSettings settings) throws RequestFailedException {
    String endpoint = settings.word(ENDPOINT);
    if (endpoint == null) {
      endpoint = emulator();
    }
    return OpenStore.of(
        store(endpoint == null ? null : checked(endpoint), settings.word(TOKEN_SERVER), settings),
        target,
        endpoint == null ? "Google" : endpoint,
        List.of());
  }

  /**
   * A store as the settings say.
   *
   * @param endpoint a base URL; null for Google's own
   * @param tokenServer as in {@link GcsOptions}
   * @throws RequestFailedException as {@link GcsStore}
   */
  public static GcsStore store(
      @Nullable String endpoint, @Nullable String tokenServer, StoreSettings settings)
      throws RequestFailedException {
    GcsOptions.Builder options =
        GcsOptions.builder(endpoint, settings.word(PROJECT))
            .chunkBytes(GcsOptions.chunkFor(settings.parallel(), Runtime.getRuntime().maxMemory()))
            .maxRequestAttempts(settings.requestAttempts());
    String location = settings.word(LOCATION);
    if (location != null) {
      options.location(location);
    }
    String variant = settings.word(VARIANT);
    if (variant != null) {
      try {
        options.variant(Variant.parse(variant));
      } catch (IllegalArgumentException e) {
        throw new RequestFailedException(FailureKind.INVALID, OneLine.of(e), e);
      }
    }
    if (options.variant() == Variant.GRPC && !GcsLibrary.hasGrpc()) {
      throw new RequestFailedException(FailureKind.INVALID, NO_GRPC);
    }
    if (tokenServer != null) {
      options.tokenServer(tokenServer);
    }
    if (endpoint != null) {
      options.firstBackoffMillis(OTHERS_BACKOFF_MILLIS);
    }
    return new GcsStore(options.build());
  }

  /** What stands in for Google's service by the variable that Google's libraries know. */
  private static @Nullable String emulator() {
    String host = System.getenv("STORAGE_EMULATOR_HOST");
    if (host == null || host.isBlank()) {
      return null;
    }
    return host.contains("://") ? host : "http://" + host;
  }

  private static String checked(String endpoint) throws RequestFailedException {
    try {
      return BaseUrl.of(endpoint);
    } catch (IllegalArgumentException wrong) {
      throw new RequestFailedException(FailureKind.INVALID, OneLine.of(wrong), wrong);
    }
  }
}
