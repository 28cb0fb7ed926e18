package ebb.vm.provider;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often a request to a service is tried, and how long to wait in between: twice as long each
 * time, less up to a half at random, so that twenty clients do not come back together.
 *
 * @param maxAttempts 1 for no second try
 */
public record RetryPolicy(int maxAttempts, Duration first, Duration longest) {
  public RetryPolicy {
    if (maxAttempts < 1 || first.isNegative() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException("no policy: " + maxAttempts + ", " + first);
    }
  }

  /** Seven attempts: half a second at first, a minute in all. */
  public static RetryPolicy standard() {
    return new RetryPolicy(7, Duration.ofMillis(500), Duration.ofSeconds(32));
  }

  public static RetryPolicy off() {
    return new RetryPolicy(1, Duration.ZERO, Duration.ZERO);
  }

  /** How long to wait after the attempt of that number, from 1. */
  public Duration backoff(int attempt, RandomGenerator random) {
    long millis = Math.min(longest.toMillis(), first.toMillis() << Math.min(16, attempt - 1));
    return Duration.ofMillis(millis - (long) (millis / 2.0 * random.nextDouble()));
  }
}
