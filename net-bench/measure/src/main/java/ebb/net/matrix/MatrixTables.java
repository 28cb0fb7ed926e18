package ebb.net.matrix;

import ebb.core.units.Human;
import ebb.net.matrix.Matrix.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A matrix as tables of words: a row for each path, a column for each mechanism. */
public final class MatrixTables {
  private MatrixTables() {}

  /** A table; the first row names the columns. */
  public record Table(String title, List<List<String>> rows) {}

  /** A quantity that is told of some mechanisms. */
  private enum Quantity {
    ROUND_TRIP("Round trip, median of the runs' medians", "round_trip_p50_micros"),
    RATE("Received, median of the runs", "received_rate_bits_per_second"),
    LOSS("UDP packet loss percentage (%)", "loss_ratio"),
    JITTER("UDP jitter (ms)", "jitter_micros");

    private final String title;
    private final String figure;

    Quantity(String title, String figure) {
      this.title = title;
      this.figure = figure;
    }

    boolean isOf(Mechanism mechanism) {
      return switch (this) {
        case ROUND_TRIP -> mechanism.stopAndWait();
        case RATE -> !mechanism.stopAndWait();
        case LOSS, JITTER -> mechanism.udpStream();
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
      List<Mechanism> told = matrix.mechanisms().stream().filter(quantity::isOf).toList();
      if (told.isEmpty()) {
        continue;
      }
      List<List<String>> rows = new ArrayList<>();
      List<String> header = new ArrayList<>(List.of("From", "To", "Address"));
      told.forEach(mechanism -> header.add(mechanism.name()));
      rows.add(header);
      for (Path path : matrix.paths()) {
        List<String> row = new ArrayList<>(List.of(path.from(), path.to(), path.address()));
        for (Mechanism mechanism : told) {
          row.add(quantity.words(matrix.median(mechanism, path, quantity.figure)));
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
