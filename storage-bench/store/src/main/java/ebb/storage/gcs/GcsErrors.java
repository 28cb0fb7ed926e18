package ebb.storage.gcs;

import com.google.auth.Retryable;
import com.google.cloud.BaseServiceException;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The library's exceptions in the words that all stores share. */
final class GcsErrors {
  private static final Pattern MESSAGE =
      Pattern.compile("\"message\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.){1,300})\"");
  private static final Pattern OF_TOKEN =
      Pattern.compile("\"error(?:_description)?\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.){1,300})\"");

  private static final Pattern REFUSED = Pattern.compile("(?:.*: )?([^:]+): [^/]*/?(.+)");

  /** What to do without credentials. */
  static final String LOG_IN =
      "run 'gcloud auth application-default login', or set GOOGLE_APPLICATION_CREDENTIALS to a"
          + " service account's key file";

  private GcsErrors() {}

  /**
   * A failure in our words.
   *
   * @param what was asked for or about
   * @param notRenewed why a token that was refused was not renewed; null if it was
   */
  static RequestFailedException translated(Exception e, String what, @Nullable String notRenewed) {
    BaseServiceException service = cause(e, BaseServiceException.class);
    int code = service == null ? 0 : service.getCode();
    String reason = service == null || service.getReason() == null ? "" : service.getReason();
    FailureKind kind = kind(e, code, reason, all(e));
    String said = byGrpc(e);
    said = said == null ? worded(code, oneLine(service == null ? e : service)) : said;
    if (kind == FailureKind.NO_CREDENTIALS) {
      said = code == 0 ? notRenewed(e) : notRenewed == null ? said : said + "; " + notRenewed;
      said = refused(said);
    }
    return new RequestFailedException(kind, what + ": " + said, e);
  }

  /**
   * The status of the request by which an operation has failed, {@link Scope#NO_ANSWER} when that
   * had none, -1 when no request failed.
   */
  static int status(RequestFailedException failure) {
    BaseServiceException service = cause(failure, BaseServiceException.class);
    int code = service == null ? Scope.NO_ANSWER : service.getCode();
    return switch (failure.kind()) {
      case UNAVAILABLE, CANNOT_CONNECT -> code;
      case NO_CREDENTIALS -> Scope.UNAUTHORIZED;
      default -> -1;
    };
  }

  /** Whether the service has refused a token. */
  static boolean isUnauthorized(Exception e) {
    BaseServiceException answer = cause(e, BaseServiceException.class);
    return answer != null && answer.getCode() == Scope.UNAUTHORIZED;
  }

  /** What all causes say: the body of an answer to an upload is deep down. */
  private static String all(Throwable e) {
    StringBuilder all = new StringBuilder();
    Throwable at = e;
    for (int depth = 0; at != null && depth < 20; depth++, at = at.getCause()) {
      all.append(at.getMessage()).append('\n');
    }
    return all.toString();
  }

  /** What happened to a request by gRPC; null for one by HTTP. */
  private static @Nullable String byGrpc(Exception e) {
    StatusRuntimeException status = cause(e, StatusRuntimeException.class);
    return status == null ? null : worded(status.getStatus());
  }

  /** One line about a request by gRPC: its status, or why there was no connection. */
  static String worded(Status status) {
    ConnectException unconnected =
        status.getCause() == null ? null : cause(status.getCause(), ConnectException.class);
    if (unconnected == null) {
      String more = status.getDescription() == null ? "" : OneLine.of(status.getDescription());
      return more + (more.isEmpty() ? "" : " ") + "(gRPC " + status.getCode() + ")";
    }
    // Netty says '...: Connection refused: /127.0.0.1:4443'.
    Matcher said = REFUSED.matcher(OneLine.of(unconnected));
    return said.matches()
        ? "Connect to " + said.group(2) + " failed: " + said.group(1)
        : OneLine.of(unconnected);
  }

  private static String worded(int code, String said) {
    return code == 0 ? said : said + " (HTTP " + code + ")";
  }

  private static FailureKind kind(Exception e, int code, String reason, String said) {
    String lower = said.toLowerCase(Locale.ROOT);
    return switch (code) {
      case 400 ->
          lower.contains("crc32c") || lower.contains("md5")
              ? FailureKind.CORRUPT
              : FailureKind.INVALID;
      case Scope.UNAUTHORIZED -> FailureKind.NO_CREDENTIALS;
      case 403 ->
          reason.toLowerCase(Locale.ROOT).contains("quota")
              ? FailureKind.NO_SPACE
              : FailureKind.NO_PERMISSION;
      case 404 -> FailureKind.NOT_FOUND;
      case 409, 412 -> FailureKind.ALREADY_EXISTS;
      case 413, 416 -> FailureKind.INVALID;
      case 408, 410, 429 -> FailureKind.UNAVAILABLE;
      default -> code >= 500 && !isUnconnected(e) ? FailureKind.UNAVAILABLE : withoutStatus(e);
    };
  }

  private static FailureKind withoutStatus(Exception e) {
    Retryable token = cause(e, Retryable.class);
    if (token != null && !token.isRetryable()) {
      return FailureKind.NO_CREDENTIALS;
    }
    if (isUnconnected(e)) {
      return FailureKind.CANNOT_CONNECT;
    }
    // Without a status there was no whole answer.
    return cause(e, IOException.class) != null ? FailureKind.UNAVAILABLE : FailureKind.INTERNAL;
  }

  /** Whether a request found nobody at its address. */
  static boolean isUnconnected(Throwable e) {
    return cause(e, ConnectException.class) != null
        || cause(e, UnknownHostException.class) != null
        || cause(e, NoRouteToHostException.class) != null;
  }

  private static <T> @Nullable T cause(Throwable e, Class<T> type) {
    Throwable at = e;
    for (int depth = 0; at != null && depth < 20; depth++, at = at.getCause()) {
      if (type.isInstance(at)) {
        return type.cast(at);
      }
    }
    return null;
  }

  /** That credentials are not taken (any more), and what to do. */
  static String refused(String why) {
    return why + "; " + LOG_IN;
  }

  /** Why a token was not renewed. */
  static String notRenewed(Throwable e) {
    Matcher said = OF_TOKEN.matcher(all(e));
    String last = "";
    while (said.find()) {
      last = said.group(1).replace("\\\"", "'"); // The description comes after the error's name.
    }
    String why = last.isEmpty() ? oneLine(e) : last;
    return "the token could not be renewed: " + why.replaceAll("\\.$", "");
  }

  private static String oneLine(Throwable e) {
    Matcher inBody = MESSAGE.matcher(all(e));
    if (inBody.find()) {
      return inBody.group(1).replace("\\\"", "'");
    }
    // The library says nothing of an answer that is no HTTP; what it stood on does.
    Throwable sayer = e;
    for (int depth = 0; depth < 20 && OneLine.of(sayer.getMessage()).isEmpty(); depth++) {
      Throwable cause = sayer.getCause();
      if (cause == null) {
        return OneLine.of(e);
      }
      sayer = cause;
    }
    return OneLine.of(sayer);
  }
}
