package ebb.storage.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON that a request asks with, and its fields. */
final class Asked {
  private static final int MAX_JSON = 65_536;

  private Asked() {}

  /** The fields of a request's content. */
  static Map<String, Object> json(HttpRequest request) throws ApiException, IOException {
    byte[] bytes = request.plainContent().readNBytes(MAX_JSON + 1);
    if (bytes.length > MAX_JSON) {
      throw new ApiException(413, "invalid", "too much JSON");
    }
    return parsed(bytes);
  }

  static Map<String, Object> parsed(byte[] utf8) throws ApiException {
    try {
      return utf8.length == 0 ? Map.of() : JSON.std.mapFrom(utf8);
    } catch (IOException | RuntimeException e) {
      throw new ApiException(400, "parseError", "no JSON object");
    }
  }

  static Map<String, String> map(Map<String, Object> fields, String name) {
    Map<String, String> map = new LinkedHashMap<>();
    if (fields.get(name) instanceof Map<?, ?> given) {
      given.forEach((key, value) -> map.put(String.valueOf(key), String.valueOf(value)));
    }
    return map;
  }

  static String text(Map<String, Object> fields, String name) {
    Object value = fields.get(name);
    return value == null ? "" : value.toString();
  }
}
