package ebb.core.result;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON encoding of {@link ResultRecord}, both ways. */
final class ResultJson {
  private ResultJson() {}

  static String write(ResultRecord result) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("schema", result.schema());
    fields.put("command", result.command());
    fields.put("started", result.started());
    if (result.durationMicros() >= 0) {
      fields.put("duration_micros", result.durationMicros());
    }
    fields.put("complete", result.complete());
    fields.put("exit_code", result.exitCode());
    fields.put("figures", result.figures());
    fields.put("facts", result.facts());
    fields.put("rows", result.rows());
    fields.put("warnings", result.warnings());
    fields.put("environment", result.environment());
    try {
      return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ResultRecord read(String json) {
    Map<String, Object> fields;
    try {
      fields = JSON.std.mapFrom(json);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a result: this is no JSON object", e);
    }
    if (fields == null) {
      throw new IllegalArgumentException("not a result: this is no JSON object");
    }
    String schema = field(fields, "schema", String.class);
    if (!schema.equals(ResultRecord.SCHEMA)) {
      throw new IllegalArgumentException(
          "not a result of the schema " + ResultRecord.SCHEMA + " but of another");
    }
    Map<String, @Nullable Number> figures = new LinkedHashMap<>();
    Map<?, ?> numbers = field(fields, "figures", Map.class);
    numbers.forEach((name, value) -> figures.put(name(name), number(name(name), value)));
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Object row : field(fields, "rows", List.class)) {
      if (!(row instanceof Map<?, ?> cells)) {
        throw wrong("rows");
      }
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      cells.forEach((name, value) -> copy.put(name(name), scalar(name(name), value)));
      rows.add(Collections.unmodifiableMap(copy));
    }
    List<String> warnings = new ArrayList<>();
    for (Object warning : field(fields, "warnings", List.class)) {
      warnings.add(text("warnings", warning));
    }
    return new ResultRecord(
        schema,
        field(fields, "command", String.class),
        field(fields, "started", String.class),
        fields.containsKey("duration_micros")
            ? field(fields, "duration_micros", Number.class).longValue()
            : -1,
        field(fields, "complete", Boolean.class),
        field(fields, "exit_code", Integer.class),
        Collections.unmodifiableMap(figures),
        texts(fields, "facts"),
        Collections.unmodifiableList(rows),
        Collections.unmodifiableList(warnings),
        texts(fields, "environment"));
  }

  /** The value as a record keeps it, so that a record that was read equals the one written. */
  static @Nullable Object scalar(String name, @Nullable Object value) {
    if (value == null || value instanceof String || value instanceof Boolean) {
      return value;
    }
    return number(name, value);
  }

  private static @Nullable Number number(String name, @Nullable Object value) {
    if (value == null || value instanceof Long) {
      return (Long) value;
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      return Double.isFinite(number) ? number : null;
    }
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException(
        "the value of " + name + " cannot be in a result: " + value.getClass().getSimpleName());
  }

  private static Map<String, String> texts(Map<String, Object> fields, String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    Map<?, ?> words = field(fields, name, Map.class);
    words.forEach((key, value) -> texts.put(name(key), text(name, value)));
    return Collections.unmodifiableMap(texts);
  }

  private static String text(String name, @Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw wrong(name);
  }

  private static String name(Object key) {
    return (String) key;
  }

  private static <T> T field(Map<String, Object> fields, String name, Class<T> type) {
    Object value = fields.get(name);
    if (!type.isInstance(value)) {
      throw wrong(name);
    }
    return type.cast(value);
  }

  private static IllegalArgumentException wrong(String name) {
    return new IllegalArgumentException("not a result: \"" + name + "\" is missing or wrong");
  }
}
