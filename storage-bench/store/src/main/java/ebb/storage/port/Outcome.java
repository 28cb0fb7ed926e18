package ebb.storage.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an operation ended, and what it cost.
 *
 * @param bytes of content that were moved and, where a checksum was known, verified; 0 after a
 *     failure
 * @param startMicros when it began, on the clock of {@link System#nanoTime()}
 * @param durationMicros from its begin to its end, all attempts and back-off included, without what
 *     the benchmark itself did (checksums, generating content, preparing a request)
 * @param firstByteMicros after which the first byte of content arrived; -1 when none did
 * @param requests that went out; 1 for stores without a network
 * @param attempts 1 when nothing went wrong; each further one answers a failure
 * @param backoffMicros spent waiting between attempts, part of the duration
 * @param verified whether a CRC32C that the store or the caller knew was compared
 * @param troubles what went wrong on the way, oldest first, at most 8 lines
 * @param failure null when the operation succeeded
 * @param message one line about the failure; "" when there is none
 */
public record Outcome(
    long bytes,
    long startMicros,
    long durationMicros,
    long firstByteMicros,
    int requests,
    int attempts,
    long backoffMicros,
    boolean verified,
    List<String> troubles,
    @Nullable FailureKind failure,
    String message) {
  public Outcome {
    troubles = List.copyOf(troubles);
  }

  public boolean succeeded() {
    return failure == null;
  }

  public long endMicros() {
    return startMicros + durationMicros;
  }

  public double bytesPerSecond() {
    return bytes * 1e6 / Math.max(1, durationMicros);
  }
}
