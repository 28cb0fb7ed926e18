package ebb.net.tcp;

/**
 * How many bytes have come at a receiver of the kernel's TCP, also those that wait behind a hole:
 * in order they would all count in the moment when the hole is filled, which looks like more than
 * the path carries. The kernel counts segments that came out of order, and not how many still wait;
 * that is followed here from one look to the next. A segment counts as a whole one, or as large as
 * those were on average that came in order, where these were smaller, as over loopback. What a
 * kernel without room throws away of it and gets anew counts twice. Sans-IO; one thread.
 */
final class BehindHoles {
  private static final long COUNTER = 0xFFFF_FFFFL;

  /**
   * So many come in order, and none behind a hole, only where there is no hole: fewer may be those
   * that fill a wide one.
   */
  private static final int ORDERLY_SEGMENTS = 1_000;

  /**
   * Fewer that came in order may be small by chance: the first and the last of what was written.
   */
  private static final int KNOWN_SEGMENTS = 64;

  private long lastInOrder;
  private long lastSegments;
  private long lastOutOfOrder;
  private long waiting;
  private long orderly;
  private long words;
  private long plainBytes;
  private long plainSegments;

  /** What has come so far is none of the flow's: words that came before it. */
  void begin(long inOrder, long segments, long outOfOrder) {
    words = inOrder;
    lastInOrder = inOrder;
    lastSegments = segments;
    lastOutOfOrder = outOfOrder;
  }

  /**
   * A look at the kernel's counts.
   *
   * @param inOrder bytes received in order
   * @param segments received, of 32 bits
   * @param outOfOrder of these those that came out of order, of 32 bits
   * @param wholeBytes of a whole segment
   * @return all bytes received since it began, as far as is known
   */
  long arrived(long inOrder, long segments, long outOfOrder, long wholeBytes) {
    long came = segments - lastSegments & COUNTER;
    long astray = outOfOrder - lastOutOfOrder & COUNTER;
    long grown = inOrder - lastInOrder;
    if (astray == 0 && waiting == 0) {
      plainBytes += grown;
      plainSegments += came;
    }
    long segmentBytes = segmentBytes(wholeBytes);
    long released = Math.max(0, grown - (came - astray) * segmentBytes);
    waiting = Math.max(0, waiting + astray * segmentBytes - released);
    orderly = astray == 0 && released == 0 ? orderly + grown : 0;
    if (orderly > ORDERLY_SEGMENTS * segmentBytes) {
      waiting = 0; // What did not have the size that was thought.
    }
    lastInOrder = inOrder;
    lastSegments = segments;
    lastOutOfOrder = outOfOrder;
    return inOrder - words + waiting;
  }

  private long segmentBytes(long wholeBytes) {
    return plainSegments < KNOWN_SEGMENTS
        ? wholeBytes
        : Math.min(wholeBytes, (plainBytes + plainSegments - 1) / plainSegments);
  }
}
