package ebb.testkit.file;

import ebb.testkit.file.ScenarioFile.FlowEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The keys of a check. */
final class CheckKeys {
  static final Set<String> CHECK =
      Set.of("of", "flow", "from", "to", "percent", "portion", "at-least", "at-most");

  /** Beside others a flow may carry a little more than alone; ten times as much is a percentage. */
  private static final double MOST_RATIO = 10;

  private CheckKeys() {}

  static Check check(Keys in, List<FlowEntry> flows, long end) throws ScenarioFileException {
    Check.Figure figure = figure(in);
    String flow = in.text("flow", "");
    if (figure.isOfFlow() != !flow.isEmpty()) {
      throw in.refuse(
          figure.isOfFlow() ? "\"flow\" is missing" : "\"flow\" means nothing for this figure");
    }
    if (figure.isOfFlow() && flows.stream().noneMatch(known -> known.name().equals(flow))) {
      throw in.refuse("there is no flow \"" + flow + "\"");
    }
    if (in.has("percent") && figure != Check.Figure.QUEUE) {
      throw in.refuse("\"percent\" means nothing for this figure");
    }
    boolean portioned = figure == Check.Figure.RECOVERY || figure == Check.Figure.SHARING;
    if (in.has("portion") && !portioned) {
      throw in.refuse("\"portion\" means nothing for this figure");
    }
    long from = in.micros("from", 0);
    long to = in.micros("to", end);
    if (from >= to || to > end) {
      throw in.refuse("\"from\" must be before \"to\", and \"to\" not after the end");
    }
    if (!in.has("at-least") && !in.has("at-most")) {
      throw in.refuse("a check needs \"at-least\" or \"at-most\"");
    }
    double atLeast = bound(in, figure, "at-least", Double.NEGATIVE_INFINITY);
    double atMost = bound(in, figure, "at-most", Double.MAX_VALUE);
    if (atLeast > atMost) {
      throw in.refuse("\"at-least\" is above \"at-most\"");
    }
    return new Check(
        figure,
        flow,
        from,
        to,
        in.between(0, 100, "percent", 50),
        in.between(0, 1, "portion", 0.9),
        atLeast,
        atMost);
  }

  private static double bound(Keys in, Check.Figure figure, String key, double otherwise)
      throws ScenarioFileException {
    if (!in.has(key)) {
      return otherwise;
    }
    return switch (figure.unit()) {
      case TIME -> in.micros(key);
      case RATE -> in.bitsPerSecond(key);
      case RATIO -> in.between(0, MOST_RATIO, key, 0);
    };
  }

  private static Check.Figure figure(Keys in) throws ScenarioFileException {
    String of = in.text("of");
    for (Check.Figure figure : Check.Figure.values()) {
      if (figure.label().equals(of)) {
        return figure;
      }
    }
    throw in.refuse(
        "\"of\" must be one of "
            + Arrays.stream(Check.Figure.values())
                .map(Check.Figure::label)
                .collect(Collectors.joining(", "))
            + ": "
            + of);
  }
}
