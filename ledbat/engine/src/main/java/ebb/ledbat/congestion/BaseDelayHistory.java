package ebb.ledbat.congestion;

import java.util.Arrays;

/**
 * BASE_HISTORY of RFC 6817: the smallest one-way delay of each of the last minutes. Owns the minima
 * and nothing else; it neither filters samples nor knows TARGET.
 *
 * <p>Delays are unwrapped microseconds of any sign, times are microseconds of a monotonic clock of
 * any origin. Not thread-safe.
 */
final class BaseDelayHistory {
  /** What {@link #minimumMicros} answers while no sample is in the history. */
  static final long NONE = Long.MAX_VALUE;

  private static final long MINUTE_MICROS = 60_000_000;

  /**
   * The minimum of minute m is at m modulo the length; {@link #NONE} where there was none.
   *
   * <p>RFC 6817, 2.4.2: "a LEDBAT sender stores BASE_HISTORY separate minima -- one each for the
   * last BASE_HISTORY-1 minutes, and one for the running current minute."
   */
  private final long[] minimaMicros;

  private boolean started;
  private long newestMinute;
  private long minimumMicros = NONE;

  BaseDelayHistory(int minutes) {
    minimaMicros = new long[minutes];
    // R5. RFC 6817, 2.4.2: "initialize elements in base_delays to +INFINITY"
    Arrays.fill(minimaMicros, NONE);
  }

  /** Takes one sample into the running minute. */
  void onSample(long delayMicros, long nowMicros) {
    advance(nowMicros);
    // R5. RFC 6817, 2.4.2: "base_delays.tail = MIN(base_delays.tail, delay)"
    int tail = slot(newestMinute);
    minimaMicros[tail] = Math.min(minimaMicros[tail], delayMicros);
    // R5. RFC 6817, 2.5: "If the actual base delay decreases, due to a route change, for instance,
    // a LEDBAT sender adapts immediately".
    // R13. RFC 6817, A.2: "the drift should also lead to a lower base delay measurement, which
    // consequently absorbs the erroneous reduction in the one-way delay estimates."
    minimumMicros = Math.min(minimumMicros, delayMicros);
  }

  /** Lets minutes pass without a sample; old minima leave. */
  void advance(long nowMicros) {
    long minute = Math.floorDiv(nowMicros, MINUTE_MICROS);
    if (!started) {
      started = true;
      newestMinute = minute;
      return;
    }
    // R5. RFC 6817, 2.4.2: "if round_to_minute(now) != round_to_minute(last_rollover)": at the
    // minute, that is, not on every sample and not 60 s after the last roll.
    long passed = minute - newestMinute;
    if (passed <= 0) {
      return;
    }
    // R5. RFC 6817, 2.4.2: "delete first item in base_delays list; append delay to base_delays"
    // R11. RFC 6817, 2.4.2: "If the connection is idle for a given minute, no data is available
    // for the one-way delay and, therefore, a value of +INFINITY has to be stored in the list."
    // R13. RFC 6817, A.2: "any error accumulation is limited to the amount of history maintained by
    // the base delay estimator, as dictated by the BASE_HISTORY parameter."
    long dropped = Math.min(passed, minimaMicros.length);
    for (long m = minute - dropped + 1; m <= minute; m++) {
      minimaMicros[slot(m)] = NONE;
    }
    newestMinute = minute;
    minimumMicros = NONE;
    for (long micros : minimaMicros) {
      minimumMicros = Math.min(minimumMicros, micros);
    }
  }

  /** MIN(base_delays), {@link #NONE} when no sample is left. */
  long minimumMicros() {
    return minimumMicros;
  }

  /** Takes the minima of the minutes, the oldest first, each at the beginning of its minute. */
  @FunctionalInterface
  interface Visitor {
    void visit(long delayMicros, long minuteMicros);
  }

  void forEach(Visitor visitor) {
    for (long m = newestMinute - minimaMicros.length + 1; m <= newestMinute; m++) {
      long micros = minimaMicros[slot(m)];
      if (micros != NONE) {
        visitor.visit(micros, m * MINUTE_MICROS);
      }
    }
  }

  boolean isEmpty() {
    return minimumMicros == NONE;
  }

  private int slot(long minute) {
    return (int) Math.floorMod(minute, (long) minimaMicros.length);
  }
}
