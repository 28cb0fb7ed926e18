package ebb.vm.gce;

import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.apache.v2.ApacheHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.compute.Compute;
import com.google.auth.Credentials;
import com.google.auth.http.HttpCredentialsAdapter;
import ebb.core.attempts.RequestFailedException;
import java.io.IOException;

/**
 * The library's client with its transport. Apache's HTTP client is below, not the JDK's, which
 * sends a POST again by itself when a kept connection breaks before the answer.
 */
final class Connection implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 256;
  private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

  /** A wait call answers within two minutes. */
  private static final int READ_TIMEOUT_MILLIS = 150_000;

  private final ApacheHttpTransport transport =
      new ApacheHttpTransport(
          ApacheHttpTransport.newDefaultHttpClientBuilder()
              .setMaxConnTotal(MAX_CONNECTIONS)
              .setMaxConnPerRoute(MAX_CONNECTIONS)
              .build());
  private final Compute compute;

  Connection(ComputeOptions options) throws RequestFailedException {
    Credentials credentials = Identity.of(options);
    HttpRequestInitializer authorise =
        credentials == null ? request -> {} : new HttpCredentialsAdapter(credentials);
    Compute.Builder builder =
        new Compute.Builder(
                transport,
                GsonFactory.getDefaultInstance(),
                request -> {
                  authorise.initialize(request);
                  request.setConnectTimeout(CONNECT_TIMEOUT_MILLIS);
                  request.setReadTimeout(READ_TIMEOUT_MILLIS);
                  // What it would log is headers and bodies.
                  request.setLoggingEnabled(false);
                  request.setCurlLoggingEnabled(false);
                })
            .setApplicationName("ebb");
    if (options.endpoint() != null) {
      String endpoint = options.endpoint();
      builder.setRootUrl(endpoint.endsWith("/") ? endpoint : endpoint + "/");
    }
    compute = builder.build();
  }

  Compute compute() {
    return compute;
  }

  @Override
  public void close() {
    try {
      transport.shutdown();
    } catch (IOException e) {
      // It holds nothing that outlives the process.
      return;
    }
  }
}
