package ebb.vm.gce;

import com.fasterxml.jackson.jr.ob.JSON;
import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpRequestFactory;
import com.google.api.client.http.HttpResponse;
import com.google.api.services.compute.Compute;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.vm.provider.ProviderCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Questions to Google's other services, which a check before a run needs: by the same credentials
 * and connections as Compute Engine's, as plain JSON. What they mean is its users' affair.
 */
final class GoogleApis {
  private final HttpRequestFactory requests;
  private final ComputeOptions options;

  /**
   * What came back.
   *
   * @param status of HTTP; 0 when it is no answer of Google's, such as another service's at an
   *     endpoint that was given
   */
  record Reply(int status, Map<String, Object> json) {
    boolean isOk() {
      return status == 200;
    }

    boolean isMissing() {
      return status == 404;
    }

    /** What the service says, if it refused. */
    String message() {
      return json.get("error") instanceof Map<?, ?> error
          ? OneLine.of(String.valueOf(error.get("message")))
          : "no answer of that service";
    }

    List<?> list(String key) {
      return json.get(key) instanceof List<?> list ? list : List.of();
    }
  }

  GoogleApis(Compute compute, ComputeOptions options) {
    requests = compute.getRequestFactory();
    this.options = options;
  }

  /** Of a service such as {@code iam}; all at one place when another endpoint was given. */
  private String base(String service) {
    String emulator =
        options.storage() == null ? System.getenv("STORAGE_EMULATOR_HOST") : options.storage();
    if (service.equals("storage") && emulator != null && !emulator.isBlank()) {
      String url = emulator.contains("://") ? emulator : "http://" + emulator;
      return url.endsWith("/") ? url : url + "/";
    }
    String endpoint = options.endpoint();
    if (endpoint != null) {
      return endpoint.endsWith("/") ? endpoint : endpoint + "/";
    }
    return "https://" + service + ".googleapis.com/";
  }

  /**
   * Asks, and again after failures that may pass.
   *
   * @param body for a POST; null for a GET
   */
  Reply ask(ProviderCall call, String service, String path, @Nullable Map<String, ?> body)
      throws RequestFailedException {
    return send(call, body == null ? "GET" : "POST", service, path, body);
  }

  /** Sends a request by any method, and again after failures that may pass. */
  Reply send(
      ProviderCall call, String method, String service, String path, @Nullable Map<String, ?> body)
      throws RequestFailedException {
    GenericUrl url = new GenericUrl(base(service) + path);
    return call.retry(
        options.policy(),
        number -> {
          call.countRequest();
          try {
            HttpRequest request =
                requests.buildRequest(
                    method,
                    url,
                    body == null
                        ? null
                        : new ByteArrayContent(
                            "application/json",
                            JSON.std.asString(body).getBytes(StandardCharsets.UTF_8)));
            request.setThrowExceptionOnExecuteError(false);
            HttpResponse response = request.execute();
            try {
              int status = response.getStatusCode();
              if (status >= 500 || status == 429 || status == 408) {
                throw new RequestFailedException(
                    FailureKind.UNAVAILABLE, url.build() + ": HTTP " + status);
              }
              return reply(status, response.parseAsString());
            } finally {
              response.disconnect();
            }
          } catch (IOException e) {
            throw new RequestFailedException(
                FailureKind.UNAVAILABLE, url.build() + ": " + OneLine.of(e), e);
          }
        });
  }

  private static Reply reply(int status, String text) {
    try {
      Map<String, Object> json = JSON.std.mapFrom(text.isBlank() ? "{}" : text);
      boolean google = status < 300 || json.get("error") instanceof Map<?, ?>;
      return new Reply(google ? status : 0, json);
    } catch (IOException noJson) {
      return new Reply(0, Map.of());
    }
  }
}
