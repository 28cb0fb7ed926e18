package ebb.vm.plan;

import ebb.core.cli.EbbException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** A table of a plan, read key by key; whatever is wrong is said with its line and column. */
final class PlanTable {
  private final Path file;
  private final String what;
  private final TomlTable table;
  private final Place at;

  PlanTable(Path file, String what, TomlTable table, Place at) {
    this.file = file;
    this.what = what;
    this.table = table;
    this.at = at;
  }

  /** Where a key stands; where the table begins when it has no such key. */
  Place place(String key) {
    TomlPosition position =
        table.contains(List.of(key)) ? table.inputPositionOf(List.of(key)) : null;
    return position == null ? at : new Place(file, position.line(), position.column());
  }

  EbbException wrong(String key, String why) {
    return place(key).wrong(why);
  }

  /** Refuses all other keys. */
  void known(Set<String> keys) {
    for (String key : table.keySet()) {
      if (!keys.contains(key)) {
        throw wrong(
            key,
            what
                + " has an unknown key '"
                + key
                + "'; there are "
                + String.join(", ", new TreeSet<>(keys)));
      }
    }
  }

  private @Nullable Object value(String key) {
    return table.get(List.of(key));
  }

  private <T> @Nullable T value(String key, Class<T> type, String called) {
    Object value = value(key);
    if (value != null && !type.isInstance(value)) {
      throw wrong(key, "'" + key + "' has to be " + called);
    }
    return type.cast(value);
  }

  @Nullable String text(String key) {
    String text = value(key, String.class, "a text in quotes");
    if (text != null && text.isBlank()) {
      throw wrong(key, "'" + key + "' is empty");
    }
    return text;
  }

  String required(String key, @Nullable String inherited) {
    String text = text(key);
    if (text == null && inherited == null) {
      throw at.wrong(what + " has no '" + key + "'");
    }
    return text == null ? String.valueOf(inherited) : text;
  }

  /** A text that is turned into something else, which may refuse it. */
  <T> @Nullable T parsed(String key, Function<String, T> parse) {
    String text = text(key);
    if (text == null) {
      return null;
    }
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw wrong(key, "'" + key + "': " + e.getMessage());
    }
  }

  int number(String key, int fallback, int min, int max) {
    Long number = value(key, Long.class, "a whole number");
    if (number == null) {
      return fallback;
    }
    if (number < min || number > max) {
      throw wrong(key, "'" + key + "' has to be " + min + " to " + max + ", not " + number);
    }
    return number.intValue();
  }

  /** A probability; 0 when the key is not there. */
  double fraction(String key) {
    Number number = value(key, Number.class, "a number");
    double fraction = number == null ? 0 : number.doubleValue();
    if (!(fraction >= 0 && fraction < 1)) {
      throw wrong(key, "'" + key + "' has to be at least 0 and less than 1, not " + number);
    }
    return fraction;
  }

  boolean flag(String key, boolean fallback) {
    Boolean flag = value(key, Boolean.class, "true or false");
    return flag == null ? fallback : flag;
  }

  List<String> texts(String key) {
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

  List<PlanTable> tables(String key) {
    TomlArray array = value(key, TomlArray.class, "a list of tables, such as [[" + key + "]]");
    List<PlanTable> tables = new ArrayList<>();
    for (int i = 0; array != null && i < array.size(); i++) {
      if (!(array.get(i) instanceof TomlTable one)) {
        throw place(array, i).wrong("'" + key + "' has to be a list of tables");
      }
      tables.add(new PlanTable(file, "[[" + key + "]]", one, place(array, i)));
    }
    return tables;
  }

  @Nullable PlanTable table(String key) {
    TomlTable one = value(key, TomlTable.class, "a table");
    return one == null ? null : new PlanTable(file, "'" + key + "'", one, place(key));
  }

  private Place place(TomlArray array, int index) {
    TomlPosition position = array.inputPositionOf(index);
    return new Place(file, position.line(), position.column());
  }

  Place place() {
    return at;
  }
}
