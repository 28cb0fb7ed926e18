package ebb.storage.gcs;

import org.jspecify.annotations.Nullable;

/**
 * How to talk to Cloud Storage.
 *
 * @param endpoint a base URL; null for Google's own
 * @param tokenServer a URL that gives tokens to whoever asks; null for the environment's
 *     credentials at Google, and for none elsewhere
 * @param project that new buckets belong to; null for the environment's
 * @param location of new buckets
 * @param chunkBytes of resumable uploads, a multiple of 256 KiB; each upload holds one in memory
 * @param maxRequestAttempts of each request inside an operation, 1 for no retries
 * @param firstBackoffMillis before a request's second attempt; doubles with each further one
 * @param readTimeoutMillis without a byte from the service, after which a request has failed
 * @param totalTimeoutMillis for one request with all its attempts
 * @param variant which part of the library moves whole objects
 */
public record GcsOptions(
    @Nullable String endpoint,
    @Nullable String tokenServer,
    @Nullable String project,
    String location,
    int chunkBytes,
    int maxRequestAttempts,
    long firstBackoffMillis,
    int readTimeoutMillis,
    long totalTimeoutMillis,
    Variant variant) {
  private static final int QUANTUM = 256 * 1_024;
  private static final int MAX_CHUNK = 16 * 1_024 * 1_024;
  private static final long TOTAL_TIMEOUT_MILLIS = 120_000;

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
    return builder(endpoint, project).build();
  }

  /** Begins with {@link #standard}. */
  public static Builder builder(@Nullable String endpoint, @Nullable String project) {
    return new Builder(endpoint, project);
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

  /** Of a composite upload, so that all that are under way need no more than a chunk. */
  int partBytes() {
    return Math.max(QUANTUM, chunkBytes / Variant.WORKERS / QUANTUM * QUANTUM);
  }

  /** Options that differ from the standard ones. */
  public static final class Builder {
    private final @Nullable String endpoint;
    private final @Nullable String project;
    private @Nullable String tokenServer;
    private String location = "US";
    private int chunkBytes = MAX_CHUNK;
    private int maxRequestAttempts = 6;
    private long firstBackoffMillis = 1_000;
    private int readTimeoutMillis = 30_000;
    private Variant variant = Variant.PLAIN;

    private Builder(@Nullable String endpoint, @Nullable String project) {
      this.endpoint = endpoint;
      this.project = project;
    }

    public Builder location(String where) {
      location = where;
      return this;
    }

    public Builder tokenServer(String url) {
      tokenServer = url;
      return this;
    }

    public Builder chunkBytes(int bytes) {
      chunkBytes = bytes;
      return this;
    }

    public Builder maxRequestAttempts(int attempts) {
      maxRequestAttempts = attempts;
      return this;
    }

    public Builder firstBackoffMillis(long millis) {
      firstBackoffMillis = millis;
      return this;
    }

    public Builder readTimeoutMillis(int millis) {
      readTimeoutMillis = millis;
      return this;
    }

    public Builder variant(Variant which) {
      variant = which;
      return this;
    }

    Variant variant() {
      return variant;
    }

    public GcsOptions build() {
      return new GcsOptions(
          endpoint,
          tokenServer,
          project,
          location,
          chunkBytes,
          maxRequestAttempts,
          firstBackoffMillis,
          readTimeoutMillis,
          TOTAL_TIMEOUT_MILLIS,
          variant);
    }
  }
}
