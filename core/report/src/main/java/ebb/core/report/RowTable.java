package ebb.core.report;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a result as a table for people: units are known by the ends of names ({@code _micros},
 * {@code _bits_per_second}, ...), what nobody measured has no column, and what is the same in all
 * rows is said once.
 */
public final class RowTable {
  private static final int MANY = 100;

  private static final Map<String, Unit> ENDS =
      Map.of(
          "_bits_per_second", Unit.BITS_PER_SECOND,
          "_bytes_per_second", Unit.BYTES_PER_SECOND,
          "_per_second", Unit.PER_SECOND,
          "_micros", Unit.MICROS,
          "_nanos", Unit.NANOS,
          "_bytes", Unit.BYTES,
          "_ratio", Unit.RATIO);

  private RowTable() {}

  /** Adds the table, what all rows share, and all rows folded away. */
  public static void add(
      HtmlReport page,
      String fileName,
      List<? extends Map<String, ? extends @Nullable Object>> all) {
    if (all.isEmpty()) {
      return;
    }
    Map<String, Set<@Nullable Object>> values = new LinkedHashMap<>();
    for (Map<String, ? extends @Nullable Object> row : all) {
      row.forEach(
          (name, value) -> values.computeIfAbsent(name, none -> new LinkedHashSet<>()).add(value));
    }
    StringBuilder same = new StringBuilder();
    Table table = new Table();
    values.forEach(
        (name, seen) -> {
          boolean everywhere = all.stream().allMatch(row -> row.containsKey(name));
          Object only = seen.iterator().next();
          if (all.size() > 1 && seen.size() == 1 && everywhere) {
            if (only != null && !only.equals(0L) && !only.equals("") && !only.equals(0.0)) {
              same.append(same.length() == 0 ? "" : ", ").append(words(name)).append(' ');
              same.append(only instanceof Number number ? text(name, number) : only);
            }
          } else if (seen.stream().allMatch(value -> value == null || value instanceof Number)) {
            table.number(words(name), unit(name));
          } else {
            table.text(words(name));
          }
        });
    if (same.length() > 0) {
      page.paragraph("In all rows: " + same + ".");
    }
    List<String> shown =
        values.entrySet().stream()
            .filter(
                entry ->
                    all.size() == 1
                        || entry.getValue().size() > 1
                        || !all.stream().allMatch(row -> row.containsKey(entry.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    if (!shown.isEmpty()) {
      for (Map<String, ? extends @Nullable Object> row :
          all.subList(0, Math.min(MANY, all.size()))) {
        @Nullable Object[] cells = new Object[shown.size()];
        for (int i = 0; i < cells.length; i++) {
          cells[i] = row.get(shown.get(i));
        }
        table.row(cells);
      }
      page.table(table);
      if (all.size() > MANY) {
        page.paragraph("The first " + MANY + " of " + all.size() + " rows; the raw data has all.");
      }
    }
    page.rawRows(fileName, all);
  }

  /** {@code round trip p50} for {@code round_trip_p50_micros}. */
  public static String words(String name) {
    String end = end(name);
    return name.substring(0, name.length() - end.length())
        .replaceAll("(p\\d+)_(\\d)", "$1.$2")
        .replaceAll("_p50$", ", median")
        .replaceAll("_p([\\d.]+)$", ", $1%")
        .replace('_', ' ');
  }

  /** A value with its unit. */
  public static String text(String name, Number value) {
    double number = value.doubleValue();
    Unit.Scale scale = unit(name).scale(Math.abs(number));
    boolean whole = number == 0 || (scale.size() == 1 && number == Math.rint(number));
    String text = whole ? String.format(Locale.ROOT, "%,.0f", number) : scale.text(number);
    return text + (scale.label().isEmpty() ? "" : " " + scale.label());
  }

  /** What the numbers of a column with this name are. */
  public static Unit unit(String name) {
    return ENDS.getOrDefault(end(name), name.startsWith("limited_by_") ? Unit.RATIO : Unit.NONE);
  }

  /** The longest end of a name that says a unit; empty without one. */
  private static String end(String name) {
    String longest = "";
    for (String end : ENDS.keySet()) {
      longest = name.endsWith(end) && end.length() > longest.length() ? end : longest;
    }
    return longest;
  }
}
