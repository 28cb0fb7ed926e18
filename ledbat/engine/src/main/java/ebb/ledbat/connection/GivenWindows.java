package ebb.ledbat.connection;

/**
 * Which windows a receiver has given lately, and what had arrived by then: a packet that comes now
 * was sent under the window that was given a round trip ago. Holds the last few round trips. An
 * edge is a number of payload bytes since the connection began; what lies before it may be sent.
 *
 * <p>Not thread-safe.
 */
final class GivenWindows {
  private static final int ENTRIES = 128;
  private static final int ENTRIES_PER_RTT = 32;

  private final long[] atMicros = new long[ENTRIES];
  private final long[] edges = new long[ENTRIES];
  private final long[] arrived = new long[ENTRIES];
  private final long[] windows = new long[ENTRIES];
  private int head;
  private int size;

  /**
   * Notes what a packet that goes out says.
   *
   * @param edge what is given, which never becomes less
   * @param arrivedBytes by now
   * @param windowBytes what the controller would have in flight
   */
  void note(long edge, long arrivedBytes, long windowBytes, long rttMicros, long nowMicros) {
    if (size > 0 && nowMicros - atMicros[index(1)] < rttMicros / ENTRIES_PER_RTT) {
      return;
    }
    atMicros[head] = nowMicros;
    edges[head] = edge;
    arrived[head] = arrivedBytes;
    windows[head] = windowBytes;
    head = (head + 1) % ENTRIES;
    size = Math.min(size + 1, ENTRIES);
  }

  /** How long the sender may have known that it may send what ends at {@code position}. */
  long longestRttMicros(long position, long nowMicros) {
    for (int back = 1; back <= size; back++) {
      if (edges[index(back)] < position) {
        return nowMicros - atMicros[index(back)];
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * The entry of that time, or the oldest; to be given to the three below. Less than 0 for none.
   */
  int at(long micros) {
    int found = -1;
    for (int back = 1; back <= size; back++) {
      found = index(back);
      if (atMicros[found] <= micros) {
        break;
      }
    }
    return found;
  }

  long edge(int entry) {
    return edges[entry];
  }

  long arrivedBytes(int entry) {
    return arrived[entry];
  }

  long windowBytes(int entry) {
    return windows[entry];
  }

  private int index(int back) {
    return (head + ENTRIES - back) % ENTRIES;
  }
}
