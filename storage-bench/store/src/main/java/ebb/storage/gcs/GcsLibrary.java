package ebb.storage.gcs;

import com.google.api.client.http.HttpTransport;
import com.google.api.gax.retrying.RetrySettings;
import com.google.auth.Credentials;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.UserCredentials;
import com.google.cloud.NoCredentials;
import com.google.cloud.ServiceOptions;
import com.google.cloud.http.HttpTransportOptions;
import com.google.cloud.storage.StorageOptions;
import com.google.cloud.storage.StorageRetryStrategy;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import io.grpc.ClientInterceptor;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How Google's library is set up: who asks, for which project, with which patience. It makes no
 * request.
 */
final class GcsLibrary {
  private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

  private final GcsOptions options;
  private final Credentials credentials;
  private final String project;

  /**
   * Looks who asks.
   *
   * @throws RequestFailedException NO_CREDENTIALS when Google's own service is meant and nobody has
   *     told this process who it is
   */
  GcsLibrary(GcsOptions options) throws RequestFailedException {
    this.options = options;
    String tokenServer = options.tokenServer();
    String given = options.project();
    if (options.endpoint() != null) {
      credentials = tokenServer == null ? NoCredentials.getInstance() : credentials(tokenServer);
      project = given == null ? "ebb" : given;
    } else {
      credentials = credentials();
      project = given == null ? environmentsProject() : given;
    }
  }

  /** Whether what the gRPC transport needs is in the class path. */
  static boolean hasGrpc() {
    try {
      Class.forName("io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder");
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Whether there is a token that can be renewed. */
  boolean hasToken() {
    return options.tokenServer() != null || options.endpoint() == null;
  }

  /** Options whose requests go by gRPC, each seen by {@code calls}. */
  StorageOptions.Builder over(ClientInterceptor calls) {
    return set(
        StorageOptions.grpc()
            .setGrpcInterceptorProvider(() -> List.of(calls))
            .setEnableGrpcClientMetrics(false)
            .setAttemptDirectPath(options.endpoint() == null));
  }

  /** Options whose requests go by {@code transport}. */
  StorageOptions.Builder over(HttpTransport transport) {
    return set(
        StorageOptions.http()
            .setTransportOptions(
                HttpTransportOptions.newBuilder()
                    .setHttpTransportFactory(() -> transport)
                    .setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
                    .setReadTimeout(options.readTimeoutMillis())
                    .build()));
  }

  private StorageOptions.Builder set(StorageOptions.Builder builder) {
    builder.setStorageRetryStrategy(StorageRetryStrategy.getUniformStorageRetryStrategy());
    builder.setRetrySettings(retrySettings(options));
    if (options.endpoint() != null) {
      builder.setHost(options.endpoint());
    }
    return builder.setCredentials(credentials).setProjectId(project);
  }

  private static RetrySettings retrySettings(GcsOptions options) {
    return RetrySettings.newBuilder()
        .setMaxAttempts(options.maxRequestAttempts())
        .setInitialRetryDelayDuration(Duration.ofMillis(options.firstBackoffMillis()))
        .setRetryDelayMultiplier(2)
        .setMaxRetryDelayDuration(Duration.ofSeconds(32))
        .setInitialRpcTimeoutDuration(Duration.ofMillis(options.totalTimeoutMillis()))
        .setMaxRpcTimeoutDuration(Duration.ofMillis(options.totalTimeoutMillis()))
        .setTotalTimeoutDuration(Duration.ofMillis(options.totalTimeoutMillis()))
        .build();
  }

  /** As of whoever has logged in by {@code gcloud}. */
  private static Credentials credentials(String tokenServer) {
    return UserCredentials.newBuilder()
        .setClientId("ebb")
        .setClientSecret("ebb")
        .setRefreshToken("ebb")
        .setTokenServerUri(URI.create(tokenServer))
        .build();
  }

  private static Credentials credentials() throws RequestFailedException {
    try {
      return GoogleCredentials.getApplicationDefault();
    } catch (IOException e) {
      throw new RequestFailedException(
          FailureKind.NO_CREDENTIALS,
          "no Google credentials: " + GcsErrors.LOG_IN + "; '--endpoint demo' needs none",
          e);
    }
  }

  private static String environmentsProject() throws RequestFailedException {
    String project = ServiceOptions.getDefaultProjectId();
    if (project == null) {
      throw new RequestFailedException(
          FailureKind.INVALID,
          "no Google Cloud project: give --project, or set GOOGLE_CLOUD_PROJECT");
    }
    return project;
  }
}
