package ebb.ledbat.congestion;

/**
 * CURRENT_FILTER and FILTER() of RFC 6817: the last few one-way delays, of which the smallest that
 * is not older than one round trip counts. Owns the samples of that window only; the base delay
 * lives in {@link BaseDelayHistory}.
 *
 * <p>Not thread-safe.
 */
final class CurrentDelayFilter {
  /** What {@link #minimumMicros} answers when no sample is young enough. */
  static final long NONE = Long.MAX_VALUE;

  private final long[] delaysMicros;
  private final long[] takenAtMicros;
  private int next;
  private int size;

  /**
   * R6. RFC 6817, 2.5: "the sender SHOULD use at least 4 delay samples in each RTT, unless the
   * number of samples is lower due to a small congestion window." RFC 6817, 2.4.2: "initialize
   * elements in current_delays according to FILTER()": there are none.
   *
   * @param samples CURRENT_FILTER, at least 1
   */
  CurrentDelayFilter(int samples) {
    delaysMicros = new long[samples];
    takenAtMicros = new long[samples];
  }

  /** RFC 6817, 2.4.2: "delete first item in current_delays list; append delay". */
  void onSample(long delayMicros, long nowMicros) {
    delaysMicros[next] = delayMicros;
    takenAtMicros[next] = nowMicros;
    next = next + 1 == delaysMicros.length ? 0 : next + 1;
    size = Math.min(size + 1, delaysMicros.length);
  }

  /**
   * The smallest sample of the window; {@link #NONE} when none is young enough.
   *
   * <p>RFC 6817, 2.4.2: "Different types of filters MAY be used for FILTER()". RFC 6817, 2.4.2:
   * "Care should be taken that the filter used, while providing robustness to noise, remains
   * sensitive to persistent congestion signals."
   *
   * @param rttMicros the oldest age that counts
   */
  long minimumMicros(long nowMicros, long rttMicros) {
    long minimum = NONE;
    int at = next;
    for (int i = 0; i < size; i++) {
      at = at == 0 ? delaysMicros.length - 1 : at - 1;
      // R6. RFC 6817, 2.5: "CURRENT_FILTER MUST be limited such that samples in the list are not
      // older than an RTT in the past."
      if (nowMicros - takenAtMicros[at] > rttMicros) {
        break;
      }
      // R6. RFC 6817, 2.4.2: "A simple MIN filter applied over a small window (much smaller than
      // BASE_HISTORY) may also provide robustness to large delay peaks".
      minimum = Math.min(minimum, delaysMicros[at]);
    }
    return minimum;
  }
}
