package ebb.net.report;

import ebb.core.report.HeatMap;
import ebb.core.report.HtmlReport;
import ebb.core.report.RowTable;
import ebb.core.report.Table;
import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.matrix.Matrix;
import ebb.net.matrix.Matrix.Difference;
import ebb.net.matrix.Matrix.Path;
import ebb.net.matrix.MatrixTables;
import ebb.net.matrix.TestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The part of a page that shows a matrix: heat maps, differences, tables. */
public final class MatrixPage {
  /** What a map can show of a path; only datagrams have the last two. */
  private enum Shown {
    ROUND_TRIP(Keys.ROUND_TRIP_P50, "round trip", HeatMap.Worse.HIGHER),
    RECEIVED(Keys.RECEIVED_RATE, "received", HeatMap.Worse.LOWER),
    LOSS(Keys.LOSS_RATIO, "lost", HeatMap.Worse.HIGHER),
    JITTER(Keys.JITTER_MICROS, "jitter", HeatMap.Worse.HIGHER);

    final String figure;
    final String words;
    final HeatMap.Worse worse;

    Shown(String figure, String words, HeatMap.Worse worse) {
      this.figure = figure;
      this.words = words;
      this.worse = worse;
    }

    String text(double value) {
      return switch (this) {
        case ROUND_TRIP, JITTER -> Human.micros(Math.round(value));
        case RECEIVED -> Human.bitRate(value);
        case LOSS -> String.format(Locale.ROOT, "%.2g%%", 100 * value);
      };
    }
  }

  private MatrixPage() {}

  /** Adds it to a page. */
  public static void add(HtmlReport page, Matrix matrix) {
    page.heading("Between " + matrix.hosts().size() + " hosts");
    for (TestKind kind : matrix.kinds()) {
      for (String address : List.of("internal", "external")) {
        if (kind.stopAndWait()) {
          heat(page, matrix, kind, address, Shown.ROUND_TRIP);
        } else {
          for (Shown shown : List.of(Shown.RECEIVED, Shown.LOSS, Shown.JITTER)) {
            heat(page, matrix, kind, address, shown);
          }
        }
      }
    }
    list(page, "Directions that differ beyond the noise of the runs", matrix.asymmetries());
    list(page, "Internal beside external addresses", matrix.addresses());
    if (matrix.tooFewRuns()) {
      page.paragraph("Where there were fewer than 6 runs, no difference is claimed.");
    }
    for (MatrixTables.Table table : MatrixTables.of(matrix)) {
      page.heading(table.quantity().title());
      page.table(figures(table));
    }
    if (!matrix.failures().isEmpty()) {
      page.heading("Not measured");
      matrix.failures().forEach(page::paragraph);
    }
  }

  private static Table figures(MatrixTables.Table told) {
    Table table = new Table().text("From").text("To").text("Address");
    for (TestKind kind : told.kinds()) {
      table.number(kind.name(), RowTable.unit(told.quantity().figure()));
    }
    told.values()
        .forEach(
            (path, values) -> {
              List<Object> cells = new ArrayList<>(List.of(path.from(), path.to(), path.address()));
              cells.addAll(values);
              table.row(cells.toArray());
            });
    return table;
  }

  private static void list(HtmlReport page, String title, List<Difference> differences) {
    if (!differences.isEmpty()) {
      page.heading(title);
      differences.forEach(difference -> page.paragraph(difference.words()));
    }
  }

  private static void heat(
      HtmlReport page, Matrix matrix, TestKind kind, String address, Shown shown) {
    String title = kind.name() + ", " + address + " addresses, " + shown.words;
    HeatMap map = new HeatMap(title, "from, to", matrix.hosts(), matrix.hosts(), shown.worse);
    boolean any = false;
    int empty = 0;
    for (int from = 0; from < matrix.hosts().size(); from++) {
      for (int to = 0; to < matrix.hosts().size(); to++) {
        Path path = new Path(matrix.hosts().get(from), matrix.hosts().get(to), address);
        double value = matrix.median(kind, path, shown.figure);
        if (Double.isFinite(value)) {
          map.cell(from, to, value, shown.text(value));
          any = true;
        } else {
          boolean told = from == to;
          for (String failure : matrix.failures()) {
            if (failure.startsWith(path.name() + ": ")) {
              map.failed(from, to, failure);
              told = true;
            }
          }
          Path back = new Path(path.to(), path.from(), address);
          if (!told
              && shown == Shown.ROUND_TRIP
              && Double.isFinite(matrix.median(kind, back, shown.figure))) {
            // A round trip goes both ways; one host of each pair begins it.
            map.cell(from, to, Double.NaN, "other way");
            told = true;
          }
          empty += told ? 0 : 1;
        }
      }
    }
    if (any) {
      page.chart(map);
      if (empty > 0) {
        page.paragraph("Not measured, and so empty: " + empty + " squares of " + title + ".");
      }
    }
  }
}
