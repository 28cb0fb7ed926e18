package ebb.net.tcp;

/**
 * How many bytes have come at a receiver of the kernel's TCP, also those that wait behind a hole:
 * in order they would all count in the moment when the hole is filled, which looks like more than
 * the path carries. The kernel counts segments that came out of order, and not how many still wait;
 * that is followed here from one look to the next, as far as segments are whole ones. Sans-IO; one
 * thread.
 */
final class BehindHoles {
  private static final long COUNTER = 0xFFFF_FFFFL;

  private long lastInOrder;
  private long lastSegments;
  private long lastOutOfOrder;
  private long waiting;

  /**
   * A look at the kernel's counts.
   *
   * @param inOrder bytes received in order
   * @param segments received, of 32 bits
   * @param outOfOrder of these those that came out of order, of 32 bits
   * @param segmentBytes of a whole one
   * @return all bytes received, as far as is known
   */
  long arrived(long inOrder, long segments, long outOfOrder, long segmentBytes) {
    long came = segments - lastSegments & COUNTER;
    long astray = outOfOrder - lastOutOfOrder & COUNTER;
    long released = Math.max(0, inOrder - lastInOrder - (came - astray) * segmentBytes);
    waiting = Math.max(0, waiting + astray * segmentBytes - released);
    if (came > 0 && astray == 0 && released == 0) {
      waiting = 0; // Behind a hole nothing comes in order.
    }
    lastInOrder = inOrder;
    lastSegments = segments;
    lastOutOfOrder = outOfOrder;
    return inOrder + waiting;
  }
}
