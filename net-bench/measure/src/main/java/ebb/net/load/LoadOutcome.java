package ebb.net.load;

import ebb.core.cli.EbbException;
import ebb.net.echo.EchoLog;
import ebb.net.echo.MarkCounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was found.
 *
 * @param plan what was asked for
 * @param cells the idle path first
 * @param probe every echo
 * @param marks what became of each mark that was tried
 * @param failure why it is incomplete; null when it is complete
 */
public record LoadOutcome(
    LoadPlan plan,
    List<LoadCell> cells,
    EchoLog probe,
    List<MarkCounts> marks,
    @Nullable EbbException failure) {
  public LoadOutcome {
    marks = List.copyOf(marks);
    cells = List.copyOf(cells);
  }

  /** The path without a load; null when it was not even measured. */
  public @Nullable LoadCell idle() {
    return cells.isEmpty() ? null : cells.get(0);
  }

  /** The answer: what each load costs everybody, in its worst direction; empty when unknown. */
  public String answer() {
    LoadCell idle = idle();
    if (idle == null) {
      return "";
    }
    Map<String, Double> worst = new LinkedHashMap<>();
    for (LoadCell cell : cells.subList(1, cells.size())) {
      double added = cell.addedMicros(idle);
      if (!Double.isNaN(added)) {
        worst.merge(cell.load(), added, Math::max);
      }
    }
    List<String> words = new ArrayList<>();
    worst.forEach(
        (load, micros) ->
            words.add(
                load
                    + (words.isEmpty() ? " costs everybody " : " ")
                    + String.format(
                        Locale.ROOT, micros < 9_950 ? "%.1f ms" : "%.0f ms", micros / 1e3)
                    + (words.isEmpty() ? " here" : "")));
    return String.join(", ", words);
  }
}
