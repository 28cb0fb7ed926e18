package ebb.storage.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What was done over the time of a phase, in windows of equal length that grow as the phase does,
 * so that there are never more than {@link #MOST}. Bytes count when they moved, operations when
 * they ended. Not thread-safe.
 */
public final class Course {
  static final int MOST = 40;
  private static final long FIRST_MICROS = 125_000;

  private long widthMicros = FIRST_MICROS;
  private final List<Window> windows = new ArrayList<>();

  /**
   * A part of the time.
   *
   * @param fromMicros since the begin of the phase
   * @param latencyMicros of all operations together
   */
  public record Window(
      long fromMicros,
      long toMicros,
      long operations,
      long failures,
      long bytes,
      long latencyMicros,
      long longestMicros) {
    private static Window empty(long from, long to) {
      return new Window(from, to, 0, 0, 0, 0, 0);
    }

    /** Of two beside one another, or of the same one. */
    private Window and(Window other) {
      return new Window(
          Math.min(fromMicros, other.fromMicros),
          Math.max(toMicros, other.toMicros),
          operations + other.operations,
          failures + other.failures,
          bytes + other.bytes,
          latencyMicros + other.latencyMicros,
          Math.max(longestMicros, other.longestMicros));
    }

    /** To be read elsewhere by {@link #of}. */
    public List<Long> numbers() {
      return List.of(
          fromMicros, toMicros, operations, failures, bytes, latencyMicros, longestMicros);
    }

    /**
     * What {@link #numbers} wrote.
     *
     * @throws IllegalArgumentException when it is no window
     */
    public static Window of(List<Long> numbers) {
      if (numbers.size() != 7 || numbers.get(0) < 0 || numbers.get(1) <= numbers.get(0)) {
        throw new IllegalArgumentException("no window: " + numbers);
      }
      return new Window(
          numbers.get(0),
          numbers.get(1),
          numbers.get(2),
          numbers.get(3),
          numbers.get(4),
          numbers.get(5),
          numbers.get(6));
    }

    double seconds() {
      return (toMicros - fromMicros) / 1e6;
    }
  }

  private void add(long atMicros, Window what) {
    int index = index(atMicros);
    while (windows.size() <= index) {
      long from = windows.size() * widthMicros;
      windows.add(Window.empty(from, from + widthMicros));
    }
    Window there = windows.get(index);
    windows.set(
        index,
        there.and(
            new Window(
                there.fromMicros,
                there.toMicros,
                what.operations,
                what.failures,
                what.bytes,
                what.latencyMicros,
                what.longestMicros)));
  }

  /** Windows are joined by twos until there is one for that time. */
  private int index(long atMicros) {
    while (atMicros >= MOST * widthMicros) {
      widthMicros *= 2;
      List<Window> joined = new ArrayList<>();
      for (int i = 0; i < windows.size(); i += 2) {
        Window one = windows.get(i);
        long from = joined.size() * widthMicros;
        Window both = i + 1 < windows.size() ? one.and(windows.get(i + 1)) : one;
        joined.add(both.and(Window.empty(from, from + widthMicros)));
      }
      windows.clear();
      windows.addAll(joined);
    }
    return (int) (Math.max(0, atMicros) / widthMicros);
  }

  /** So many bytes moved; fewer than none when an attempt begins anew. */
  void moved(long atMicros, long bytes) {
    add(atMicros, new Window(0, 0, 0, 0, bytes, 0, 0));
  }

  /** An operation has ended. */
  void ended(long atMicros, boolean succeeded, long latencyMicros) {
    add(
        atMicros,
        succeeded
            ? new Window(0, 0, 1, 0, 0, latencyMicros, latencyMicros)
            : new Window(0, 0, 0, 1, 0, 0, 0));
  }

  /** What several phases that began together did, in windows of the longest one's length. */
  public static List<Window> together(List<List<Window>> courses) {
    Course all = new Course();
    long end = 0;
    for (List<Window> course : courses) {
      for (Window window : course) {
        all.index(window.fromMicros);
        end = Math.max(end, window.toMicros);
      }
    }
    courses.forEach(course -> course.forEach(window -> all.add(window.fromMicros, window)));
    return all.windows(end);
  }

  /** In their order; the last one ends with the phase. */
  List<Window> windows(long endMicros) {
    List<Window> all = new ArrayList<>(windows);
    if (!all.isEmpty()) {
      Window last = all.get(all.size() - 1);
      all.set(
          all.size() - 1,
          new Window(
              last.fromMicros,
              Math.max(last.fromMicros + 1, Math.min(last.toMicros, endMicros)),
              last.operations,
              last.failures,
              last.bytes,
              last.latencyMicros,
              last.longestMicros));
    }
    return all;
  }
}
