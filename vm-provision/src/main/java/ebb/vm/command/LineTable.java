package ebb.vm.command;

import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.units.Human;
import ebb.vm.port.RunLabels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A line for each thing, below a line that names the columns, within 100 columns: where they do not
 * fit, the widest lose their middle, and a note says so. JSON has them whole.
 */
final class LineTable {
  private static final int COLUMNS = 100;
  private static final String GAP = "  ";
  private static final String CUT = "..";

  private final List<List<String>> rows = new ArrayList<>();

  LineTable(String... heads) {
    rows.add(List.of(heads));
  }

  /** Adds a line; null and what is empty are a dash. */
  void add(@Nullable String... cells) {
    List<String> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(cell == null || cell.isEmpty() ? "-" : TerminalText.printable(cell));
    }
    rows.add(row);
  }

  /** Prints all lines; nothing when there are none but the heads. */
  void print(Output output) {
    if (rows.size() == 1) {
      return;
    }
    int[] widths =
        IntStream.range(0, rows.get(0).size())
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    int over = IntStream.of(widths).sum() + GAP.length() * (widths.length - 1) - COLUMNS;
    boolean cut = over > 0;
    while (over-- > 0) {
      int widest = 0;
      for (int i = 1; i < widths.length; i++) {
        widest = widths[i] > widths[widest] ? i : widest;
      }
      widths[widest]--;
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = fitted(row.get(i), widths[i]);
        line.append(i == 0 ? "" : GAP).append(cell).append(" ".repeat(widths[i] - cell.length()));
      }
      output.line(line.toString().stripTrailing());
    }
    if (cut) {
      output.note("ebb: some are shortened to fit; --json has them whole");
    }
  }

  private static String fitted(String text, int width) {
    if (text.length() <= width) {
      return text;
    }
    int head = (width - CUT.length()) / 2;
    return text.substring(0, head) + CUT + text.substring(text.length() - (width - head - 2));
  }

  /** When it may be removed: {@code in 1h02m}, {@code 3h00m ago}; a dash for what is not Ebb's. */
  static String end(@Nullable RunLabels labels, Instant now) {
    if (labels == null) {
      return "-";
    }
    long seconds = Duration.between(now, labels.expires()).toSeconds();
    return seconds < 0 ? Human.clock(-seconds) + " ago" : "in " + Human.clock(seconds);
  }
}
