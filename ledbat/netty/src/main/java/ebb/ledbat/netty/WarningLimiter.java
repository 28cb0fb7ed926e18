package ebb.ledbat.netty;

import org.slf4j.Logger;

/**
 * Warnings that a peer can cause at will: one in ten seconds, with the number of those left out.
 */
public final class WarningLimiter {
  private static final long INTERVAL_MICROS = 10_000_000;

  private final Logger log;
  private boolean warned;
  private long lastMicros;
  private long leftOut;

  public WarningLimiter(Logger log) {
    this.log = log;
  }

  /** Says it, or counts it. Thread-safe. */
  public synchronized void warn(long nowMicros, String format, Object first, Object second) {
    if (warned && nowMicros - lastMicros < INTERVAL_MICROS) {
      leftOut++;
      return;
    }
    warned = true;
    lastMicros = nowMicros;
    log.warn(format + " ({} more like it not shown)", first, second, leftOut);
    leftOut = 0;
  }
}
