package ebb.files;

/**
 * Memory for what is known of open offers, for all sessions of a receiver: each gets half of what
 * the others leave, so that one more always finds some. Thread-safe.
 */
final class OfferMemory {
  /** What an offer costs beside its name. */
  private static final int FIXED_BYTES = 1 << 10;

  /** The name is kept as text, as a path and as parts of paths. */
  private static final int BYTES_PER_CHAR = 4;

  private final long maxBytes;
  private long usedBytes;

  OfferMemory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  private static long cost(Frame.Offer offer) {
    return FIXED_BYTES + (long) BYTES_PER_CHAR * offer.path().length();
  }

  /** What one session uses of it. */
  final class Share {
    private long bytes;

    /** False when there is no room. */
    boolean take(Frame.Offer offer) {
      long cost = cost(offer);
      synchronized (OfferMemory.this) {
        long leftByOthers = maxBytes - (usedBytes - bytes);
        if (bytes + cost > leftByOthers / 2) {
          return false;
        }
        bytes += cost;
        usedBytes += cost;
        return true;
      }
    }

    void give(Frame.Offer offer) {
      long cost = cost(offer);
      synchronized (OfferMemory.this) {
        bytes -= cost;
        usedBytes -= cost;
      }
    }
  }
}
