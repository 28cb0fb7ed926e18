package ebb.ledbat.congestion;

/**
 * The least value of a short time just past, between half of it and all of it. A host that wakes
 * late delays all packets of a burst, and a few samples then hold nothing else; a queue delays
 * every packet, and stays in the least of them.
 *
 * <p>Not thread-safe.
 */
final class RecentMinimum {
  private static final long NONE = Long.MAX_VALUE;

  private long current = NONE;
  private long previous = NONE;
  private long sinceMicros = Long.MIN_VALUE;

  /** Takes a value and gives the least of the last {@code spanMicros}, this one included. */
  long add(long value, long spanMicros, long nowMicros) {
    long ageMicros = sinceMicros == Long.MIN_VALUE ? 0 : nowMicros - sinceMicros;
    if (sinceMicros == Long.MIN_VALUE || ageMicros >= spanMicros / 2) {
      previous = ageMicros >= spanMicros ? NONE : current;
      current = NONE;
      sinceMicros = nowMicros;
    }
    current = Math.min(current, value);
    return Math.min(current, previous);
  }
}
