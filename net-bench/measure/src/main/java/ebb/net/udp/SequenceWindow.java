package ebb.net.udp;

/**
 * Which of a flow's numbered messages have come: losses, duplicates, reordering. It remembers the
 * latest 65,536 numbers; a message older than that can no longer be told from a duplicate and is
 * taken for one. Not thread-safe.
 */
final class SequenceWindow {
  private static final int WINDOW = 1 << 16;

  /** What a message is. */
  enum Arrival {
    NEXT,
    LATE,
    DUPLICATE
  }

  private final long[] seen = new long[WINDOW / Long.SIZE];
  private long next;
  private long unique;

  /** A message came. */
  Arrival onNumber(long number) {
    if (number >= next) {
      forget(number);
      next = number + 1;
      set(number);
      unique++;
      return Arrival.NEXT;
    }
    if (number < next - WINDOW || isSet(number)) {
      return Arrival.DUPLICATE;
    }
    set(number);
    unique++;
    return Arrival.LATE;
  }

  /** Makes room for {@code number} and what lies before it. */
  private void forget(long number) {
    if (number - next >= WINDOW) {
      java.util.Arrays.fill(seen, 0);
      return;
    }
    for (long n = next; n <= number; n++) {
      seen[index(n)] &= ~bit(n);
    }
  }

  private static int index(long number) {
    return (int) (number & (WINDOW - 1)) >>> 6;
  }

  private static long bit(long number) {
    return 1L << (number & 63);
  }

  private boolean isSet(long number) {
    return (seen[index(number)] & bit(number)) != 0;
  }

  private void set(long number) {
    seen[index(number)] |= bit(number);
  }

  /** Numbers below the highest that have not come. */
  long missing() {
    return next - unique;
  }

  /** One more than the highest number that has come. */
  long next() {
    return next;
  }
}
