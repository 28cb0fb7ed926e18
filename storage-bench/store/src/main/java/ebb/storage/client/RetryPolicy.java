package ebb.storage.client;

/**
 * How often a whole operation is tried, and how long to wait in between: twice as long each time.
 * What a store resumes inside one operation is its own affair.
 *
 * @param maxAttempts 1 for no second try
 * @param firstBackoffMillis before the second attempt
 */
public record RetryPolicy(int maxAttempts, long firstBackoffMillis) {
  private static final long MAX_BACKOFF_MILLIS = 32_000;

  public RetryPolicy {
    if (maxAttempts < 1 || firstBackoffMillis < 0) {
      throw new IllegalArgumentException("no policy: " + maxAttempts + ", " + firstBackoffMillis);
    }
  }

  /** Three attempts, half a second apart at first. */
  public static RetryPolicy standard() {
    return new RetryPolicy(3, 500);
  }

  public static RetryPolicy off() {
    return new RetryPolicy(1, 0);
  }

  /** How long to wait after the attempt of that number, from 1. */
  long backoffMillis(int attempt) {
    return Math.min(MAX_BACKOFF_MILLIS, firstBackoffMillis << Math.min(16, attempt - 1));
  }
}
