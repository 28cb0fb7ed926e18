package ebb.net.client;

/**
 * Where another host's clock stands, from questions and answers: of all round trips the shortest
 * tells best, for whatever time it did not take in queues it cannot have lost on one way only.
 * Thread-safe.
 */
public final class ClockSync {
  private long shortestMicros = Long.MAX_VALUE;
  private long offsetMicros;

  /** An answer: the server's clock showed {@code serverMicros} somewhen between the other two. */
  public synchronized void onAnswer(long askedMicros, long serverMicros, long answeredMicros) {
    long roundTrip = answeredMicros - askedMicros;
    if (roundTrip >= 0 && roundTrip < shortestMicros) {
      shortestMicros = roundTrip;
      offsetMicros = askedMicros + roundTrip / 2 - serverMicros;
    }
  }

  /** The server's time on this host's clock, to within {@link #errorMicros()}. */
  public synchronized long toLocal(long serverMicros) {
    return serverMicros + offsetMicros;
  }

  /** At most this wrong, apart from drift: half the shortest round trip. */
  public synchronized long errorMicros() {
    return shortestMicros / 2;
  }
}
