package ebb.core.attempts;

import ebb.core.rand.UnpredictableRandom;
import ebb.core.time.SleepClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request under way: its stop-watch, its attempts and the waits between them. It owns neither
 * what is sent nor what a failure means. Used by one thread.
 */
public class Attempts {
  private static final int MAX_TROUBLES = 8;
  private static final int MAX_CAUSES = 32;
  private static final int MAX_CAUSE = 60;
  private static final String OTHER = "other";
  private static final Pattern STATUS = Pattern.compile("HTTP \\d{3}|gRPC [A-Z_]+");

  /** What differs from one failure of a kind to the next. */
  private static final Pattern PARTICULAR = Pattern.compile("\\([^)]*\\)|\\b[0-9a-f]{8}\\b|\\d+");

  private final SleepClock clock;
  private final BooleanSupplier cancelled;
  private final long startMicros;
  private final List<String> troubles = new ArrayList<>();
  private final Map<String, Integer> causes = new TreeMap<>();
  private @Nullable RandomGenerator random;
  private long haltedMicros;
  private long haltedSinceMicros = -1;
  private int requests;
  private int retries;
  private long backoffMicros;

  /** One attempt of a request. */
  @FunctionalInterface
  public interface Attempt<T> {
    /**
     * Tries it once.
     *
     * @param number of this attempt, from 1
     */
    T run(int number) throws RequestFailedException;
  }

  /**
   * A request that begins now.
   *
   * @param cancelled asked often; true ends it
   */
  public Attempts(SleepClock clock, BooleanSupplier cancelled) {
    this.clock = clock;
    this.cancelled = cancelled;
    startMicros = clock.nowMicros();
  }

  /**
   * Tries until it works, the failure is one that stays, the policy has no more attempts, or it is
   * cancelled.
   *
   * @throws RequestFailedException the last attempt's; CANCELLED when it was given up in between
   */
  public <T> T retry(RetryPolicy policy, Attempt<T> attempt) throws RequestFailedException {
    for (int number = 1; ; number++) {
      checkCancelled();
      try {
        return attempt.run(number);
      } catch (RequestFailedException e) {
        if (!e.isRetryable() || number >= policy.maxAttempts()) {
          throw e;
        }
        if (random == null) {
          random = new UnpredictableRandom();
        }
        Duration wait = policy.backoff(number, random);
        backOff(e.retryAfter().compareTo(wait) > 0 ? e.retryAfter() : wait, e.line());
      }
    }
  }

  private void backOff(Duration time, String trouble) throws RequestFailedException {
    countRetry(trouble);
    onBackOff(time, trouble);
    long from = clock.nowMicros();
    try {
      sleep(time);
    } finally {
      backoffMicros += clock.nowMicros() - from;
    }
  }

  /** Called before each wait between two attempts. */
  protected void onBackOff(Duration time, String trouble) {}

  /** Sleeps, unless it is cancelled. */
  public final void sleep(Duration time) throws RequestFailedException {
    checkCancelled();
    try {
      clock.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RequestFailedException(FailureKind.CANCELLED, "interrupted", e);
    }
    checkCancelled();
  }

  /** Ends the request with CANCELLED if its caller has given it up. */
  public final void checkCancelled() throws RequestFailedException {
    if (cancelled.getAsBoolean()) {
      throw new RequestFailedException(FailureKind.CANCELLED, "cancelled");
    }
  }

  /** Halts the stop-watch: what follows is the caller's time. */
  public final void halt() {
    if (haltedSinceMicros < 0) {
      haltedSinceMicros = clock.nowMicros();
    }
  }

  public final void resume() {
    if (haltedSinceMicros >= 0) {
      haltedMicros += clock.nowMicros() - haltedSinceMicros;
      haltedSinceMicros = -1;
    }
  }

  public final long nowMicros() {
    return clock.nowMicros();
  }

  /** Since it began, without the time that it was halted. */
  public final long elapsedMicros() {
    long now = haltedSinceMicros >= 0 ? haltedSinceMicros : clock.nowMicros();
    return now - startMicros - haltedMicros;
  }

  /** A request goes out to the service. */
  public final void countRequest() {
    requests++;
  }

  /** Something failed that is tried again; what failed for good is not counted here. */
  public final void countRetry(String trouble) {
    retries++;
    String cause = cause(trouble);
    boolean room = causes.size() < MAX_CAUSES || causes.containsKey(cause);
    causes.merge(room ? cause : OTHER, 1, Integer::sum);
    if (troubles.size() < MAX_TROUBLES) {
      troubles.add(trouble);
    }
  }

  /** For waits that somebody else makes between attempts. */
  public final void countBackoff(long micros) {
    backoffMicros += micros;
  }

  /** Why something was tried again, and how often; all of it, unlike an outcome's troubles. */
  public final Map<String, Integer> causes() {
    return Map.copyOf(causes);
  }

  /** What a trouble has in common with others of its kind, such as {@code HTTP 503}. */
  public static String cause(String trouble) {
    Matcher status = STATUS.matcher(trouble);
    if (status.find()) {
      return status.group();
    }
    String words = trouble.substring(trouble.lastIndexOf(": ") + 1).strip();
    words = PARTICULAR.matcher(words).replaceAll("").replaceAll("\\s+", " ").strip();
    words = words.substring(0, Math.min(MAX_CAUSE, words.length()));
    return words.isEmpty() ? OTHER : words;
  }

  public final long backoffMicros() {
    return backoffMicros;
  }

  public final int requests() {
    return requests;
  }

  public final int retries() {
    return retries;
  }

  /** How it ended; {@code failure} is null for a success. */
  public final Outcome outcome(@Nullable RequestFailedException failure) {
    return new Outcome(
        startMicros,
        elapsedMicros(),
        requests,
        retries,
        backoffMicros,
        troubles,
        failure == null ? null : failure.kind(),
        failure == null ? "" : failure.line());
  }
}
