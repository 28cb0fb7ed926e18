package ebb.storage.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures that a provider has published, from a file of lines {@code case,unit,value,source}; units
 * are {@code B/s}, {@code op/s} and {@code us}. Lines that begin with # are comments.
 */
public record Expected(String name, String unit, double value, String source) {
  private static final int CELLS = 4;

  /**
   * Reads a file's text.
   *
   * @throws IllegalArgumentException with one line, when it is no such file
   */
  public static List<Expected> parse(String text) {
    List<Expected> all = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split(",", CELLS);
      try {
        if (cells.length == CELLS && List.of("B/s", "op/s", "us").contains(cells[1].strip())) {
          double value = Double.parseDouble(cells[2].strip());
          all.add(new Expected(cells[0].strip(), cells[1].strip(), value, cells[3].strip()));
          continue;
        }
      } catch (NumberFormatException e) {
        throw wrong(number, e);
      }
      throw wrong(number, null);
    }
    return all;
  }

  private static IllegalArgumentException wrong(int line, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "line " + line + " is not case,unit,value,source with the unit B/s, op/s or us", cause);
  }

  /** Whether it is about such samples. */
  boolean isAbout(Samples.Key key) {
    String theirs =
        switch (key.of()) {
          case BANDWIDTH -> "B/s";
          case IOPS -> "op/s";
          case LATENCY -> "us";
        };
    return name.equals(key.name()) && unit.equals(theirs);
  }
}
