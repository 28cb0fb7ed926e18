package ebb.core.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON that may stand in a page: no text in it, whatever it says, ends the element that it stands
 * in. Arrays of {@code double} have seven significant digits, which is more than a picture shows;
 * what is not finite is null.
 */
final class Json {
  private static final MathContext DIGITS = new MathContext(7);
  private static final JsonFactory FACTORY = new JsonFactory().setCharacterEscapes(new InPage());

  private static final class InPage extends CharacterEscapes {
    private static final long serialVersionUID = 1;

    @Override
    public int[] getEscapeCodesForAscii() {
      int[] codes = CharacterEscapes.standardAsciiEscapesForJSON();
      for (char c : new char[] {'<', '>', '&', '\''}) {
        codes[c] = CharacterEscapes.ESCAPE_STANDARD;
      }
      return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int c) {
      return c == 0x2028 || c == 0x2029 ? new SerializedString(String.format("\\u%04x", c)) : null;
    }
  }

  private Json() {}

  /** Names and values in turn, in their order. */
  static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return object;
  }

  /** Maps, iterables, arrays of {@code double}, texts, numbers, booleans and null. */
  static String of(@Nullable Object value) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      write(json, value);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName(String.valueOf(entry.getKey()));
        write(json, entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      json.writeStartArray();
      for (Object each : list) {
        write(json, each);
      }
      json.writeEndArray();
    } else if (value instanceof double[] numbers) {
      json.writeStartArray();
      for (double number : numbers) {
        writeShort(json, number);
      }
      json.writeEndArray();
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
      json.writeNumber(number.toString());
    } else if (value == null || value instanceof Number) {
      json.writeNull();
    } else {
      json.writeString(value.toString());
    }
  }

  private static void writeShort(JsonGenerator json, double number) throws IOException {
    if (!Double.isFinite(number)) {
      json.writeNull();
    } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      json.writeNumber((long) number);
    } else {
      json.writeNumber(new BigDecimal(number, DIGITS).stripTrailingZeros().toString());
    }
  }
}
