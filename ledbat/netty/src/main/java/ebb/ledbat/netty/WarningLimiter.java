package ebb.ledbat.netty;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;

/**
 * Warnings that a peer can cause at will: of each kind one in ten seconds, with the number of those
 * left out, so that nobody can fill a log. Thread-safe.
 */
public final class WarningLimiter {
  /** Between two warnings of one kind. */
  public static final long INTERVAL_MICROS = 10_000_000;

  private static final int MAX_KINDS = 64;

  /** What was said of one kind, and how much was not since. */
  private static final class Kind {
    private long lastMicros;
    private long leftOut;
  }

  private final Logger log;
  private final Map<String, Kind> kinds = new HashMap<>();

  /** Warnings that go to {@code log}. */
  public WarningLimiter(Logger log) {
    this.log = log;
  }

  /** Says it, or counts it; {@code format} is its kind. */
  public synchronized void warn(long nowMicros, String format, Object first, Object second) {
    long leftOut = turn(nowMicros, format);
    if (leftOut >= 0) {
      log.warn(format + after(leftOut), first, second);
    }
  }

  /** Says with its stack that a part failed and goes on, or counts it; logged at DEBUG then. */
  public synchronized void warnFailed(long nowMicros, String part, Throwable cause) {
    long leftOut = turn(nowMicros, part + ' ' + cause.getClass().getName());
    if (leftOut >= 0) {
      log.warn("{} failed; carrying on" + after(leftOut), part, cause);
    } else {
      log.debug("{} failed", part, cause);
    }
  }

  private static String after(long leftOut) {
    return leftOut == 0 ? "" : " (" + leftOut + " more like it not shown)";
  }

  /** How many of the kind were left out before this one; -1 when this one is left out, too. */
  private long turn(long nowMicros, String name) {
    Kind kind = kinds.get(name);
    if (kind == null) {
      if (kinds.size() >= MAX_KINDS) {
        return -1;
      }
      kind = new Kind();
      kinds.put(name, kind);
    } else if (nowMicros - kind.lastMicros < INTERVAL_MICROS) {
      kind.leftOut++;
      return -1;
    }
    long leftOut = kind.leftOut;
    kind.leftOut = 0;
    kind.lastMicros = nowMicros;
    return leftOut;
  }
}
