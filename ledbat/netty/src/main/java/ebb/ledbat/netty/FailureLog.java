package ebb.ledbat.netty;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;

/**
 * Says at WARN what went wrong, at most once in ten seconds per kind, so that no peer can fill a
 * log. Used on one thread.
 */
final class FailureLog {
  private static final long QUIET_MICROS = 10_000_000;
  private static final int MAX_KINDS = 64;

  private record Kind(String where, Class<?> type) {}

  private final Logger logger;
  private final Map<Kind, Long> lastMicros = new HashMap<>();

  FailureLog(Logger logger) {
    this.logger = logger;
  }

  void warn(String where, Throwable cause, long nowMicros) {
    Kind kind = new Kind(where, cause.getClass());
    Long last = lastMicros.get(kind);
    if (last != null ? nowMicros - last < QUIET_MICROS : lastMicros.size() >= MAX_KINDS) {
      logger.debug("{} failed", where, cause);
      return;
    }
    lastMicros.put(kind, nowMicros);
    logger.warn("{} failed; carrying on", where, cause);
  }
}
