package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.Timers.Timer;

/**
 * Signs of life while nothing else is sent, and when the lack of the peer's means that it is gone.
 * Only Ebb is known to send them regularly, so only an Ebb peer is given up for its silence.
 */
final class Keepalive {
  /** An Ebb peer that missed this many is gone. */
  private static final int MISSED_BEFORE_GIVING_UP = 5;

  private final Timers timers;
  private final long periodMicros;
  private final long patienceMicros;
  private long lastHeardMicros;
  private boolean due;

  Keepalive(LedbatConfig config, Timers timers, long nowMicros) {
    this.timers = timers;
    periodMicros = config.keepaliveMicros();
    patienceMicros = Math.max(MISSED_BEFORE_GIVING_UP * periodMicros, config.giveUpMicros());
    lastHeardMicros = nowMicros;
  }

  void onHeard(long nowMicros) {
    lastHeardMicros = nowMicros;
    if (!timers.isSet(Timer.KEEPALIVE)) {
      timers.set(Timer.KEEPALIVE, nowMicros + periodMicros);
    }
  }

  /** Anything that is sent is a sign of life. */
  void onSent(long nowMicros) {
    due = false;
    timers.set(Timer.KEEPALIVE, nowMicros + periodMicros);
  }

  /** The timer has run out. */
  void request() {
    due = true;
  }

  boolean isDue() {
    return due;
  }

  /** Whether a peer that sends keepalives must be gone. */
  boolean isPeerOverdue(long nowMicros) {
    return nowMicros - lastHeardMicros >= patienceMicros;
  }
}
