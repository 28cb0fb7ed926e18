package ebb.vm.demo;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Compares values with the schemas of a discovery document. */
final class SchemaCheck {
  private static final BigInteger INT64_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger INT64_MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger UINT64_MAX =
      BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private final Map<String, Object> schemas;

  SchemaCheck(Map<String, Object> schemas) {
    this.schemas = schemas;
  }

  /** What is wrong with a value of the named schema, as {@code path: what}; empty when nothing. */
  List<String> problems(String schema, Object value) {
    List<String> problems = new ArrayList<>();
    check(Json.object(schemas.get(schema)), value, schema, problems);
    return problems;
  }

  /** The same for a parameter, which arrives as text. */
  List<String> parameterProblems(String name, Map<String, Object> schema, String text) {
    List<String> problems = new ArrayList<>();
    Object value =
        switch (Json.text(schema.get("type"))) {
          case "boolean" -> text.equals("true") || text.equals("false") ? (Object) true : text;
          case "integer" -> text.matches("-?\\d{1,18}") ? (Object) Long.valueOf(text) : text;
          default -> text;
        };
    check(schema, value, name, problems);
    return problems;
  }

  private void check(Map<String, Object> schema, Object value, String at, List<String> problems) {
    Object ref = schema.get("$ref");
    if (ref != null) {
      Map<String, Object> named = Json.object(schemas.get(Json.text(ref)));
      if (named.isEmpty()) {
        throw new IllegalStateException("the trimmed document lacks " + ref);
      }
      check(named, value, at, problems);
      return;
    }
    String type = Json.text(schema.get("type"));
    boolean right =
        switch (type) {
          case "any" -> true;
          case "boolean" -> value instanceof Boolean;
          case "number" -> value instanceof Number;
          case "integer" -> isInt32(value);
          case "string" -> value instanceof String;
          case "array" -> value instanceof List;
          case "object" -> value instanceof Map;
          default -> throw new IllegalStateException("a type unknown to this check: " + type);
        };
    if (!right) {
      problems.add(at + ": Proto field is not " + type + ", cannot take " + Json.write(value));
    } else if (value instanceof String text) {
      text(schema, text, at, problems);
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        check(Json.object(schema.get("items")), list.get(i), at + "[" + i + "]", problems);
      }
    } else if (type.equals("object")) {
      object(schema, Json.object(value), at, problems);
    }
  }

  private static boolean isInt32(Object value) {
    return value instanceof Integer || (value instanceof Long wide && wide == (int) (long) wide);
  }

  private void object(
      Map<String, Object> schema, Map<String, Object> value, String at, List<String> problems) {
    Map<String, Object> properties = Json.object(schema.get("properties"));
    Map<String, Object> others = Json.object(schema.get("additionalProperties"));
    value.forEach(
        (name, one) -> {
          Object property = properties.get(name);
          if (property == null && others.isEmpty()) {
            problems.add("Unknown name \"" + name + "\" at '" + at + "': Cannot find field.");
          } else {
            check(
                property == null ? others : Json.object(property), one, at + "." + name, problems);
          }
        });
  }

  private static void text(
      Map<String, Object> schema, String text, String at, List<String> problems) {
    List<?> values = Json.list(schema.get("enum"));
    if (!values.isEmpty() && !values.contains(text)) {
      problems.add(at + ": Invalid value \"" + text + "\", one of " + values + " expected");
    }
    Object pattern = schema.get("pattern");
    if (pattern != null && !Pattern.matches(Json.text(pattern), text)) {
      problems.add(at + ": Must be a match of regex '" + pattern + "', not \"" + text + "\"");
    }
    boolean right =
        switch (Json.text(schema.get("format"))) {
          case "int64" -> isWithin(text, INT64_MIN, INT64_MAX);
          case "uint64" -> isWithin(text, BigInteger.ZERO, UINT64_MAX);
          case "byte" -> isBase64(text);
          default -> true;
        };
    if (!right) {
      problems.add(at + ": \"" + text + "\" is no " + schema.get("format"));
    }
  }

  private static boolean isWithin(String text, BigInteger min, BigInteger max) {
    if (!text.matches("-?\\d{1,20}")) {
      return false;
    }
    BigInteger number = new BigInteger(text);
    return number.compareTo(min) >= 0 && number.compareTo(max) <= 0;
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getUrlDecoder().decode(text.replace('+', '-').replace('/', '_'));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
