package ebb.ledbat.congestion;

/**
 * The queuing delay on one path by one kind of sample, one-way delays or round trips: the current
 * delay less the base delay. Owns both of RFC 6817's lists for that kind of sample; what follows
 * from the queuing delay is the controllers' business.
 *
 * <p>Not thread-safe.
 */
final class DelaySignal {
  private final BaseDelayHistory baseDelays;
  private final CurrentDelayFilter currentDelays;
  private long currentMicros = CurrentDelayFilter.NONE;

  DelaySignal(int baseHistoryMinutes, int currentFilterSamples) {
    baseDelays = new BaseDelayHistory(baseHistoryMinutes);
    currentDelays = new CurrentDelayFilter(currentFilterSamples);
  }

  /** Takes a sample; {@code rttMicros} bounds the age of those that count as current. */
  void onSample(long delayMicros, long rttMicros, long nowMicros) {
    // R7. RFC 6817, 2.4.2: "for each delay sample in the acknowledgement: delay =
    // acknowledgement.delay; update_base_delay(delay); update_current_delay(delay)"
    baseDelays.onSample(delayMicros, nowMicros);
    currentDelays.onSample(delayMicros, nowMicros);
    filter(rttMicros, nowMicros);
  }

  /** Applies FILTER() to what is young enough now. */
  void filter(long rttMicros, long nowMicros) {
    currentMicros = currentDelays.minimumMicros(nowMicros, rttMicros);
  }

  /** Minutes passed without samples. */
  void onIdleEnd(long rttMicros, long nowMicros) {
    // R11. RFC 6817, 2.4.2: "LEDBAT thus requires that during idle periods, an implementation must
    // maintain the base delay list."
    baseDelays.advance(nowMicros);
    // R6 and R11: what is older than a round trip is no current delay any more.
    filter(rttMicros, nowMicros);
  }

  /** Whether there is a current delay to compare with the base. */
  boolean isKnown() {
    return currentMicros != CurrentDelayFilter.NONE && !baseDelays.isEmpty();
  }

  /** Whether no base delay is known: none was measured, or all were forgotten. */
  boolean hasNoBase() {
    return baseDelays.isEmpty();
  }

  /** 0 while unknown. */
  long currentMicros() {
    return currentMicros == CurrentDelayFilter.NONE ? 0 : currentMicros;
  }

  /** 0 while unknown. */
  long baseMicros() {
    return baseDelays.isEmpty() ? 0 : baseDelays.minimumMicros();
  }

  /** Never negative; 0 while unknown. */
  long queuingMicros() {
    // R13. RFC 6817, A.1: "the offsets cancel each other out in the queuing delay estimate".
    // R7. RFC 6817, 4.2: "the queueing delay estimate is non-negative". The filter may still hold a
    // sample of a minute that has just left the history, so that the plain difference is not.
    return isKnown() ? Math.max(0, currentMicros - baseDelays.minimumMicros()) : 0;
  }
}
