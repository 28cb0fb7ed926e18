package ebb.background.law;

/**
 * Round trips where the kernel measures none, for it has no time stamps: from the moment at which a
 * byte was allowed by the window until it arrived. It is exact where the window is what limits.
 * Elsewhere it is too long: then only one that is short tells something, unless there is nothing
 * else for a second, which errs on the side of others. Not thread-safe.
 */
public final class EdgeRoundTrip {
  /** A look each 5 ms over a long round trip; more than that and some are left out. */
  private static final int MOST = 128;

  /** A sender that left less than this part of its window, and a packet, has used it up. */
  private static final int USED_UP_PART = 8;

  private static final int PACKET_BYTES = 1_448;
  private static final int SEEN_PACKETS = 2;

  /**
   * A host that was late makes some samples too short; a handshake in a full queue makes all so.
   */
  private static final int BELIEVED = 16;

  private static final long PATIENCE_MICROS = 1_000_000;

  private final long[] times = new long[MOST];
  private final long[] edges = new long[MOST];
  private int first;
  private int size;
  private long lastEdge;
  private long lastBytes;
  private long lastFound;
  private long lastFoundAt;
  private long lastLook;
  private int shorter;

  /**
   * Something may have arrived, and the window may have moved.
   *
   * @param totalBytes arrived in order since the connection's beginning
   * @param windowBytes what may still come
   * @param leastMicros the least round trip that the kernel knows, such as the handshake's
   * @return the round trip in microseconds; 0 when nothing tells it
   */
  public long sample(long nowMicros, long totalBytes, long windowBytes, long leastMicros) {
    long found = 0;
    long arrived = totalBytes - lastBytes;
    // Who saw a packet come saw its acknowledgement go. Of more than that it may have gone since.
    boolean seen = arrived > 0 && arrived <= SEEN_PACKETS * PACKET_BYTES;
    long given = seen || lastLook == 0 ? nowMicros : lastLook;
    lastLook = nowMicros;
    if (arrived > 0) {
      lastBytes = totalBytes;
      while (size > 0 && edges[first] < totalBytes) {
        first = (first + 1) % MOST;
        size--;
      }
      found = size == 0 ? 0 : judged(nowMicros, totalBytes, windowBytes, leastMicros);
    }
    long edge = totalBytes + windowBytes;
    if (edge > lastEdge && size < MOST) {
      int next = (first + size) % MOST;
      times[next] = given;
      edges[next] = edge;
      size++;
      lastEdge = edge;
    }
    return found;
  }

  private long judged(long nowMicros, long totalBytes, long windowBytes, long leastMicros) {
    long longest = nowMicros - times[first];
    shorter = longest < leastMicros ? shorter + 1 : 0;
    if (shorter > 0 && shorter < BELIEVED) {
      longest = leastMicros;
    }
    boolean usedUp = totalBytes + windowBytes / USED_UP_PART + PACKET_BYTES >= edges[first];
    if (usedUp || longest <= lastFound || nowMicros - lastFoundAt > PATIENCE_MICROS) {
      lastFound = longest;
      lastFoundAt = nowMicros;
      return longest;
    }
    return 0;
  }
}
