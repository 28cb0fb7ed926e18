package ebb.net.flow;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a flow's transport says of itself at one moment. Immutable.
 *
 * @param values by column; what is not known is not there
 * @param limits for how long what held a sender so far
 * @param otherwise what holds a sender when none of the {@code limits} does; null when one always
 *     does
 */
public record FlowFigures(Map<Column, Long> values, Limits limits, @Nullable String otherwise) {
  public static final FlowFigures NONE = new FlowFigures(Map.of(), Limits.NONE, null);

  public FlowFigures {
    values = Map.copyOf(values);
  }

  /** What came after an {@code earlier} moment: growth of what grows, the rest as it is now. */
  public Map<Column, Long> since(FlowFigures earlier) {
    Map<Column, Long> since = new LinkedHashMap<>();
    values.forEach(
        (column, value) ->
            since.put(
                column,
                column.growing()
                    ? (Long) Math.max(0, value - earlier.values.getOrDefault(column, 0L))
                    : value));
    return since;
  }
}
