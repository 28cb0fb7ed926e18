package ebb.core.toml;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * A table of a TOML file, read key by key. Whatever is wrong is an {@link EbbException} USAGE of
 * one line that begins with the file, the line and the column. It does not know which keys there
 * may be: its caller says so ({@link #only}).
 */
public final class TomlReader {
  private static final long MAX_FILE_BYTES = 1 << 20;
  private static final int CLOSE = 2;

  private final String what;
  private final TomlTable table;
  private final TomlPlace at;

  private TomlReader(String what, TomlTable table, TomlPlace at) {
    this.what = what;
    this.table = table;
    this.at = at;
  }

  /**
   * The text of a file of at most 1 MiB.
   *
   * @throws EbbException USAGE when it cannot be read or is larger
   */
  public static String textOf(Path file) {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new EbbException(ExitCode.USAGE, "'" + file + "' is larger than 1 MiB");
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new EbbException(ExitCode.USAGE, "cannot read '" + file + "': " + OneLine.of(e), e);
    }
  }

  /**
   * Reads a file of at most 1 MiB.
   *
   * @param what it is, to begin errors about its outermost table with, such as "the plan"
   * @throws EbbException USAGE when it cannot be read or is no TOML
   */
  public static TomlReader read(Path file, String what) {
    return parse(file, textOf(file), what);
  }

  /**
   * Reads what stood in a file.
   *
   * @param file to name in errors; it is not opened
   * @throws EbbException USAGE when it is no TOML
   */
  public static TomlReader parse(Path file, String text, String what) {
    TomlParseResult toml = Toml.parse(text);
    if (toml.hasErrors()) {
      var first = toml.errors().get(0);
      throw new TomlPlace(file, first.position().line(), first.position().column())
          .wrong(String.valueOf(first.getMessage()).replace('\n', ' '));
    }
    return new TomlReader(what, toml, new TomlPlace(file, 1, 1));
  }

  /** Where the table begins. */
  public TomlPlace place() {
    return at;
  }

  public boolean has(String key) {
    return table.contains(List.of(key));
  }

  /** Where a key stands; where the table begins when it has no such key. */
  public TomlPlace place(String key) {
    TomlPosition position =
        table.contains(List.of(key)) ? table.inputPositionOf(List.of(key)) : null;
    return position == null ? at : new TomlPlace(at.file(), position.line(), position.column());
  }

  /** An error about a key's value. */
  public EbbException wrong(String key, String why) {
    return place(key).wrong(why);
  }

  /** Refuses all other keys, with the one that was probably meant, or all that there may be. */
  public void only(Set<String> keys) {
    for (String key : table.keySet()) {
      if (!keys.contains(key)) {
        String meant = keys.stream().min(Comparator.comparingInt(k -> distance(key, k))).orElse("");
        throw wrong(
            key,
            what
                + " has an unknown key '"
                + key
                + (distance(key, meant) <= CLOSE
                    ? "'; did you mean '" + meant + "'?"
                    : "'; there are " + String.join(", ", new TreeSet<>(keys))));
      }
    }
  }

  /** How many letters have to be changed, added, left out or swapped with the next. */
  private static int distance(String from, String to) {
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(cost[i - 1][j - 1] + change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], 1 + cost[i - 2][j - 2]);
        }
      }
    }
    return cost[from.length()][to.length()];
  }

  private <T> @Nullable T value(String key, Class<T> type, String called) {
    Object value = table.get(List.of(key));
    if (value != null && !type.isInstance(value)) {
      throw wrong(key, "'" + key + "' has to be " + called);
    }
    return type.cast(value);
  }

  /** A text that is not blank and has no control characters; null when the key is not there. */
  public @Nullable String text(String key) {
    String text = value(key, String.class, "a text in quotes");
    if (text != null && text.isBlank()) {
      throw wrong(key, "'" + key + "' is empty");
    }
    if (text != null && text.chars().anyMatch(Character::isISOControl)) {
      throw wrong(key, "'" + key + "' has control characters");
    }
    return text;
  }

  /** {@link #text}, which has to be there. */
  public String required(String key) {
    String text = text(key);
    if (text == null) {
      throw at.wrong(what + " has no '" + key + "'");
    }
    return text;
  }

  public String text(String key, String fallback) {
    String text = text(key);
    return text == null ? fallback : text;
  }

  /**
   * A text that is turned into something else.
   *
   * @param parse may refuse it by an IllegalArgumentException of one line
   * @return null when the key is not there
   */
  public <T> @Nullable T parsed(String key, Function<String, T> parse) {
    String text = text(key);
    if (text == null) {
      return null;
    }
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw wrong(key, "'" + key + "': " + OneLine.of(e));
    }
  }

  /** A time with its unit, such as "10s"; null when the key is not there. */
  public @Nullable Micros micros(String key) {
    return parsed(key, Micros::parse);
  }

  public Micros micros(String key, Micros fallback) {
    Micros time = micros(key);
    return time == null ? fallback : time;
  }

  /** A rate such as "20M"; {@code fallback} when the key is not there. */
  public BitRate bitRate(String key, BitRate fallback) {
    BitRate rate = parsed(key, BitRate::parse);
    return rate == null ? fallback : rate;
  }

  /** A size such as "64Ki"; null when the key is not there. */
  public @Nullable ByteSize byteSize(String key) {
    return parsed(key, ByteSize::parse);
  }

  /** A whole number; {@code fallback}, whatever it is, when the key is not there. */
  public int number(String key, int fallback, int min, int max) {
    Long number = value(key, Long.class, "a whole number");
    if (number == null) {
      return fallback;
    }
    if (number < min || number > max) {
      throw wrong(key, "'" + key + "' has to be " + min + " to " + max + ", not " + number);
    }
    return number.intValue();
  }

  /** A probability, at least 0 and less than 1; 0 when the key is not there. */
  public double fraction(String key) {
    Number number = value(key, Number.class, "a number");
    double fraction = number == null ? 0 : number.doubleValue();
    if (!(fraction >= 0 && fraction < 1)) {
      throw wrong(key, "'" + key + "' has to be at least 0 and less than 1, not " + number);
    }
    return fraction;
  }

  /** A number with or without a fraction; null when the key is not there. */
  public @Nullable Double decimal(String key) {
    Number number = value(key, Number.class, "a number");
    return number == null ? null : Double.valueOf(number.doubleValue());
  }

  public boolean flag(String key, boolean fallback) {
    Boolean flag = value(key, Boolean.class, "true or false");
    return flag == null ? fallback : flag;
  }

  /** A list of texts; empty when the key is not there. */
  public List<String> texts(String key) {
    TomlArray array = value(key, TomlArray.class, "a list of texts");
    List<String> texts = new ArrayList<>();
    for (int i = 0; array != null && i < array.size(); i++) {
      if (!(array.get(i) instanceof String text)) {
        throw place(array, i).wrong("'" + key + "' has to be a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  /** All tables of {@code [[key]]}; empty when there are none. */
  public List<TomlReader> tables(String key) {
    TomlArray array = value(key, TomlArray.class, "a list of tables, such as [[" + key + "]]");
    List<TomlReader> tables = new ArrayList<>();
    for (int i = 0; array != null && i < array.size(); i++) {
      if (!(array.get(i) instanceof TomlTable one)) {
        throw place(array, i).wrong("'" + key + "' has to be a list of tables");
      }
      tables.add(new TomlReader("[[" + key + "]]", one, place(array, i)));
    }
    return tables;
  }

  /** The table of {@code [key]}; null when there is none. */
  public @Nullable TomlReader table(String key) {
    TomlTable one = value(key, TomlTable.class, "a table");
    return one == null ? null : new TomlReader("'" + key + "'", one, place(key));
  }

  private TomlPlace place(TomlArray array, int index) {
    TomlPosition position = array.inputPositionOf(index);
    return new TomlPlace(at.file(), position.line(), position.column());
  }
}
