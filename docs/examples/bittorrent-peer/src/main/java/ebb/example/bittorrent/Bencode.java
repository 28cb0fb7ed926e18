package ebb.example.bittorrent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads bencoding, the format of .torrent files (BEP 3), from strangers: depth and number of values
 * are bounded, and nothing is allocated for a length before that many bytes are there.
 */
public final class Bencode {
  static final int MAX_DEPTH = 32;
  static final int MAX_VALUES = 100_000;

  // "-9223372036854775808"
  private static final int MAX_NUMBER_CHARACTERS = 20;

  private final byte[] input;
  private int at;
  private int values;

  private Bencode(byte[] input) {
    this.input = input;
  }

  /** A value of one of the four kinds that there are. */
  public sealed interface Value {}

  /** An integer. */
  public record Int(long value) implements Value {}

  /** A list. */
  public record Sequence(List<Value> values) implements Value {}

  /** A string, which is bytes. */
  public static final class Text implements Value {
    private final byte[] bytes;

    Text(byte[] bytes) {
      this.bytes = bytes;
    }

    public byte[] bytes() {
      return bytes.clone();
    }

    public int length() {
      return bytes.length;
    }
  }

  /**
   * A dictionary; a key's characters are its bytes.
   *
   * @param start where its encoding begins in the input
   * @param end where it ends
   */
  public record Dictionary(Map<String, Value> entries, int start, int end) implements Value {
    public @Nullable Value get(String key) {
      return entries.get(key);
    }
  }

  /** Reads one value that fills the input. */
  public static Value parse(byte[] input) throws ProtocolException {
    Bencode reader = new Bencode(input);
    Value value = reader.value(0);
    if (reader.at != input.length) {
      throw new ProtocolException("bytes follow the value, at " + reader.at);
    }
    return value;
  }

  private Value value(int depth) throws ProtocolException {
    if (depth > MAX_DEPTH) {
      throw new ProtocolException("nested deeper than " + MAX_DEPTH);
    }
    if (++values > MAX_VALUES) {
      throw new ProtocolException("more than " + MAX_VALUES + " values");
    }
    int first = peek();
    return switch (first) {
      case 'i' -> {
        at++;
        yield new Int(number('e'));
      }
      case 'l' -> sequence(depth);
      case 'd' -> dictionary(depth);
      default -> {
        if (first < '0' || first > '9') {
          throw new ProtocolException("no value begins with byte " + first + ", at " + at);
        }
        yield new Text(string());
      }
    };
  }

  private Sequence sequence(int depth) throws ProtocolException {
    at++;
    List<Value> list = new ArrayList<>();
    while (peek() != 'e') {
      list.add(value(depth + 1));
    }
    at++;
    return new Sequence(list);
  }

  private Dictionary dictionary(int depth) throws ProtocolException {
    final int start = at++;
    Map<String, Value> entries = new LinkedHashMap<>();
    byte @Nullable [] previous = null;
    while (peek() != 'e') {
      byte[] key = string();
      // "Keys must be strings and appear in sorted order (sorted as raw strings, not
      // alphanumerics)." Which also says that none comes twice.
      if (previous != null && Arrays.compareUnsigned(previous, key) >= 0) {
        throw new ProtocolException("keys are not in order, before " + at);
      }
      previous = key;
      entries.put(new String(key, ISO_8859_1), value(depth + 1));
    }
    at++;
    return new Dictionary(entries, start, at);
  }

  private byte[] string() throws ProtocolException {
    int start = at;
    long length = number(':');
    if (length < 0 || length > input.length - at) {
      throw new ProtocolException("a string is longer than what is there, at " + start);
    }
    byte[] bytes = Arrays.copyOfRange(input, at, at + (int) length);
    at += (int) length;
    return bytes;
  }

  /**
   * Digits up to a mark. "i-0e is invalid. All encodings with a leading zero [...] are invalid".
   */
  private long number(char mark) throws ProtocolException {
    int start = at;
    while (peek() != mark) {
      if (++at - start > MAX_NUMBER_CHARACTERS) {
        throw new ProtocolException("a number is too long, at " + start);
      }
    }
    String digits = new String(input, start, at - start, ISO_8859_1);
    at++;
    if (!digits.matches("0|-?[1-9][0-9]*")) {
      throw new ProtocolException("not a number, at " + start);
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new ProtocolException("a number is out of range, at " + start);
    }
  }

  private int peek() throws ProtocolException {
    if (at >= input.length) {
      throw new ProtocolException("the end is missing");
    }
    return input[at];
  }
}
