package ebb.storage.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the demo server: JSON, or a part of an object.
 *
 * @param object whose bytes follow; null when {@code json} does
 */
record Reply(
    int status,
    Map<String, String> headers,
    String json,
    @Nullable StoredObject object,
    long offset,
    long length) {

  static Reply empty(int status) {
    return new Reply(status, Map.of(), "", null, 0, 0);
  }

  static Reply json(Map<String, ?> fields) throws IOException {
    String json = JSON.std.asString(fields);
    long length = json.getBytes(StandardCharsets.UTF_8).length;
    return new Reply(200, Map.of("Content-Type", "application/json"), json, null, 0, length);
  }

  static Reply of(int status, Map<String, String> headers) {
    return new Reply(status, headers, "", null, 0, 0);
  }

  /** That a token is not taken, as Cloud Storage says it. */
  static Reply unauthorized() throws IOException {
    Reply reply = error(401, "authError", "Invalid Credentials");
    Map<String, String> headers = new LinkedHashMap<>(reply.headers);
    headers.put(
        "WWW-Authenticate",
        "Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\"");
    return new Reply(401, headers, reply.json, null, 0, reply.length);
  }

  // RFC 6749, 5.2: "The authorization server responds with an HTTP 400 (Bad Request) status code".
  /** That no new token is given, as Google's server says it to whoever has to log in again. */
  static Reply noToken() throws IOException {
    Map<String, String> error = new LinkedHashMap<>();
    error.put("error", "invalid_grant");
    error.put("error_description", "Token has been expired or revoked.");
    Reply reply = json(error);
    return new Reply(400, reply.headers, reply.json, null, 0, reply.length);
  }

  /** An error as Google's JSON APIs tell one. */
  static Reply error(int status, String reason, String message) throws IOException {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", status);
    error.put("message", message);
    error.put("errors", List.of(Map.of("domain", "global", "reason", reason, "message", message)));
    Reply reply = json(Map.of("error", error));
    return new Reply(status, reply.headers, reply.json, null, 0, reply.length);
  }
}
