package ebb.testkit.libutp;

import java.util.Arrays;

/**
 * libutp's view of one-way delays (utp_internal.cpp, {@code DelayHist}): thirteen minima of a
 * minute each, and the last three samples above the lowest of them. It owns both lists; delays here
 * are unwrapped, so nothing of libutp's care for wraps is needed.
 */
final class DelayHistory {
  /** {@code DELAY_BASE_HISTORY}. */
  static final int MINUTES = 13;

  /** {@code CUR_DELAY_SIZE}. */
  private static final int SAMPLES = 3;

  private static final long SLOT_MILLIS = 60_000;

  private final long[] minima = new long[MINUTES];

  /** Zero before there are three samples, so that the first two never show a queue. */
  private final long[] queues = new long[SAMPLES];

  private long baseMicros;
  private boolean known;
  private int slot;
  private int next;
  private long slotBeganMillis;

  void add(long delayMicros, long nowMillis) {
    if (!known) {
      known = true;
      Arrays.fill(minima, delayMicros);
      baseMicros = delayMicros;
      slotBeganMillis = nowMillis;
    }
    minima[slot] = Math.min(minima[slot], delayMicros);
    baseMicros = Math.min(baseMicros, delayMicros);
    queues[next] = delayMicros - baseMicros;
    next = (next + 1) % SAMPLES;
    if (nowMillis - slotBeganMillis > SLOT_MILLIS) {
      slotBeganMillis = nowMillis;
      slot = (slot + 1) % MINUTES;
      minima[slot] = delayMicros;
      baseMicros = Arrays.stream(minima).min().orElse(delayMicros);
    }
  }

  /** Raises the base, because a delay above the round trip cannot be. */
  void shift(long micros) {
    for (int i = 0; i < MINUTES; i++) {
      minima[i] += micros;
    }
    baseMicros += micros;
  }

  boolean isKnown() {
    return known;
  }

  long baseMicros() {
    return baseMicros;
  }

  /** The lowest of the last three. */
  long queueMicros() {
    return Math.min(queues[0], Math.min(queues[1], queues[2]));
  }
}
