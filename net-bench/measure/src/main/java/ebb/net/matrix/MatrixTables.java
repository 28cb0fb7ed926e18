package ebb.net.matrix;

import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.matrix.Matrix.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A matrix as tables of words: a row for each path, a column for each kind. */
public final class MatrixTables {
  private MatrixTables() {}

  /** A table; the first row names the columns. */
  public record Table(String title, List<List<String>> rows) {}

  /** A quantity that is told of some mechanisms. */
  private enum Quantity {
    ROUND_TRIP("Round trip, median of the runs' medians", Keys.ROUND_TRIP_P50),
    RATE("Received, median of the runs", Keys.RECEIVED_RATE),
    LOSS("UDP packet loss percentage (%)", Keys.LOSS_RATIO),
    JITTER("UDP jitter (ms)", Keys.JITTER_MICROS);

    private final String title;
    private final String figure;

    Quantity(String title, String figure) {
      this.title = title;
      this.figure = figure;
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
      List<List<String>> rows = new ArrayList<>();
      List<String> header = new ArrayList<>(List.of("From", "To", "Address"));
      told.forEach(kind -> header.add(kind.name()));
      rows.add(header);
      for (Path path : matrix.paths()) {
        List<String> row = new ArrayList<>(List.of(path.from(), path.to(), path.address()));
        for (TestKind kind : told) {
          row.add(quantity.words(matrix.median(kind, path, quantity.figure)));
        }
        if (row.subList(3, row.size()).stream().anyMatch(cell -> !cell.equals("-"))) {
          rows.add(row);
        }
      }
      tables.add(new Table(quantity.title, rows));
    }
    return tables;
  }
}
