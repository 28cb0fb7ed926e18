package ebb.files;

import java.util.ArrayDeque;

/** A rate over the last few seconds, from a growing total. Not thread-safe. */
final class RateMeter {
  private static final long SPAN_NANOS = 5_000_000_000L;
  private static final long STEP_NANOS = 150_000_000L;

  private record Point(long nanos, long bytes) {}

  private final ArrayDeque<Point> points = new ArrayDeque<>();

  /** Takes a total, several times a second, and gives bytes per second. */
  double update(long nowNanos, long totalBytes) {
    Point last = points.peekLast();
    if (last == null || nowNanos - last.nanos >= STEP_NANOS) {
      points.addLast(new Point(nowNanos, totalBytes));
    }
    while (points.size() > 1 && nowNanos - points.getFirst().nanos > SPAN_NANOS) {
      points.removeFirst();
    }
    Point first = points.getFirst();
    long nanos = nowNanos - first.nanos;
    return nanos <= 0 ? 0 : (totalBytes - first.bytes) * 1e9 / nanos;
  }
}
