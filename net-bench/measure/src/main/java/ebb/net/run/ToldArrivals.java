package ebb.net.run;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What the server has told to have received of streams, and when: between two reports it came
 * evenly, so that no part of an interval looks faster than the path was. Each report carries its
 * own time, on the server's clock. {@link #begin} comes first. Sans-IO; one thread.
 */
final class ToldArrivals {
  private record Told(long serverMicros, long bytes) {}

  private final Deque<Told> reports = new ArrayDeque<>();
  private boolean complete;
  private long grewAfterMicros;
  private long grewMicros;

  /** Nothing has come at this time; what was told before counts no more. */
  void begin(long serverMicros) {
    reports.clear();
    reports.add(new Told(serverMicros, 0));
    grewAfterMicros = serverMicros;
    grewMicros = serverMicros;
  }

  /**
   * A report.
   *
   * @param last whether there will be no other
   */
  void add(long serverMicros, long bytes, boolean last) {
    complete |= last;
    Told before = reports.getLast();
    if (bytes > before.bytes) {
      grewAfterMicros = before.serverMicros;
      grewMicros = Math.max(serverMicros, before.serverMicros);
    } else if (last && serverMicros > grewAfterMicros) {
      grewMicros = Math.min(serverMicros, grewMicros);
    }
    if (serverMicros > before.serverMicros) {
      reports.add(new Told(serverMicros, Math.max(bytes, before.bytes)));
    } else if (bytes > before.bytes) {
      reports.removeLast();
      reports.add(new Told(before.serverMicros, bytes));
    }
  }

  /** Whether it is known what had come by then. */
  boolean knows(long serverMicros) {
    return complete || reports.getLast().serverMicros >= serverMicros;
  }

  /** When something last came, as far as reports tell; the last words tell it exactly. */
  long lastMicros() {
    return grewMicros;
  }

  /** What had come by then; times are asked for in their order. */
  long at(long serverMicros) {
    Told before = null;
    while (reports.size() > 1 && reports.getFirst().serverMicros <= serverMicros) {
      before = reports.removeFirst();
    }
    Told after = reports.getFirst();
    if (after.serverMicros <= serverMicros) {
      return after.bytes;
    }
    if (before == null) {
      return 0;
    }
    reports.addFirst(before);
    double part =
        (double) (serverMicros - before.serverMicros) / (after.serverMicros - before.serverMicros);
    return before.bytes + Math.round(part * (after.bytes - before.bytes));
  }
}
