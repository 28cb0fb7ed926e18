package ebb.ledbat.congestion;

/**
 * What is known of one path's delays, by one-way delays and by round trips. Every controller feeds
 * both, so that the next one of the same connection, which may trust the other kind, can go on from
 * what was measured.
 */
record PathDelays(DelaySignal oneWay, DelaySignal roundTrip) {
  static PathDelays of(LedbatParameters parameters) {
    return new PathDelays(signal(parameters), signal(parameters));
  }

  private static DelaySignal signal(LedbatParameters parameters) {
    return new DelaySignal(parameters.baseHistoryMinutes(), parameters.currentFilterSamples());
  }
}
