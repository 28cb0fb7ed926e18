package ebb.core.attempts;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often a request is tried, and how long to wait in between: twice as long each time, less up
 * to a half at random, so that twenty clients do not come back together.
 *
 * @param maxAttempts 1 for no second try
 * @param first the wait before the second attempt
 * @param longest no wait is longer
 */
public record RetryPolicy(int maxAttempts, Duration first, Duration longest) {
  private static final Duration USUAL_FIRST = Duration.ofMillis(500);
  private static final Duration USUAL_LONGEST = Duration.ofSeconds(32);

  public RetryPolicy {
    if (maxAttempts < 1 || first.isNegative() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException("no policy: " + maxAttempts + ", " + first);
    }
  }

  /** So many attempts, half a second apart at first and half a minute at most. */
  public static RetryPolicy of(int maxAttempts) {
    return new RetryPolicy(maxAttempts, USUAL_FIRST, USUAL_LONGEST);
  }

  /** One attempt. */
  public static RetryPolicy off() {
    return new RetryPolicy(1, Duration.ZERO, Duration.ZERO);
  }

  /** How long to wait after the attempt of that number, from 1. */
  Duration backoff(int attempt, RandomGenerator random) {
    long millis = Math.min(longest.toMillis(), first.toMillis() << Math.min(16, attempt - 1));
    return Duration.ofMillis(millis - (long) (millis / 2.0 * random.nextDouble()));
  }
}
