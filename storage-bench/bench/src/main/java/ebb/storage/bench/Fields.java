package ebb.storage.bench;

import ebb.core.text.OneLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What another machine has sent, as a JSON object: nothing in it is believed. Each look throws an
 * {@link IllegalArgumentException} with one line when a field is missing, of another type or beyond
 * its bounds.
 */
public final class Fields {
  private static final int MAX_TEXT = 10_000;
  private static final int MAX_LIST = 70_000;

  private final Map<?, ?> fields;

  /** The fields of an object. */
  public Fields(Map<?, ?> fields) {
    this.fields = fields;
  }

  private static IllegalArgumentException wrong(String name) {
    return new IllegalArgumentException("'" + name + "' is missing or wrong");
  }

  public boolean has(String name) {
    return fields.get(name) != null;
  }

  /** A text of one line, and not longer than one has to be. */
  public String text(String name) {
    if (fields.get(name) instanceof String text && text.length() <= MAX_TEXT) {
      return text.isEmpty() ? "" : OneLine.of(text);
    }
    throw wrong(name);
  }

  public boolean flag(String name) {
    if (fields.get(name) instanceof Boolean flag) {
      return flag;
    }
    throw wrong(name);
  }

  /** A whole number. */
  public long number(String name, long least, long most) {
    return whole(name, fields.get(name), least, most);
  }

  private static long whole(String name, @Nullable Object value, long least, long most) {
    if (value instanceof Long || value instanceof Integer) {
      long number = ((Number) value).longValue();
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw wrong(name);
  }

  /** A number that is 0 or more, and finite. */
  public double amount(String name) {
    if (fields.get(name) instanceof Number number
        && number.doubleValue() >= 0
        && Double.isFinite(number.doubleValue())) {
      return number.doubleValue();
    }
    throw wrong(name);
  }

  private List<?> list(String name) {
    if (fields.get(name) instanceof List<?> list && list.size() <= MAX_LIST) {
      return list;
    }
    throw wrong(name);
  }

  public List<Long> numbers(String name) {
    List<Long> numbers = new ArrayList<>();
    list(name).forEach(one -> numbers.add(whole(name, one, Long.MIN_VALUE, Long.MAX_VALUE)));
    return numbers;
  }

  public List<List<Long>> numberLists(String name) {
    List<List<Long>> lists = new ArrayList<>();
    list(name).forEach(one -> lists.add(new Fields(Map.of(name, one)).numbers(name)));
    return lists;
  }

  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object one : list(name)) {
      texts.add(new Fields(Map.of(name, one)).text(name));
    }
    return texts;
  }

  public Fields object(String name) {
    if (fields.get(name) instanceof Map<?, ?> map) {
      return new Fields(map);
    }
    throw wrong(name);
  }

  public List<Fields> objects(String name) {
    List<Fields> objects = new ArrayList<>();
    for (Object one : list(name)) {
      if (!(one instanceof Map<?, ?> map)) {
        throw wrong(name);
      }
      objects.add(new Fields(map));
    }
    return objects;
  }

  /** All fields, which are objects. */
  public Map<String, Fields> objectsByName() {
    Map<String, Fields> all = new LinkedHashMap<>();
    fields.keySet().forEach(name -> all.put(String.valueOf(name), object(String.valueOf(name))));
    return all;
  }

  /** All fields, which are texts. */
  public Map<String, String> textsByName() {
    Map<String, String> all = new LinkedHashMap<>();
    fields.keySet().forEach(name -> all.put(String.valueOf(name), text(String.valueOf(name))));
    return all;
  }

  /** All fields, which are whole numbers of 0 and more. */
  public Map<String, Long> numbersByName() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (Object name : fields.keySet()) {
      all.put(String.valueOf(name), number(String.valueOf(name), 0, Long.MAX_VALUE));
    }
    return all;
  }

  /** One of the names of {@code type}. */
  public <E extends Enum<E>> E word(String name, Class<E> type) {
    for (E one : type.getEnumConstants()) {
      if (one.name().equals(fields.get(name))) {
        return one;
      }
    }
    throw wrong(name);
  }
}
