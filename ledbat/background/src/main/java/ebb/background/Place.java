package ebb.background;

import ebb.background.law.SharedWindow;
import java.util.function.ToDoubleFunction;

/**
 * One direction to one place: a window that connections on several event loops share. Thread-safe.
 */
final class Place {
  /** A rate is forgotten when its connections are silent for so long. */
  private static final long FRESH_MICROS = 1_000_000;

  private final SharedWindow shared;
  private long lastUsed;
  private volatile long rate;
  private volatile long rateAt;

  /**
   * A place that nothing is known of.
   *
   * @param siblings bytes a second of the group's other places, in this direction
   * @param targetMicros the queue that is wanted; 0 for the law's own
   */
  Place(ToDoubleFunction<Place> siblings, long targetMicros) {
    shared = new SharedWindow(() -> siblings.applyAsDouble(this), targetMicros);
  }

  /** Bytes a second, now. */
  long rate(long nowMicros) {
    return nowMicros - rateAt > FRESH_MICROS ? 0 : rate;
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
