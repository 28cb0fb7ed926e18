package ebb.testkit.tcp;

import org.jspecify.annotations.Nullable;

/**
 * Samples of the rate at which segments arrive (draft-cheng-iccrg-delivery-rate-estimation). It
 * owns the connection's counts and, in {@link Sent}, those of each segment.
 */
final class DeliveryRate {
  /** The connection's counts when a segment was sent. */
  record Sent(
      long sentMicros,
      long delivered,
      long deliveredMicros,
      long firstSentMicros,
      boolean sourceLimited) {}

  private long delivered;
  private long deliveredMicros;
  private long firstSentMicros;
  private long sourceLimitedUntil;
  private @Nullable Sent newest;

  /** A segment leaves; {@code inFlight} counts it. */
  Sent onSent(long nowMicros, long inFlight) {
    if (inFlight <= 1) {
      firstSentMicros = nowMicros;
      deliveredMicros = nowMicros;
    }
    return new Sent(
        nowMicros, delivered, deliveredMicros, firstSentMicros, sourceLimitedUntil > delivered);
  }

  /** The source cannot fill the window. */
  void onNothingToSend(long inFlight) {
    sourceLimitedUntil = delivered + Math.max(1, inFlight);
  }

  /** An acknowledgement comes. */
  void begin() {
    newest = null;
  }

  /** It acknowledges this segment. */
  void onDelivered(@Nullable Sent segment, long nowMicros) {
    delivered++;
    deliveredMicros = nowMicros;
    if (segment != null && (newest == null || segment.delivered() >= newest.delivered())) {
      newest = segment;
    }
  }

  /** What it says. */
  TcpDelivery delivery(
      long nowMicros,
      long rttMicros,
      int newlyDelivered,
      int newlyLost,
      int inFlight,
      boolean inRecovery) {
    Sent sample = newest;
    if (sample == null) {
      return new TcpDelivery(
          nowMicros,
          rttMicros,
          delivered,
          -1,
          newlyDelivered,
          newlyLost,
          inFlight,
          0,
          true,
          inRecovery);
    }
    long sendMicros = sample.sentMicros() - sample.firstSentMicros();
    long ackMicros = nowMicros - sample.deliveredMicros();
    firstSentMicros = sample.sentMicros();
    long interval = Math.max(sendMicros, ackMicros);
    double rate = interval <= 0 ? 0 : (delivered - sample.delivered()) * 1e6 / interval;
    return new TcpDelivery(
        nowMicros,
        rttMicros,
        delivered,
        sample.delivered(),
        newlyDelivered,
        newlyLost,
        inFlight,
        rate,
        sample.sourceLimited(),
        inRecovery);
  }
}
