package ebb.background;

import ebb.background.law.SharedWindow;
import ebb.background.law.Siblings;
import java.util.function.Function;

/**
 * One direction to one place: a window that connections on several event loops share. Thread-safe.
 */
final class Place {
  /** A rate is forgotten when its connections are silent for so long. */
  private static final long FRESH_MICROS = 1_000_000;

  private final SharedWindow shared;
  private long lastUsed;
  private volatile long rate;
  private volatile int active;
  private volatile long rateAt;

  /**
   * A place that nothing is known of.
   *
   * @param siblings what the group's other places carry in this direction
   * @param targetMicros the queue that is wanted; 0 for the law's own
   */
  Place(Function<Place, Siblings> siblings, long targetMicros) {
    shared = new SharedWindow(() -> siblings.apply(this), targetMicros);
  }

  /** What it carries now. */
  Siblings carries(long nowMicros) {
    return nowMicros - rateAt > FRESH_MICROS ? Siblings.NONE : new Siblings(rate, active);
  }

  synchronized SharedWindow.Member join(long nowMicros, long handshakeMicros) {
    lastUsed = nowMicros;
    return shared.join(nowMicros, handshakeMicros);
  }

  synchronized void leave(SharedWindow.Member member) {
    member.leave();
  }

  /** Takes what is known of a connection and returns what it may have in flight. */
  synchronized long sample(
      SharedWindow.Member member,
      long nowMicros,
      long totalBytes,
      long totalPackets,
      long totalLosses,
      long rttMicros,
      int packetBytes) {
    lastUsed = nowMicros;
    member.sample(nowMicros, totalBytes, totalPackets, totalLosses, rttMicros, packetBytes);
    rate = shared.law().bytesPerSecond();
    active = shared.active();
    rateAt = nowMicros;
    return member.windowBytes();
  }

  synchronized long tickMicros() {
    return shared.tickMicros();
  }

  synchronized boolean forgettable(long nowMicros, long afterMicros) {
    return shared.size() == 0 && nowMicros - lastUsed > afterMicros;
  }

  synchronized boolean empty() {
    return shared.size() == 0;
  }

  synchronized BackgroundStats stats(SteeringWay way, long bytes) {
    return new BackgroundStats(
        way,
        shared.size(),
        bytes,
        shared.law().bytesPerSecond(),
        shared.law().windowBytes(),
        shared.law().baseRttMicros(),
        shared.law().rttMicros(),
        shared.law().yielding());
  }
}
