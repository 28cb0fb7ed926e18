package ebb.testkit.tcp;

/** HyStart++ (RFC 9406): when slow start becomes gentle and when it ends. Owns the rounds. */
final class HyStart {
  /** RFC 9406, 4.3. */
  private static final long MIN_RTT_THRESH_MICROS = 4_000;

  private static final long MAX_RTT_THRESH_MICROS = 16_000;
  private static final int MIN_RTT_DIVISOR = 8;
  private static final int N_RTT_SAMPLE = 8;
  private static final int CSS_GROWTH_DIVISOR = 4;
  private static final int CSS_ROUNDS = 5;

  private static final long NONE = Long.MAX_VALUE;

  private long roundEnds;
  private long lastRoundMinMicros = NONE;
  private long roundMinMicros = NONE;
  private int samples;
  private boolean conservative;
  private long baselineMicros;
  private int conservativeRounds;

  /** Segments that the window grows by for each that is acknowledged. */
  double growth() {
    return conservative ? 1.0 / CSS_GROWTH_DIVISOR : 1;
  }

  /** Whether this acknowledgement ends slow start. */
  boolean leaves(TcpDelivery delivery) {
    if (delivery.priorDelivered() >= roundEnds) {
      roundEnds = delivery.delivered();
      lastRoundMinMicros = roundMinMicros;
      roundMinMicros = NONE;
      samples = 0;
      if (conservative && ++conservativeRounds >= CSS_ROUNDS) {
        return true;
      }
    }
    roundMinMicros = Math.min(roundMinMicros, delivery.rttMicros());
    samples++;
    if (samples < N_RTT_SAMPLE || lastRoundMinMicros == NONE) {
      return false;
    }
    if (conservative) {
      // The rise was a fluctuation: slow start goes on.
      conservative = roundMinMicros >= baselineMicros;
      return false;
    }
    long threshold =
        Math.max(
            MIN_RTT_THRESH_MICROS,
            Math.min(lastRoundMinMicros / MIN_RTT_DIVISOR, MAX_RTT_THRESH_MICROS));
    if (roundMinMicros >= lastRoundMinMicros + threshold) {
      conservative = true;
      baselineMicros = roundMinMicros;
      conservativeRounds = 0;
    }
    return false;
  }
}
