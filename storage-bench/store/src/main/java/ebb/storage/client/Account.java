package ebb.storage.client;

import ebb.core.attempts.Attempts;
import ebb.core.attempts.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that a store was asked for, by kind of operation, whatever it was for: measured, prepared,
 * looked up or removed. Thread-safe.
 */
public final class Account {
  private final Map<String, Sum> sums = new TreeMap<>();

  /**
   * One kind of operation.
   *
   * @param operation such as {@code put}
   * @param operations that ended, well or not
   * @param requests that went out
   * @param retries of those, ones that answer a failure
   * @param failures operations that failed for good
   * @param cancelled operations that were given up by whoever had asked for them
   * @param backoffMicros waited between attempts
   * @param bytes of content that operations moved which ended well
   * @param causes why something was tried again or failed for good, and how often
   */
  public record Line(
      String operation,
      long operations,
      long requests,
      long retries,
      long failures,
      long cancelled,
      long backoffMicros,
      long bytes,
      Map<String, Long> causes) {
    /** How often something went wrong, and why, such as {@code 3 x HTTP 503}; "" for never. */
    public String troubles() {
      List<String> words = new ArrayList<>();
      causes.forEach((cause, times) -> words.add(times + " x " + cause));
      return String.join(", ", words);
    }
  }

  private static final class Sum {
    long operations;
    long requests;
    long retries;
    long failures;
    long cancelled;
    long backoffMicros;
    long bytes;
    final Map<String, Long> causes = new TreeMap<>();
  }

  /**
   * Counts an operation that has ended.
   *
   * @param bytes of content, if it ended well
   * @param failure null for a success
   */
  synchronized void add(
      String operation, Attempts call, long bytes, @Nullable FailureKind failure, String message) {
    Sum sum = sums.computeIfAbsent(operation, none -> new Sum());
    sum.operations++;
    sum.requests += call.requests();
    sum.retries += call.retries();
    sum.backoffMicros += call.backoffMicros();
    sum.bytes += bytes;
    call.causes().forEach((cause, times) -> sum.causes.merge(cause, (long) times, Long::sum));
    if (failure == FailureKind.CANCELLED) {
      sum.cancelled++;
    } else if (failure != null) {
      sum.failures++;
      sum.causes.merge(Attempts.cause(message), 1L, Long::sum);
    }
  }

  /** Counts what somebody else has counted. */
  public synchronized void add(Line line) {
    Sum sum = sums.computeIfAbsent(line.operation, none -> new Sum());
    sum.operations += line.operations;
    sum.requests += line.requests;
    sum.retries += line.retries;
    sum.failures += line.failures;
    sum.cancelled += line.cancelled;
    sum.backoffMicros += line.backoffMicros;
    sum.bytes += line.bytes;
    line.causes.forEach((cause, times) -> sum.causes.merge(cause, times, Long::sum));
  }

  /** By the name of the operation. */
  public synchronized List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    sums.forEach(
        (operation, sum) ->
            lines.add(
                new Line(
                    operation,
                    sum.operations,
                    sum.requests,
                    sum.retries,
                    sum.failures,
                    sum.cancelled,
                    sum.backoffMicros,
                    sum.bytes,
                    Map.copyOf(sum.causes))));
    return lines;
  }
}
