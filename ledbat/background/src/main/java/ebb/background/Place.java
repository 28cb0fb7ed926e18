package ebb.background;

import ebb.background.law.SharedWindow;

/**
 * One direction to one place: a window that connections on several event loops share. Thread-safe.
 */
final class Place {
  private final SharedWindow shared = new SharedWindow();
  private long lastUsed;

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
      long totalLosses,
      long rttMicros,
      int packetBytes) {
    lastUsed = nowMicros;
    member.sample(nowMicros, totalBytes, totalLosses, rttMicros, packetBytes);
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
