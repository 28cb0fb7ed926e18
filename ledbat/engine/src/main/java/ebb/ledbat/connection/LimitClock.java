package ebb.ledbat.connection;

import org.jspecify.annotations.Nullable;

/**
 * Adds up how long each {@link SendLimit} has held, from the connection's beginning to its end. It
 * is told of the limit of the moment and decides nothing.
 */
final class LimitClock {
  private static final SendLimit[] LIMITS = SendLimit.values();

  private final @Nullable Tracer tracer;
  private final long[] micros = new long[LIMITS.length];
  private SendLimit current = SendLimit.HANDSHAKE;
  private long sinceMicros;
  private long latestMicros;
  private boolean stopped;

  LimitClock(@Nullable Tracer tracer, long nowMicros) {
    this.tracer = tracer;
    sinceMicros = nowMicros;
    latestMicros = nowMicros;
  }

  /** From now on this is the limit. */
  void set(SendLimit limit, long nowMicros) {
    tick(nowMicros);
    if (limit != current) {
      count();
      current = limit;
    }
  }

  /** So late it is. */
  void tick(long nowMicros) {
    latestMicros = Math.max(latestMicros, nowMicros);
  }

  /** The last time that was told. */
  long latestMicros() {
    return latestMicros;
  }

  /** The connection is closed, at the last time that was told: nothing limits it any more. */
  void stop() {
    count();
    stopped = true;
  }

  private void count() {
    if (!stopped) {
      if (tracer != null && latestMicros > sinceMicros) {
        tracer.limited(current, sinceMicros, latestMicros);
      }
      micros[current.index] += latestMicros - sinceMicros;
      sinceMicros = latestMicros;
    }
  }

  /** The times up to now. */
  LimitTimes times(long nowMicros) {
    tick(nowMicros);
    count();
    return new LimitTimes(micros);
  }
}
