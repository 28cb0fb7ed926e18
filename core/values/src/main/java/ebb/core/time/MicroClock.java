package ebb.core.time;

/**
 * The only source of time for Ebb's code: microseconds on a monotonic time line with an arbitrary
 * origin. It never steps and never runs backwards. Protocol code does not hold a clock at all; it
 * is handed {@code nowMicros} by whoever drives it.
 */
@FunctionalInterface
public interface MicroClock {
  /** Microseconds since an arbitrary origin; never less than an earlier answer. */
  long nowMicros();

  /** The clock of this process: {@link System#nanoTime()} truncated to microseconds. */
  static MicroClock system() {
    return () -> System.nanoTime() / 1_000;
  }
}
