package ebb.ledbat.netty;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/**
 * Warnings that a peer can cause at will: of each kind one in ten seconds, with the number of those
 * left out, so that nobody can fill a log. Thread-safe.
 */
public final class WarningLimiter {
  /** Between two warnings of one kind. */
  public static final long INTERVAL_MICROS = 10_000_000;

  private static final int MAX_KINDS = 64;
  private static final int MAX_LINE = 300;

  /** What was said of one kind, and how much was not since. */
  private static final class Kind {
    private long lastMicros;
    private long leftOut;
  }

  private final Logger log;
  private final Map<String, Kind> kinds = new HashMap<>();
  private final Set<String> kindsShown = new HashSet<>();

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

  /**
   * Says with its stack that a part failed and goes on, or counts it; logged at DEBUG then. Where
   * no log is set up, the first of each kind is one line on standard error.
   */
  public synchronized void warnFailed(long nowMicros, String part, Throwable cause) {
    long leftOut = turn(nowMicros, kind(part, cause));
    if (leftOut >= 0 && nobodyLogs()) {
      if (kindsShown.add(kind(part, cause))) {
        System.err.println("ebb: " + part + " failed; carrying on: " + oneLine(cause));
      }
    } else if (leftOut >= 0) {
      log.warn("{} failed; carrying on" + after(leftOut), part, cause);
    } else {
      log.debug("{} failed", part, cause);
    }
  }

  private static String kind(String part, Throwable cause) {
    return part + ' ' + cause.getClass().getName();
  }

  /** Without an SLF4J provider, and with the one that is meant to be silent. */
  private static boolean nobodyLogs() {
    return LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory;
  }

  private static String oneLine(Throwable cause) {
    StringBuilder line = new StringBuilder();
    cause
        .toString()
        .codePoints()
        .limit(MAX_LINE)
        .map(c -> Character.isISOControl(c) ? ' ' : c)
        .forEach(line::appendCodePoint);
    return line.toString();
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
