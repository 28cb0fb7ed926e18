package ebb.ledbat.congestion;

/**
 * What cwnd was when the packets that are now acknowledged were sent: a queue that an
 * acknowledgement reports was made by that window, not by today's. Holds the last few round trips.
 *
 * <p>Not thread-safe.
 */
final class WindowHistory {
  private static final int ENTRIES = 64;
  private static final int ENTRIES_PER_RTT = 16;

  private final long[] atMicros = new long[ENTRIES];
  private final double[] cwndBytes = new double[ENTRIES];
  private int head;
  private int size;

  void note(double cwnd, long rttMicros, long nowMicros) {
    if (size > 0 && nowMicros - atMicros[index(1)] < rttMicros / ENTRIES_PER_RTT) {
      return;
    }
    atMicros[head] = nowMicros;
    cwndBytes[head] = cwnd;
    head = (head + 1) % ENTRIES;
    size = Math.min(size + 1, ENTRIES);
  }

  /** The window at that time, or the oldest known; {@code ifUnknown} when there is none. */
  double at(long micros, double ifUnknown) {
    double cwnd = ifUnknown;
    for (int back = 1; back <= size; back++) {
      cwnd = cwndBytes[index(back)];
      if (atMicros[index(back)] <= micros) {
        break;
      }
    }
    return cwnd;
  }

  void clear() {
    size = 0;
  }

  private int index(int back) {
    return (head + ENTRIES - back) % ENTRIES;
  }
}
