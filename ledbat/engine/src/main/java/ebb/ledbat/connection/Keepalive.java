package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.Timers.Timer;

/**
 * Signs of life while nothing else is sent, and when the lack of the peer's means that it is gone.
 * Only Ebb is known to send them regularly, and to answer when it is asked; so only an Ebb peer is
 * given up for its silence.
 */
final class Keepalive {
  /** How often a silent peer is asked; more than an ordinary round trip. */
  private static final long ASK_AGAIN_MICROS = 10_000_000;

  /** Between two hints that the peer cannot be reached; anybody can forge them. */
  private static final long HINT_PAUSE_MICROS = 1_000_000;

  private final Timers timers;
  private final long periodMicros;
  private final long patienceMicros;
  private long lastHeardMicros;
  private long lastHintMicros = Long.MIN_VALUE;
  private boolean due;
  private boolean asking;

  Keepalive(LedbatConfig config, Timers timers, long nowMicros) {
    this.timers = timers;
    periodMicros = config.keepaliveMicros();
    patienceMicros = config.giveUpMicros();
    lastHeardMicros = nowMicros;
  }

  void onHeard(long nowMicros) {
    lastHeardMicros = nowMicros;
    asking = false;
    if (!timers.isSet(Timer.KEEPALIVE)) {
      timers.set(Timer.KEEPALIVE, nowMicros + periodMicros);
    }
  }

  /** Anything that is sent is a sign of life. */
  void onSent(long nowMicros) {
    due = false;
    long nextMicros =
        nowMicros + (asking ? Math.min(ASK_AGAIN_MICROS, periodMicros) : periodMicros);
    boolean waits = overdueMicros() > nowMicros;
    timers.set(Timer.KEEPALIVE, waits ? Math.min(nextMicros, overdueMicros()) : nextMicros);
  }

  /**
   * The timer has run out.
   *
   * @param answers whether the peer answers when it is asked
   */
  void request(boolean answers, long nowMicros) {
    due = true;
    asking = answers && nowMicros - lastHeardMicros >= Math.min(periodMicros, patienceMicros / 2);
  }

  /** Somebody says that the peer cannot be reached: it is asked at once. */
  void onHint(boolean answers, long nowMicros) {
    if (lastHintMicros == Long.MIN_VALUE || nowMicros - lastHintMicros >= HINT_PAUSE_MICROS) {
      lastHintMicros = nowMicros;
      due = true;
      asking = answers;
    }
  }

  boolean isDue() {
    return due;
  }

  /** Whether the peer has been silent for so long that it is to answer. */
  boolean isAsking() {
    return asking;
  }

  private long overdueMicros() {
    return lastHeardMicros + patienceMicros;
  }

  /** Whether a peer that sends keepalives must be gone. */
  boolean isPeerOverdue(long nowMicros) {
    return nowMicros >= overdueMicros();
  }
}
