package ebb.ledbat.connection;

/**
 * Which packets a receiver takes for lost: those that had not come when the third after them did.
 * On a path that reorders it waits for more of them. It counts packets; what follows from a loss is
 * a controller's business. Positions are unwrapped sequence numbers.
 *
 * <p>Not thread-safe.
 */
final class GapJudge {
  /** As senders count. */
  private static final int LATER_PACKETS = 3;

  /** Paths do not reorder farther than this. */
  private static final int MAX_LATER_PACKETS = 256;

  /**
   * An Ebb leaves out a packet now and then to see whether gaps are reported ({@link Withholding}),
   * the next at about twice the distance. So often, one that is missed by itself is none.
   */
  private static final int FIRST_EXCUSE_PACKETS = 4;

  private static final int MAX_EXCUSE_PACKETS = 1 << 16;

  /** So many of the latest that were found lost are remembered. */
  private static final int REMEMBERED = 64;

  private final long[] lostAt = new long[REMEMBERED];
  private final long[] lostMicros = new long[REMEMBERED];
  private int nextLost;
  private long judgedEnd;
  private long highest;
  private int laterPackets = LATER_PACKETS;
  private long excusedAt;
  private int excuseDistance = FIRST_EXCUSE_PACKETS;

  /**
   * A packet came that is not the next.
   *
   * @param next the first one that is missed
   * @return how many packets are found lost by it
   */
  int onAhead(long next, long position, ReorderBuffer reorder, long nowMicros) {
    highest = Math.max(highest, position);
    long end = position - laterPackets + 1;
    long from = Math.max(judgedEnd, next);
    if (from >= end) {
      return 0;
    }
    int lost = 0;
    for (long missed = from; missed < end; missed++) {
      if (!reorder.contains(missed)) {
        lost++;
        lostAt[nextLost] = missed;
        lostMicros[nextLost] = nowMicros;
        nextLost = (nextLost + 1) % REMEMBERED;
      }
    }
    judgedEnd = end;
    if (lost == 1 && position - excusedAt >= excuseDistance) {
      excusedAt = position;
      excuseDistance = Math.min(2 * excuseDistance, MAX_EXCUSE_PACKETS);
      return 0;
    }
    return lost;
  }

  /**
   * A packet came that was missed. Sooner than the sender can have heard of the gap, it is the
   * packet itself, and not another copy of it: the path reorders, at least so far.
   *
   * @param minRttMicros 0 while unknown
   */
  void onMissed(long position, long minRttMicros, long nowMicros) {
    for (int i = 0; position < judgedEnd && i < REMEMBERED; i++) {
      if (lostAt[i] == position && nowMicros - lostMicros[i] < minRttMicros / 2) {
        long late = Math.min(highest - position + 1, MAX_LATER_PACKETS);
        laterPackets = (int) Math.max(laterPackets, late);
      }
    }
  }
}
