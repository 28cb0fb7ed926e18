package ebb.vm.gce;

import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.HttpResponseException;
import com.google.api.services.compute.model.Operation;
import com.google.auth.Retryable;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The service's errors in the words that all providers share, with what to do about them. */
final class ComputeErrors {
  private static final long MAX_RETRY_AFTER_SECONDS = 300;

  private final String project;

  ComputeErrors(String project) {
    this.project = project;
  }

  /** What a request failed with. */
  RequestFailedException translated(IOException e, String what) {
    HttpResponseException http = cause(e, HttpResponseException.class);
    if (e instanceof GoogleJsonResponseException || (http != null && !isOfToken(e))) {
      return answered(http == null ? (HttpResponseException) e : http, what);
    }
    if (isOfToken(e)) {
      boolean retryable = e instanceof Retryable token && token.isRetryable();
      return new RequestFailedException(
          retryable ? FailureKind.UNAVAILABLE : FailureKind.NO_CREDENTIALS,
          what + ": Google does not accept the credentials: " + OneLine.of(e),
          e);
    }
    boolean unreachable =
        cause(e, ConnectException.class) != null
            || cause(e, UnknownHostException.class) != null
            || cause(e, NoRouteToHostException.class) != null;
    return new RequestFailedException(
        unreachable ? FailureKind.CANNOT_CONNECT : FailureKind.UNAVAILABLE,
        what + ": " + OneLine.of(e),
        e);
  }

  /** Whether it was the request for a token that failed, not the one to Compute Engine. */
  private static boolean isOfToken(IOException e) {
    return e instanceof Retryable
        || (e.getMessage() != null && e.getMessage().startsWith("Error getting access token"));
  }

  private RequestFailedException answered(HttpResponseException e, String what) {
    GoogleJsonError error =
        e instanceof GoogleJsonResponseException json ? json.getDetails() : null;
    String said = error == null ? OneLine.of(e) : OneLine.of(error.getMessage());
    String reason = reason(error);
    String told = told(error);
    FailureKind kind = kind(e.getStatusCode(), reason, told + "\n" + said);
    return new RequestFailedException(
        kind,
        what + ": " + said + " (HTTP " + e.getStatusCode() + ")" + advice(kind),
        e,
        retryAfter(e));
  }

  /** When the service wants to be asked again; zero when it does not say so in seconds. */
  private static Duration retryAfter(HttpResponseException e) {
    String header = e.getHeaders() == null ? null : e.getHeaders().getRetryAfter();
    try {
      return header == null
          ? Duration.ZERO
          : Duration.ofSeconds(
              Math.max(0, Math.min(MAX_RETRY_AFTER_SECONDS, Long.parseLong(header.trim()))));
    } catch (NumberFormatException aDate) {
      return Duration.ZERO;
    }
  }

  private static String reason(@Nullable GoogleJsonError error) {
    List<GoogleJsonError.ErrorInfo> errors = error == null ? null : error.getErrors();
    if (errors == null || errors.isEmpty() || errors.get(0).getReason() == null) {
      return "";
    }
    return errors.get(0).getReason();
  }

  /** The machine-readable details, such as SERVICE_DISABLED. */
  private static String told(@Nullable GoogleJsonError error) {
    List<GoogleJsonError.Details> details = error == null ? null : error.getDetails();
    StringBuilder told = new StringBuilder();
    if (details != null) {
      details.forEach(detail -> told.append(detail.getReason()).append(' '));
    }
    return told.toString();
  }

  private static FailureKind kind(int status, String reason, String told) {
    String lower = told.toLowerCase(Locale.ROOT);
    return switch (status) {
      case 400, 412, 413 -> FailureKind.INVALID;
      case 401 -> FailureKind.NO_CREDENTIALS;
      case 403 -> forbidden(reason, lower);
      case 404 -> FailureKind.NOT_FOUND;
      case 409 -> FailureKind.ALREADY_EXISTS;
      case 408, 429 -> FailureKind.UNAVAILABLE;
      default -> status >= 500 ? FailureKind.UNAVAILABLE : FailureKind.INVALID;
    };
  }

  private static FailureKind forbidden(String reason, String told) {
    if (reason.equals("rateLimitExceeded") || reason.equals("userRateLimitExceeded")) {
      return FailureKind.UNAVAILABLE;
    }
    if (reason.equals("quotaExceeded")) {
      return FailureKind.QUOTA;
    }
    if (reason.equals("accessNotConfigured") || told.contains("service_disabled")) {
      return FailureKind.API_DISABLED;
    }
    if (told.contains("billing")) {
      return FailureKind.BILLING_OFF;
    }
    return FailureKind.NO_PERMISSION;
  }

  /**
   * What an operation ended with.
   *
   * @return null when it ended well
   */
  @Nullable RequestFailedException ofOperation(Operation operation, String what) {
    Operation.Error error = operation.getError();
    if (error == null || error.getErrors() == null || error.getErrors().isEmpty()) {
      Integer status = operation.getHttpErrorStatusCode();
      return status == null || status < 400
          ? null
          : new RequestFailedException(
              FailureKind.OPERATION_FAILED,
              what + ": " + operation.getHttpErrorMessage() + " (HTTP " + status + ")");
    }
    StringBuilder said = new StringBuilder();
    for (Operation.Error.Errors one : error.getErrors()) {
      said.append(said.isEmpty() ? "" : "; ")
          .append(one.getCode())
          .append(": ")
          .append(OneLine.of(one.getMessage()));
    }
    FailureKind kind = ofCode(String.valueOf(error.getErrors().get(0).getCode()));
    return new RequestFailedException(kind, what + ": " + said + advice(kind));
  }

  private static FailureKind ofCode(String code) {
    if (code.startsWith("ZONE_RESOURCE_POOL_EXHAUSTED") || code.equals("STOCKOUT")) {
      return FailureKind.STOCK_OUT;
    }
    // What several VMs that were to be made together end in, when the cause is not told.
    if (code.equals("VM_MIN_COUNT_NOT_REACHED")) {
      return FailureKind.STOCK_OUT;
    }
    return switch (code) {
      case "QUOTA_EXCEEDED" -> FailureKind.QUOTA;
      case "RESOURCE_ALREADY_EXISTS" -> FailureKind.ALREADY_EXISTS;
      case "RESOURCE_NOT_FOUND" -> FailureKind.NOT_FOUND;
      case "PERMISSIONS_ERROR" -> FailureKind.NO_PERMISSION;
      default -> FailureKind.OPERATION_FAILED;
    };
  }

  private String advice(FailureKind kind) {
    return switch (kind) {
      case API_DISABLED ->
          "; switch it on with 'gcloud services enable compute.googleapis.com --project="
              + project
              + "'";
      case BILLING_OFF ->
          "; link a billing account: https://console.cloud.google.com/billing/linkedaccount?project="
              + project;
      case NO_PERMISSION ->
          "; the account needs roles/compute.instanceAdmin.v1 and, for firewall rules,"
              + " roles/compute.securityAdmin on project '"
              + project
              + "'";
      case NO_CREDENTIALS -> "; run 'gcloud auth application-default login' or give --key-file";
      case QUOTA -> "; see 'ebb vm quota', or ask for fewer or smaller VMs";
      case STOCK_OUT -> "; another zone may have some";
      default -> "";
    };
  }

  private static <T extends Throwable> @Nullable T cause(Throwable e, Class<T> type) {
    Throwable at = e;
    for (int depth = 0; at != null && depth < 20; depth++, at = at.getCause()) {
      if (type.isInstance(at)) {
        return type.cast(at);
      }
    }
    return null;
  }
}
