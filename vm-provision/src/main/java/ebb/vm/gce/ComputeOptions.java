package ebb.vm.gce;

import ebb.core.attempts.RetryPolicy;
import ebb.core.time.SleepClock;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How to talk to Compute Engine.
 *
 * @param project whose VMs these are
 * @param endpoint a base URL; null for Google's own. Any other is talked to without credentials,
 *     unless there is a key file
 * @param keyFile of a service account; null for Application Default Credentials
 * @param impersonate a service account to act as; null to act as oneself
 * @param storage where its buckets are, a base URL; null for the environment's, else Google's own
 * @param policy for each request to the service
 * @param operationTimeout for an operation of the service, from its begin to its end
 * @param clock the clock, and what waits
 */
public record ComputeOptions(
    String project,
    @Nullable String endpoint,
    @Nullable Path keyFile,
    @Nullable String impersonate,
    @Nullable String storage,
    RetryPolicy policy,
    Duration operationTimeout,
    SleepClock clock) {
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

  public ComputeOptions {
    if (project.isBlank()) {
      throw new IllegalArgumentException(
          "no Google Cloud project: give --project, or set GOOGLE_CLOUD_PROJECT");
    }
    if (endpoint != null && (keyFile != null || impersonate != null)) {
      URI uri = URI.create(endpoint);
      if (!"https".equals(uri.getScheme())
          && !THIS_MACHINE.contains(String.valueOf(uri.getHost()))) {
        throw new IllegalArgumentException(
            "credentials go over https only, not to '" + endpoint + "'");
      }
    }
  }

  public static ComputeOptions standard(String project, @Nullable String endpoint) {
    return new ComputeOptions(
        project,
        endpoint,
        null,
        null,
        null,
        RetryPolicy.of(7),
        Duration.ofMinutes(15),
        SleepClock.system());
  }

  public ComputeOptions withIdentity(@Nullable Path key, @Nullable String actAs) {
    return new ComputeOptions(
        project, endpoint, key, actAs, storage, policy, operationTimeout, clock);
  }

  /** With buckets that are elsewhere. */
  public ComputeOptions withStorage(@Nullable String url) {
    return new ComputeOptions(
        project, endpoint, keyFile, impersonate, url, policy, operationTimeout, clock);
  }

  public ComputeOptions withPolicy(RetryPolicy other) {
    return new ComputeOptions(
        project, endpoint, keyFile, impersonate, storage, other, operationTimeout, clock);
  }

  public ComputeOptions withPause(SleepClock other) {
    return new ComputeOptions(
        project, endpoint, keyFile, impersonate, storage, policy, operationTimeout, other);
  }
}
