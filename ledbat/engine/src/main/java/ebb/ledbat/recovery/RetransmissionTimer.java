package ebb.ledbat.recovery;

/**
 * The one retransmission timer of RFC 6298, section 5, and LEDBAT's congestion timeout (CTO): a
 * deadline and its back-off. R10. RFC 6817, 2.4.2: "the CTO would be the same as the retransmission
 * timeout (RTO)." It measures nothing ({@link RttEstimator} does), sends nothing and holds no
 * clock; whoever drives it compares {@link #deadlineMicros} with the time.
 *
 * <p>Times are microseconds of the driver's monotonic clock. Not thread-safe.
 */
public final class RetransmissionTimer {
  /** The deadline of a timer that is not running. */
  public static final long NEVER = Long.MAX_VALUE;

  private final long maxRtoMicros;
  private long deadlineMicros = NEVER;
  private long rtoMicros;
  private int backoffCount;

  /** A timer that is not running; back-off never takes it beyond {@code maxRtoMicros}. */
  public RetransmissionTimer(long maxRtoMicros) {
    if (maxRtoMicros < 1) {
      throw new IllegalArgumentException("maxRtoMicros must be at least 1: " + maxRtoMicros);
    }
    this.maxRtoMicros = maxRtoMicros;
  }

  /**
   * A packet that asks for an acknowledgement was sent. Does nothing while the timer runs.
   *
   * <p>RFC 6298, 5.1: "Every time a packet containing data is sent (including a retransmission), if
   * the timer is not running, start it running so that it will expire after RTO seconds".
   */
  public void arm(long nowMicros, long rtoMicros) {
    if (deadlineMicros == NEVER) {
      start(nowMicros, rtoMicros);
    }
  }

  /**
   * Nothing is outstanding any more; the next {@link #arm} starts without back-off.
   *
   * <p>RFC 6298, 5.2: "When all outstanding data has been acknowledged, turn off the retransmission
   * timer."
   */
  public void disarm() {
    deadlineMicros = NEVER;
    backoffCount = 0;
  }

  /**
   * New data was acknowledged and more is outstanding: starts again, without back-off.
   *
   * <p>RFC 6298, 5.3: "When an ACK is received that acknowledges new data, restart the
   * retransmission timer so that it will expire after RTO seconds (for the current value of RTO)."
   * RFC 6298, 5: "which may result in 'collapsing' RTO back down after it has been subject to
   * exponential back off (rule 5.5)."
   */
  public void restart(long nowMicros, long rtoMicros) {
    backoffCount = 0;
    start(nowMicros, rtoMicros);
  }

  /**
   * Whether the deadline has come.
   *
   * <p>RFC 6298, 5: "a segment is never retransmitted too early, i.e., less than one RTO after the
   * previous transmission of that segment."
   */
  public boolean isExpired(long nowMicros) {
    return nowMicros >= deadlineMicros;
  }

  /** The deadline has come: backs off and runs again from now. Does nothing when not running. */
  public void onExpiry(long nowMicros) {
    // RFC 6298, 5.5: "The host MUST set RTO <- RTO * 2 ('back off the timer'). The maximum value
    // discussed in (2.5) above may be used to provide an upper bound to this doubling operation."
    // RFC 6298, 5.6: "Start the retransmission timer, such that it expires after RTO seconds". R10.
    // RFC 6817, 2.4.2: "CTO = 2 * CTO". BEP 29, timeouts: "For every packet consecutive subsequent
    // packet that times out, the timeout is doubled."
    if (deadlineMicros == NEVER) {
      return;
    }
    backoffCount++;
    start(nowMicros, rtoMicros * 2);
  }

  /** When it expires; {@link #NEVER} when not running. */
  public long deadlineMicros() {
    return deadlineMicros;
  }

  /** How often in a row it has expired since new data was acknowledged. */
  public int backoffCount() {
    return backoffCount;
  }

  private void start(long nowMicros, long rtoMicros) {
    this.rtoMicros = Math.max(1, Math.min(rtoMicros, maxRtoMicros));
    deadlineMicros = nowMicros + this.rtoMicros;
  }
}
