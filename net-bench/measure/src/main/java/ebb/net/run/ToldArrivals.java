package ebb.net.run;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What the server has told to have received of streams, and when: between two reports it came
 * evenly, so that no part of an interval looks faster than the path was. Each report carries its
 * own time, on the server's clock. Sans-IO; one thread.
 */
final class ToldArrivals {
  private record Told(long serverMicros, long bytes) {}

  private final Deque<Told> reports = new ArrayDeque<>();
  private boolean complete;

  /** Nothing has come at this time; what was told before counts no more. */
  void begin(long serverMicros) {
    reports.clear();
    reports.add(new Told(serverMicros, 0));
  }

  /**
   * A report.
   *
   * @param last whether there will be no other
   */
  void add(long serverMicros, long bytes, boolean last) {
    complete |= last;
    Told before = reports.peekLast();
    if (before == null) {
      reports.add(new Told(serverMicros, bytes));
    } else if (serverMicros > before.serverMicros) {
      reports.add(new Told(serverMicros, Math.max(bytes, before.bytes)));
    } else if (bytes > before.bytes) {
      reports.removeLast();
      reports.add(new Told(before.serverMicros, bytes));
    }
  }

  /** Whether it is known what had come by then. */
  boolean knows(long serverMicros) {
    Told latest = reports.peekLast();
    return complete || (latest != null && latest.serverMicros >= serverMicros);
  }

  /** When the latest report was made. */
  long latestMicros() {
    Told latest = reports.peekLast();
    return latest == null ? Long.MIN_VALUE : latest.serverMicros;
  }

  /** What had come by then; times are asked for in their order. */
  long at(long serverMicros) {
    Told before = null;
    Told after = reports.peekFirst();
    while (after != null && after.serverMicros <= serverMicros && reports.size() > 1) {
      before = reports.removeFirst();
      after = reports.peekFirst();
    }
    if (after == null) {
      return 0;
    }
    if (before == null || after.serverMicros <= serverMicros) {
      return after.serverMicros <= serverMicros ? after.bytes : 0;
    }
    reports.addFirst(before);
    double part =
        (double) (serverMicros - before.serverMicros) / (after.serverMicros - before.serverMicros);
    return before.bytes + Math.round(part * (after.bytes - before.bytes));
  }
}
