package ebb.vm.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON as maps and lists. */
final class Json {
  private Json() {}

  @SuppressWarnings("unchecked") // JSON's objects have strings for names.
  static Map<String, Object> object(@Nullable Object value) {
    return value == null ? Map.of() : (Map<String, Object>) value;
  }

  static List<?> list(@Nullable Object value) {
    return value == null ? List.of() : (List<?>) value;
  }

  static String text(@Nullable Object value) {
    return Objects.toString(value, "");
  }

  static String write(Object value) {
    try {
      return JSON.std.asString(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same without fields that are null: for Google's services those are not given. */
  static Map<String, Object> given(Map<String, Object> json) {
    Map<String, Object> given = new LinkedHashMap<>();
    json.forEach(
        (name, value) -> {
          if (value != null) {
            given.put(name, givenIn(value));
          }
        });
    return given;
  }

  private static Object givenIn(Object value) {
    return value instanceof Map
        ? given(object(value))
        : value instanceof List<?> list ? list.stream().map(Json::givenIn).toList() : value;
  }
}
