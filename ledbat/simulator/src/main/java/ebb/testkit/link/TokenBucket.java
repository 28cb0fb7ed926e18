package ebb.testkit.link;

/** The tokens of a {@link TokenBucketSpec}; full at the beginning. */
final class TokenBucket {
  private final TokenBucketSpec spec;
  private double tokenBytes;
  private long filledMicros;

  TokenBucket(TokenBucketSpec spec) {
    this.spec = spec;
    tokenBytes = spec.bucketBytes();
  }

  /** Takes the tokens of a packet, unless there are too few. */
  boolean take(int bytes, long nowMicros) {
    fill(nowMicros);
    if (tokenBytes < bytes) {
      return false;
    }
    tokenBytes -= bytes;
    return true;
  }

  /** Microseconds until there are tokens for a packet; 0 if there are. */
  long waitMicros(int bytes, long nowMicros) {
    fill(nowMicros);
    double missing = Math.min(bytes, spec.bucketBytes()) - tokenBytes;
    return missing <= 0 ? 0 : (long) Math.ceil(missing * 8e6 / spec.rateBitsPerSecond());
  }

  /** Takes tokens that were waited for. */
  void spend(int bytes, long nowMicros) {
    fill(nowMicros);
    tokenBytes -= bytes;
  }

  private void fill(long nowMicros) {
    double gained = (double) (nowMicros - filledMicros) * (spec.rateBitsPerSecond() / 8e6);
    tokenBytes = Math.min((double) spec.bucketBytes(), tokenBytes + gained);
    filledMicros = nowMicros;
  }
}
