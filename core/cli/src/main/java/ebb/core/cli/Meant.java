package ebb.core.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What may have been meant by a word that a command does not know. It owns no words. */
final class Meant {
  /** A word this long or longer may have a second mistake in it, and so on. */
  private static final int LETTERS_PER_MISTAKE = 4;

  private static final int MOST = 3;

  private Meant() {}

  /** What is wrong, and what may have been meant. */
  static String explain(ParameterException mistake) {
    if (!(mistake instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return String.valueOf(mistake.getMessage());
    }
    CommandSpec spec = mistake.getCommandLine().getCommandSpec();
    String word = unmatched.getUnmatched().get(0);
    if (unmatched.isUnknownOption()) {
      return mistake.getMessage()
          + instead(nearest(word.replaceFirst("=.*", ""), spec.optionsMap().keySet()));
    }
    String message =
        spec.subcommands().isEmpty()
            ? mistake.getMessage()
            : "There is no command '" + spec.qualifiedName() + " " + word + "'";
    return message + instead(nearest(word, spec.subcommands().keySet()));
  }

  private static String instead(List<String> close) {
    return close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?";
  }

  /** The known words with the fewest mistakes between them and this one, if those are few. */
  static List<String> nearest(String word, Collection<String> known) {
    TreeMap<Integer, List<String>> byDistance =
        known.stream()
            .filter(each -> each.length() > 2)
            .sorted()
            .collect(groupingBy(each -> distance(word, each), TreeMap::new, toList()));
    Map.Entry<Integer, List<String>> first = byDistance.firstEntry();
    return first == null || first.getKey() > Math.max(1, word.length() / LETTERS_PER_MISTAKE)
        ? List.of()
        : first.getValue().stream().limit(MOST).toList();
  }

  /**
   * Letters left out, put in, taken for others, or changed with their neighbours: the optimal
   * string alignment distance.
   */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int other = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + other);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
