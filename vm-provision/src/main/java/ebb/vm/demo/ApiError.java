package ebb.vm.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request that is refused, in the shape that Google's services give errors. */
final class ApiError extends Exception {
  private static final long serialVersionUID = 1;

  final int code;
  private final String reason;
  private final transient List<String> fields;

  ApiError(int code, String reason, String message) {
    this(code, reason, message, List.of());
  }

  /**
   * An error.
   *
   * @param fields that are wrong, as {@code path: what is wrong}
   */
  ApiError(int code, String reason, String message, List<String> fields) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.fields = List.copyOf(fields);
  }

  static ApiError notFound(String resource) {
    return new ApiError(404, "notFound", "The resource '" + resource + "' was not found");
  }

  static ApiError invalid(String field, String value, String why) {
    return new ApiError(
        400, "invalid", "Invalid value for field '" + field + "': '" + value + "'. " + why);
  }

  Map<String, Object> asJson() {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("message", getMessage());
    one.put("domain", reason.endsWith("LimitExceeded") ? "usageLimits" : "global");
    one.put("reason", reason);
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", code);
    error.put("message", getMessage());
    error.put("errors", List.of(one));
    if (!fields.isEmpty()) {
      error.put("status", "INVALID_ARGUMENT");
      error.put(
          "details",
          List.of(
              Map.of(
                  "@type",
                  "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations",
                  fields.stream().map(field -> Map.of("description", field)).toList())));
    } else if (reason.equals("accessNotConfigured")) {
      error.put("status", "PERMISSION_DENIED");
      error.put(
          "details",
          List.of(
              Map.of(
                  "@type",
                  "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason",
                  "SERVICE_DISABLED",
                  "domain",
                  "googleapis.com")));
    }
    return Map.of("error", error);
  }
}
