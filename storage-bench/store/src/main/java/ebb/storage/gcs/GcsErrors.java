package ebb.storage.gcs;

import com.google.cloud.BaseServiceException;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
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

  private GcsErrors() {}

  static RequestFailedException translated(Exception e, String what) {
    BaseServiceException service = cause(e, BaseServiceException.class);
    int code = service == null ? 0 : service.getCode();
    String reason = service == null || service.getReason() == null ? "" : service.getReason();
    Throwable sayer = service == null ? e : service;
    FailureKind kind = kind(e, code, reason, all(e));
    return new RequestFailedException(kind, what + ": " + worded(code, oneLine(sayer)), e);
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
      case 401 -> FailureKind.NO_CREDENTIALS;
      case 403 ->
          reason.toLowerCase(Locale.ROOT).contains("quota")
              ? FailureKind.NO_SPACE
              : FailureKind.NO_PERMISSION;
      case 404 -> FailureKind.NOT_FOUND;
      case 409, 412 -> FailureKind.ALREADY_EXISTS;
      case 413, 416 -> FailureKind.INVALID;
      case 408, 410, 429 -> FailureKind.UNAVAILABLE;
      default -> code >= 500 ? FailureKind.UNAVAILABLE : withoutStatus(e);
    };
  }

  private static FailureKind withoutStatus(Exception e) {
    if (cause(e, ConnectException.class) != null
        || cause(e, UnknownHostException.class) != null
        || cause(e, NoRouteToHostException.class) != null) {
      return FailureKind.CANNOT_CONNECT;
    }
    // Without a status there was no whole answer.
    return cause(e, IOException.class) != null ? FailureKind.UNAVAILABLE : FailureKind.INTERNAL;
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

  private static String oneLine(Throwable e) {
    Matcher inBody = MESSAGE.matcher(all(e));
    return inBody.find() ? inBody.group(1).replace("\\\"", "'") : OneLine.of(e);
  }
}
