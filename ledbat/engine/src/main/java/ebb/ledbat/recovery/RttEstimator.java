package ebb.ledbat.recovery;

/**
 * RFC 6298, sections 2 and 3: smoothed round-trip time, its variation and the retransmission
 * timeout before any back-off, in integer microseconds. Owns the estimates only; the back-off is
 * {@link RetransmissionTimer}'s, and to hand in no sample of a retransmitted packet (Karn) is the
 * caller's duty.
 *
 * <p>Not thread-safe.
 */
public final class RttEstimator {
  /** G of RFC 6298: the accuracy that the drivers' timers promise, not the clock's resolution. */
  private static final long CLOCK_GRANULARITY_MICROS = 1_000;

  private static final long AFTER_LOST_SYN_MICROS = 3_000_000;

  private final long minRtoMicros;
  private final long maxRtoMicros;

  private boolean hasSample;
  private long initialRtoMicros;

  /** SRTT times 8 and RTTVAR times 4, so that the divisions of the RFC lose nothing. */
  private long smoothedRttTimes8;

  private long rttVarTimes4;
  private long minRttMicros;
  private long latestRttMicros;

  /**
   * An estimator without a sample.
   *
   * @param initialRtoMicros RTO until the first sample, within the two bounds
   * @param minRtoMicros lower bound of RTO, above 0
   * @param maxRtoMicros upper bound of RTO
   */
  public RttEstimator(long initialRtoMicros, long minRtoMicros, long maxRtoMicros) {
    if (minRtoMicros <= 0 || maxRtoMicros < minRtoMicros) {
      throw new IllegalArgumentException(
          "RTO bounds must be above 0 and in order: " + minRtoMicros + ", " + maxRtoMicros);
    }
    this.minRtoMicros = minRtoMicros;
    this.maxRtoMicros = maxRtoMicros;
    this.initialRtoMicros = initialRtoMicros;
  }

  /**
   * Takes one round trip, measured on a packet that was sent once. A sample of less than a
   * microsecond counts as one, for 0 stands for "no sample yet". One beyond the largest RTO counts
   * as that: the packet would have been sent again, so what it measured is how long this host
   * slept, and a pacer that believed it would hardly send for as long again.
   */
  public void onSample(long rttMicros) {
    long rtt = Math.max(1, Math.min(rttMicros, maxRtoMicros));
    latestRttMicros = rtt;
    if (!hasSample) {
      // RFC 6298, 2.2: "SRTT <- R; RTTVAR <- R/2"
      hasSample = true;
      smoothedRttTimes8 = rtt * 8;
      rttVarTimes4 = rtt * 2;
      minRttMicros = rtt;
      return;
    }
    minRttMicros = Math.min(minRttMicros, rtt);
    // RFC 6298, 2.3: "RTTVAR <- (1 - beta) * RTTVAR + beta * |SRTT - R'|; SRTT <- (1 - alpha) *
    // SRTT + alpha * R'"
    // BEP 29, timeouts: "delta = rtt - packet_rtt; rtt_var += (abs(delta) - rtt_var) / 4; rtt +=
    // (packet_rtt - rtt) / 8;"
    // RFC 6298, 2.3: "updating RTTVAR and SRTT MUST be computed in the above order."
    // RFC 6298, 2.3: "The above SHOULD be computed using alpha=1/8 and beta=1/4"
    long error = rtt - smoothedRttMicros();
    rttVarTimes4 += Math.abs(error) - rttVarTimes4 / 4;
    smoothedRttTimes8 += error;
  }

  /**
   * The SYN had to be sent again, so that the handshake gave no sample.
   *
   * <p>RFC 6298, 5.7: "If the timer expires awaiting the ACK of a SYN segment and the TCP
   * implementation is using an RTO less than 3 seconds, the RTO MUST be re-initialized to 3 seconds
   * when data transmission begins".
   */
  public void onSynRetransmitted() {
    initialRtoMicros = Math.max(initialRtoMicros, AFTER_LOST_SYN_MICROS);
  }

  /** SRTT; 0 before the first sample, else at least 1. */
  public long smoothedRttMicros() {
    return smoothedRttTimes8 / 8;
  }

  /** RTTVAR; 0 before the first sample. */
  public long rttVarMicros() {
    return rttVarTimes4 / 4;
  }

  /** The smallest sample; 0 before the first. */
  public long minRttMicros() {
    return minRttMicros;
  }

  /** The last sample; 0 before the first. */
  public long latestRttMicros() {
    return latestRttMicros;
  }

  /** RTO before any back-off, within the bounds given to the constructor. */
  public long rtoMicros() {
    // RFC 6298, 2.1: "Until a round-trip time (RTT) measurement has been made for a segment sent
    // between the sender and receiver, the sender SHOULD set RTO <- 1 second"
    // BEP 29, timeouts: "The initial timeout is set to 1000 milliseconds"
    // RFC 6298, 2.1: "A TCP implementation MAY still use this value (or any other value > 1
    // second)."
    // RFC 6298, 2.2: "RTO <- SRTT + max (G, K*RTTVAR) where K = 4"
    // RFC 6298, 2.3: "After the computation, a host MUST update RTO <- SRTT + max (G, K*RTTVAR)"
    // RFC 6298, 4: "if the K*RTTVAR term in the RTO calculation equals zero, the variance term MUST
    // be rounded to G seconds"
    long rto =
        hasSample
            ? smoothedRttMicros() + Math.max(CLOCK_GRANULARITY_MICROS, rttVarTimes4)
            : initialRtoMicros;
    // RFC 6298, 2.4: "Whenever RTO is computed, if it is less than 1 second, then the RTO SHOULD be
    // rounded up to 1 second." RFC 6298, 2.5: "A maximum value MAY be placed on RTO"
    return Math.min(maxRtoMicros, Math.max(minRtoMicros, rto));
  }
}
