package ebb.net.echo;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the marks (type of service) of one run's questions: each goes with one of them, in
 * turn, and its answer comes with the same. It sends nothing. Memory is bounded: answers to the
 * first 65,536 questions count. Thread-safe.
 */
public final class MarkLog {
  /** A mark that could not be seen where it came. */
  public static final int UNSEEN = -1;

  private static final int MAX_QUESTIONS = 1 << 16;

  private final List<Integer> marks;
  private final BitSet answered = new BitSet();
  private final List<Map<Integer, Integer>> there = new ArrayList<>();
  private final List<Map<Integer, Integer>> back = new ArrayList<>();
  private int sent;

  /**
   * Nothing so far.
   *
   * @param marks to try, 0 to 255 each, at least one
   */
  public MarkLog(List<Integer> marks) {
    if (marks.isEmpty()) {
      throw new IllegalArgumentException("no marks");
    }
    this.marks = List.copyOf(marks);
    for (int i = 0; i < marks.size(); i++) {
      there.add(new TreeMap<>());
      back.add(new TreeMap<>());
    }
  }

  /** Whether there is room for another question. */
  public synchronized boolean open() {
    return sent < MAX_QUESTIONS;
  }

  /** With which mark the next question goes. */
  public synchronized int next() {
    return marks.get(sent % marks.size());
  }

  /** How many went; the number of the next. */
  public synchronized int asked() {
    return sent;
  }

  /** The next one went. */
  public synchronized void onSent() {
    sent++;
  }

  /**
   * An answer came; the first one to a question counts.
   *
   * @param tos the mark of the question, as the answer says
   * @param seenThere with which the question came there; {@link #UNSEEN}
   * @param seenBack with which the answer came here; {@link #UNSEEN}
   */
  public synchronized void onAnswer(long number, int tos, int seenThere, int seenBack) {
    if (number < 0 || number >= sent || answered.get((int) number)) {
      return;
    }
    int which = (int) (number % marks.size());
    if (marks.get(which) == tos && known(seenThere) && known(seenBack)) {
      answered.set((int) number);
      there.get(which).merge(seenThere, 1, Integer::sum);
      back.get(which).merge(seenBack, 1, Integer::sum);
    }
  }

  private static boolean known(int seen) {
    return seen >= UNSEEN && seen <= 0xFF;
  }

  /** What became of each mark so far. */
  public synchronized List<MarkCounts> counts() {
    List<MarkCounts> counts = new ArrayList<>();
    for (int i = 0; i < marks.size(); i++) {
      long questions = (sent + marks.size() - 1L - i) / marks.size();
      counts.add(new MarkCounts(marks.get(i), questions, there.get(i), back.get(i)));
    }
    return counts;
  }
}
