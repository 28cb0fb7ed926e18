package ebb.testkit.link;

/**
 * A token bucket in front of a link: what a provider sells. A policer drops what exceeds it, before
 * the buffer and without delay; a shaper lets it wait in the link's buffer.
 *
 * @param rateBitsPerSecond of the tokens
 * @param bucketBytes what may pass at once after a pause
 * @param drops a policer; else a shaper
 */
public record TokenBucketSpec(long rateBitsPerSecond, long bucketBytes, boolean drops) {
  /** Ranges are checked. */
  public TokenBucketSpec {
    if (rateBitsPerSecond < 1_000) {
      throw new IllegalArgumentException(
          "a token bucket needs at least 1 kbit/s: " + rateBitsPerSecond);
    }
    if (bucketBytes < 1_500 || bucketBytes > 1L << 40) {
      throw new IllegalArgumentException(
          "a token bucket holds at least 1500 bytes, and at most 2^40: " + bucketBytes);
    }
  }

  /** Drops what exceeds {@code rate} once the bucket is empty. */
  public static TokenBucketSpec policer(long rateBitsPerSecond, long bucketBytes) {
    return new TokenBucketSpec(rateBitsPerSecond, bucketBytes, true);
  }

  /** Holds back what exceeds {@code rate} once the bucket is empty. */
  public static TokenBucketSpec shaper(long rateBitsPerSecond, long bucketBytes) {
    return new TokenBucketSpec(rateBitsPerSecond, bucketBytes, false);
  }
}
