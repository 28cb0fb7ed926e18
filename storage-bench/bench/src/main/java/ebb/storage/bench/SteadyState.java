package ebb.storage.bench;

import java.util.Arrays;

/**
 * Finds when a rate no longer changes beyond its own scatter, while it is measured. The rule is von
 * Neumann's test of randomness (1941), as Skart uses it for the end of a warm-up: of the counts of
 * equal windows so far the later half is looked at; where windows differ from the next one about as
 * much as from any other there is no trend, step or swing in them. It owns no clock: times are
 * since the begin of the phase. Not thread-safe.
 */
final class SteadyState {
  /** In a bound. */
  static final int WINDOWS = 80;

  /** Ended operations in what is kept, or nothing is said. */
  static final int FEWEST_OPERATIONS = 20;

  /** Windows, half of which are looked at. */
  private static final int FEWEST = 20;

  /** Of random series this passes all but one of twenty. */
  private static final double DEVIATIONS = 1.645;

  /** A standard deviation below this share of the mean is steady, however it changes. */
  private static final double TOLERANCE = 0.02;

  private final long windowMicros;
  private final long[] counts = new long[WINDOWS];
  private int complete;
  private long endMicros = Long.MAX_VALUE;
  private Discarded.Why why = Discarded.Why.STEADY;

  /**
   * Nothing is known yet.
   *
   * @param boundMicros after which the search is over, whatever the rate does
   */
  SteadyState(long boundMicros) {
    windowMicros = Math.max(1, boundMicros / WINDOWS);
  }

  /** An operation has ended. */
  void ended(long atMicros) {
    if (!isOver(atMicros)) {
      counts[(int) (Math.max(0, atMicros) / windowMicros)]++;
    }
  }

  /** No more can be spent on it. */
  void giveUp(long atMicros) {
    if (!isOver(atMicros)) {
      over(atMicros, Discarded.Why.OUT_OF_OPERATIONS);
    }
  }

  /** Whether it was found, or is not looked for any more. */
  boolean isOver(long atMicros) {
    while (endMicros == Long.MAX_VALUE && atMicros / windowMicros > complete) {
      complete++;
      if (isSteady(counts, complete)) {
        over(complete * windowMicros, Discarded.Why.STEADY);
      } else if (complete == WINDOWS) {
        over(complete * windowMicros, Discarded.Why.NOT_STEADY);
      }
    }
    return endMicros < Long.MAX_VALUE;
  }

  private void over(long atMicros, Discarded.Why reason) {
    endMicros = atMicros;
    why = reason;
  }

  /** When the measured part begins; {@link Long#MAX_VALUE} while that is not known. */
  long endMicros() {
    return endMicros;
  }

  /** Why it ended there. */
  Discarded.Why why() {
    return why;
  }

  private static boolean isSteady(long[] counts, int windows) {
    return windows >= FEWEST
        && isSteady(Arrays.copyOfRange(counts, windows - windows / 2, windows));
  }

  /** Whether there is no more than scatter in them. */
  static boolean isSteady(long[] counts) {
    int n = counts.length;
    long sum = Arrays.stream(counts).sum();
    double mean = (double) sum / n;
    double squares = 0;
    double steps = 0;
    for (int i = 0; i < n; i++) {
      squares += (counts[i] - mean) * (counts[i] - mean);
      if (i > 0) {
        double step = counts[i] - counts[i - 1];
        steps += step * step;
      }
    }
    if (sum < FEWEST_OPERATIONS) {
      return false;
    }
    if (Math.sqrt(squares / (n - 1)) <= TOLERANCE * mean) {
      return true;
    }
    // 2 is expected of random numbers, with a variance of 4 (n - 2) / (n^2 - 1).
    double ratio = steps / squares;
    return ratio >= 2 - DEVIATIONS * Math.sqrt(4.0 * (n - 2) / ((double) n * n - 1));
  }
}
