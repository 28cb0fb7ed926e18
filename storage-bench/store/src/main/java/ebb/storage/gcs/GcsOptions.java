package ebb.storage.gcs;

import org.jspecify.annotations.Nullable;

/**
 * How to talk to Cloud Storage.
 *
 * @param endpoint a base URL; null for Google's own. Any other is talked to without credentials
 * @param project that new buckets belong to; null for the environment's
 * @param location of new buckets
 * @param chunkBytes of resumable uploads, a multiple of 256 KiB; each upload holds one in memory
 * @param maxRequestAttempts of each request inside an operation, 1 for no retries
 * @param firstBackoffMillis before a request's second attempt; doubles with each further one
 * @param readTimeoutMillis without a byte from the service, after which a request has failed
 * @param totalTimeoutMillis for one request with all its attempts
 */
public record GcsOptions(
    @Nullable String endpoint,
    @Nullable String project,
    String location,
    int chunkBytes,
    int maxRequestAttempts,
    long firstBackoffMillis,
    int readTimeoutMillis,
    long totalTimeoutMillis) {
  private static final int QUANTUM = 256 * 1_024;
  private static final int MAX_CHUNK = 16 * 1_024 * 1_024;

  public GcsOptions {
    if (chunkBytes < QUANTUM || chunkBytes % QUANTUM != 0) {
      throw new IllegalArgumentException("a chunk is a multiple of 256 KiB: " + chunkBytes);
    }
    if (maxRequestAttempts < 1 || readTimeoutMillis < 1 || totalTimeoutMillis < 1) {
      throw new IllegalArgumentException("attempts and time-outs are positive");
    }
  }

  /** The library's own schedule of retries, and a deadline on everything. */
  public static GcsOptions standard(@Nullable String endpoint, @Nullable String project) {
    return new GcsOptions(endpoint, project, "US", MAX_CHUNK, 6, 1_000, 30_000, 120_000);
  }

  /**
   * The largest chunk with which {@code parallel} uploads together stay in a quarter of the heap.
   */
  public static int chunkFor(int parallel, long heapBytes) {
    long share = heapBytes / 4 / Math.max(1, parallel);
    return (int) Math.max(QUANTUM, Math.min(MAX_CHUNK, share / QUANTUM * QUANTUM));
  }

  /** The chunk for an object: no larger than it needs. */
  int chunkFor(long length) {
    return (int) Math.min(chunkBytes, Math.max(1, (length + QUANTUM - 1) / QUANTUM) * QUANTUM);
  }

  public GcsOptions withChunkBytes(int bytes) {
    return new GcsOptions(
        endpoint,
        project,
        location,
        bytes,
        maxRequestAttempts,
        firstBackoffMillis,
        readTimeoutMillis,
        totalTimeoutMillis);
  }

  public GcsOptions withLocation(String where) {
    return new GcsOptions(
        endpoint,
        project,
        where,
        chunkBytes,
        maxRequestAttempts,
        firstBackoffMillis,
        readTimeoutMillis,
        totalTimeoutMillis);
  }

  public GcsOptions withRetries(int maxAttempts, long backoffMillis) {
    return new GcsOptions(
        endpoint,
        project,
        location,
        chunkBytes,
        maxAttempts,
        backoffMillis,
        readTimeoutMillis,
        totalTimeoutMillis);
  }

  public GcsOptions withReadTimeoutMillis(int millis) {
    return new GcsOptions(
        endpoint,
        project,
        location,
        chunkBytes,
        maxRequestAttempts,
        firstBackoffMillis,
        millis,
        totalTimeoutMillis);
  }
}
