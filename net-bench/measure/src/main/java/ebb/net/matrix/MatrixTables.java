package ebb.net.matrix;

import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.matrix.Matrix.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A matrix as tables of words: a row for each path, a column for each kind. */
public final class MatrixTables {
  private MatrixTables() {}

  /**
   * A table.
   *
   * @param kinds the columns of figures
   * @param values for each path one of each kind; NaN where there is none
   */
  public record Table(Quantity quantity, List<TestKind> kinds, Map<Path, List<Double>> values) {
    /** In words; the first row names the columns. */
    public List<List<String>> rows() {
      List<List<String>> rows = new ArrayList<>();
      List<String> header = new ArrayList<>(List.of("From", "To", "Address"));
      kinds.forEach(kind -> header.add(kind.name()));
      rows.add(header);
      values.forEach(
          (path, figures) -> {
            List<String> row = new ArrayList<>(List.of(path.from(), path.to(), path.address()));
            figures.forEach(figure -> row.add(quantity.words(figure)));
            rows.add(row);
          });
      return rows;
    }
  }

  /** A quantity that is told of some mechanisms. */
  public enum Quantity {
    ROUND_TRIP("Round trip, median of the runs' medians", "", Keys.ROUND_TRIP_P50),
    RATE("Received, median of the runs", "", Keys.RECEIVED_RATE),
    LOSS("UDP packet loss", " percentage (%)", Keys.LOSS_RATIO),
    JITTER("UDP jitter", " (ms)", Keys.JITTER_MICROS);

    private final String title;
    private final String unit;
    private final String figure;

    Quantity(String title, String unit, String figure) {
      this.title = title;
      this.unit = unit;
      this.figure = figure;
    }

    /** Without a unit. */
    public String title() {
      return title;
    }

    /** With the unit of rows in words, where they do not name it. */
    public String heading() {
      return title + unit;
    }

    /** The column of results. */
    public String figure() {
      return figure;
    }

    boolean isOf(TestKind kind) {
      return switch (this) {
        case ROUND_TRIP -> kind.stopAndWait();
        case RATE -> !kind.stopAndWait();
        case LOSS, JITTER -> kind.datagramStream();
      };
    }

    String words(double value) {
      if (!Double.isFinite(value)) {
        return "-";
      }
      return switch (this) {
        case ROUND_TRIP -> Human.micros(Math.round(value));
        case RATE -> Human.bitRate(value);
        case LOSS -> String.format(Locale.ROOT, "%.3g", 100 * value);
        case JITTER -> String.format(Locale.ROOT, "%.3g", value / 1e3);
      };
    }
  }

  /** All tables that there is something for. */
  public static List<Table> of(Matrix matrix) {
    List<Table> tables = new ArrayList<>();
    for (Quantity quantity : Quantity.values()) {
      List<TestKind> told = matrix.kinds().stream().filter(quantity::isOf).toList();
      if (told.isEmpty()) {
        continue;
      }
      Map<Path, List<Double>> values = new LinkedHashMap<>();
      for (Path path : matrix.paths()) {
        List<Double> figures =
            told.stream().map(kind -> matrix.median(kind, path, quantity.figure)).toList();
        if (figures.stream().anyMatch(Double::isFinite)) {
          values.put(path, figures);
        }
      }
      tables.add(new Table(quantity, told, values));
    }
    return tables;
  }
}
