package ebb.net.udp;

/**
 * How long stop-and-wait waits for an acknowledgement before it sends the message again: a fixed
 * time, or RFC 6298's estimate, doubled each time it runs out. Not thread-safe.
 */
final class AckTimeout {
  static final long FIRST_MICROS = 1_000_000;

  /** Below this, the peer's scheduling is taken for loss. */
  static final long MIN_MICROS = 20_000;

  static final long MAX_MICROS = 10_000_000;

  private final long fixedMicros;
  private double smoothed;
  private double variation;
  private long currentMicros;

  AckTimeout(long fixedMicros) {
    this.fixedMicros = fixedMicros;
    currentMicros = fixedMicros == 0 ? FIRST_MICROS : fixedMicros;
  }

  long micros() {
    return currentMicros;
  }

  /** The round trip of the very datagram that was acknowledged. */
  void onSample(long micros) {
    if (fixedMicros > 0) {
      return;
    }
    if (smoothed == 0) {
      // RFC 6298, 2.2: "SRTT <- R; RTTVAR <- R/2".
      smoothed = Math.max(1, micros);
      variation = micros / 2.0;
    } else {
      // RFC 6298, 2.3: "RTTVAR <- (1 - beta) * RTTVAR + beta * |SRTT - R'|", beta 1/4, and
      // "SRTT <- (1 - alpha) * SRTT + alpha * R'", alpha 1/8.
      variation += (Math.abs(smoothed - micros) - variation) / 4;
      smoothed += (micros - smoothed) / 8;
    }
    currentMicros = (long) Math.max(MIN_MICROS, Math.min(MAX_MICROS, smoothed + 4 * variation));
  }

  /** RFC 6298, 5.5: "RTO <- RTO * 2". */
  void onExpired() {
    if (fixedMicros == 0) {
      currentMicros = Math.min(MAX_MICROS, 2 * currentMicros);
    }
  }
}
