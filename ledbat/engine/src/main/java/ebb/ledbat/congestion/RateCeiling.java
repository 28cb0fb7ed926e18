package ebb.ledbat.congestion;

/**
 * The rate that a path without a queue to speak of is known to carry: a policer or a short buffer
 * loses what goes beyond it and warns of nothing. Owns that rate, how long it is kept to, the slow
 * steps by which it is tried again, and the rate that was kept for seconds without a loss.
 *
 * <p>Not thread-safe.
 */
final class RateCeiling {
  /** Below what arrived while some was lost: the queue there was has to empty, too. */
  private static final double BELOW_DELIVERED = 0.95;

  /** Part of it by which it is raised in a second. */
  private static final double RISE_PER_SECOND = 0.05;

  private static final double MAX_STEP_SECONDS = 1;

  /** A ceiling of which less than this is used is not raised. */
  private static final double USED = 0.9;

  private static final long FIRST_HOLD_MICROS = 1_000_000;
  private static final long MAX_HOLD_MICROS = 4_000_000;

  /** A ceiling that was left behind by so much is none any more. */
  private static final double LEFT_BEHIND = 1.5;

  /** A rate is proven after so long; a policer's bucket pays for a shorter time. */
  private static final long PROVEN_MICROS = 3_000_000;

  private static final double SAME = 1.05;
  private static final double KEPT = 1.02;
  private static final long NONE = Long.MIN_VALUE;

  private double bytesPerSecond = Double.MAX_VALUE;
  private double setAt;
  private long holdMicros = FIRST_HOLD_MICROS;
  private long untilMicros;
  private long lastRoundMicros;

  private double proven;
  private double least;
  private long calmSinceMicros = NONE;

  /** More was sent than the path takes; this much arrived. */
  void onLoss(double deliveredBytesPerSecond, long nowMicros) {
    boolean again = isSet();
    holdMicros = again ? Math.min(2 * holdMicros, MAX_HOLD_MICROS) : FIRST_HOLD_MICROS;
    double now = BELOW_DELIVERED * deliveredBytesPerSecond;
    bytesPerSecond = again ? Math.min(BELOW_DELIVERED * bytesPerSecond, now) : now;
    setAt = bytesPerSecond;
    untilMicros = nowMicros + holdMicros;
    calmSinceMicros = NONE;
  }

  /** A round trip ended with losses; nothing is proven by the time before. */
  void onLossyRound() {
    calmSinceMicros = NONE;
  }

  /** A round trip ended without losses at this rate. */
  void onCalmRound(double rate, long nowMicros) {
    if (calmSinceMicros == NONE) {
      calmSinceMicros = nowMicros;
      least = rate;
    }
    least = Math.min(least, rate);
    if (nowMicros - calmSinceMicros >= PROVEN_MICROS) {
      proven = least;
      calmSinceMicros = NONE;
    }
    if (!isSet() || nowMicros < untilMicros || rate < USED * bytesPerSecond) {
      return;
    }
    long sinceMicros = Math.max(lastRoundMicros, untilMicros);
    double seconds = Math.min(MAX_STEP_SECONDS, (nowMicros - sinceMicros) / 1e6);
    bytesPerSecond *= 1 + RISE_PER_SECOND * seconds;
    lastRoundMicros = nowMicros;
    if (bytesPerSecond > LEFT_BEHIND * setAt) {
      lift();
    }
  }

  /**
   * Whether the path has lately carried this rate for seconds and lost nothing, or it is one that
   * was chosen because more was lost.
   */
  boolean isProven(double rate) {
    return isCarried(rate) || (isSet() && rate <= KEPT * setAt);
  }

  /** Whether the path has lately carried this rate for seconds and lost nothing. */
  boolean isCarried(double rate) {
    return rate <= SAME * proven;
  }

  /** The rate that was kept for seconds without a loss, the last time; 0 for none. */
  double provenBytesPerSecond() {
    return proven;
  }

  /** Whatever was known does not hold any more. */
  void lift() {
    bytesPerSecond = Double.MAX_VALUE;
    holdMicros = FIRST_HOLD_MICROS;
  }

  /** Whether this is more than what was chosen after losses: the next ones may be of its doing. */
  boolean isAbove(double rate) {
    return !isSet() || rate > setAt;
  }

  boolean isSet() {
    return bytesPerSecond < Double.MAX_VALUE;
  }

  /** Bytes per second; {@link Double#MAX_VALUE} for none. */
  double bytesPerSecond() {
    return bytesPerSecond;
  }
}
