package ebb.net.echo;

import java.util.Map;

/**
 * What became of one mark. Immutable.
 *
 * @param tos the type of service with which questions and answers went
 * @param sent questions
 * @param there with which type of service those came that were answered, and how many; {@link
 *     MarkLog#UNSEEN} for those that could not be seen
 * @param back the same of the answers
 */
public record MarkCounts(
    int tos, long sent, Map<Integer, Integer> there, Map<Integer, Integer> back) {
  public MarkCounts {
    there = Map.copyOf(there);
    back = Map.copyOf(back);
  }

  /** How many answers came. */
  public int answered() {
    return back.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** How many came there as they went. */
  public int keptThere() {
    return there.getOrDefault(tos, 0);
  }

  /** How many came back as they went. */
  public int keptBack() {
    return back.getOrDefault(tos, 0);
  }

  /** Whether it was seen at both ends. */
  public boolean seen() {
    return answered() > 0
        && !there.containsKey(MarkLog.UNSEEN)
        && !back.containsKey(MarkLog.UNSEEN);
  }

  /** Whether every one that was answered came as it went, both ways. */
  public boolean kept() {
    return seen() && keptThere() == answered() && keptBack() == answered();
  }
}
