package ebb.ledbat.connection;

/**
 * Which packets a receiver takes for lost: those that did not come before three of their
 * successors. It counts packets; what follows from a loss is a controller's business. Positions are
 * unwrapped sequence numbers.
 *
 * <p>Not thread-safe.
 */
final class GapJudge {
  /** As senders count. */
  private static final int LATER_PACKETS = 3;

  /**
   * An Ebb leaves out a packet now and then to see whether gaps are reported ({@link Withholding}),
   * the next at about twice the distance. So often, one that is missed by itself is none.
   */
  private static final int FIRST_EXCUSE_PACKETS = 4;

  private static final int MAX_EXCUSE_PACKETS = 1 << 16;

  private long judgedEnd;
  private long excusedAt;
  private int excuseDistance = FIRST_EXCUSE_PACKETS;

  /**
   * A packet came that is not the next.
   *
   * @param next the first one that is missed
   * @return how many packets are found lost by it
   */
  int onAhead(long next, long position, ReorderBuffer reorder) {
    long end = position - LATER_PACKETS + 1;
    long from = Math.max(judgedEnd, next);
    if (from >= end) {
      return 0;
    }
    int lost = 0;
    for (long missed = from; missed < end; missed++) {
      lost += reorder.contains(missed) ? 0 : 1;
    }
    judgedEnd = end;
    if (lost == 1 && position - excusedAt >= excuseDistance) {
      excusedAt = position;
      excuseDistance = Math.min(2 * excuseDistance, MAX_EXCUSE_PACKETS);
      return 0;
    }
    return lost;
  }
}
