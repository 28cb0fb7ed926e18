package ebb.net.echo;

import ebb.net.mechanism.TypeOfService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What became of marks on the way, in words. */
public final class MarkText {
  private MarkText() {}

  /** One line or some; none when nothing was asked. */
  public static List<String> sentences(List<MarkCounts> all) {
    List<MarkCounts> marks = all.stream().filter(mark -> mark.sent() > 0).toList();
    List<String> lines = new ArrayList<>();
    if (marks.isEmpty()) {
      return lines;
    }
    if (marks.stream().allMatch(mark -> mark.answered() == 0)) {
      lines.add("Marks: no packet that asks for them was answered");
      return lines;
    }
    unseen(lines, "there", marks.stream().map(MarkCounts::there).toList());
    unseen(lines, "back", marks.stream().map(MarkCounts::back).toList());
    List<String> kept =
        marks.stream()
            .filter(MarkCounts::kept)
            .map(mark -> TypeOfService.text(mark.tos()))
            .toList();
    if (!kept.isEmpty()) {
      lines.add("Marks that come as they went, both ways: " + String.join(", ", kept));
    }
    for (MarkCounts mark : marks) {
      changed(lines, mark, "there", mark.there());
      changed(lines, mark, "back", mark.back());
      if (mark.answered() == 0) {
        lines.add(
            "Packets with "
                + TypeOfService.text(mark.tos())
                + ": none of "
                + mark.sent()
                + " was answered");
      }
    }
    return lines;
  }

  private static void unseen(List<String> lines, String way, List<Map<Integer, Integer>> seen) {
    if (seen.stream().anyMatch(counts -> counts.containsKey(MarkLog.UNSEEN))) {
      lines.add(
          "With which marks packets come "
              + way
              + " was not seen always: that needs Linux with native epoll");
    }
  }

  private static void changed(
      List<String> lines, MarkCounts mark, String way, Map<Integer, Integer> seen) {
    for (int came : new TreeSet<>(seen.keySet())) {
      if (came != mark.tos() && came != MarkLog.UNSEEN) {
        lines.add(
            "%s comes %s as %s, %d of %d times%s"
                .formatted(
                    TypeOfService.text(mark.tos()),
                    way,
                    TypeOfService.text(came),
                    seen.get(came),
                    mark.answered(),
                    why(mark.tos(), came)));
      }
    }
  }

  /** What a change means: RFC 3168 wants CE where a queue is long, and nothing wants the others. */
  private static String why(int went, int came) {
    if ((went & 3) != 0 && (went & 3) != 3 && came == (went | 3)) {
      return ": a queue says that it is long";
    }
    boolean point = went >> 2 != 0 && came >> 2 == 0;
    boolean ecn = (went & 3) != 0 && (came & 3) == 0;
    String lost = point ? "the mark is" : "ECN is";
    return point || ecn ? ": " + (point && ecn ? "mark and ECN are" : lost) + " bleached" : "";
  }

  /** With which marks packets came, such as {@code ef 12, be 3}. */
  public static String text(Map<Integer, Integer> seen) {
    List<String> words = new ArrayList<>();
    for (int came : new TreeSet<>(seen.keySet())) {
      words.add(
          (came == MarkLog.UNSEEN ? "not seen" : TypeOfService.text(came)) + " " + seen.get(came));
    }
    return String.join(", ", words);
  }
}
