package ebb.net.echo;

import ebb.net.control.TestSpec;

/**
 * When the next echo goes: by a plan that no answer moves, or, without an interval, as soon as the
 * one before is answered. Not thread-safe.
 */
public final class EchoSchedule {
  /** Between echoes, in the test's parameters; 0 for as soon as answered. */
  public static final String INTERVAL = "interval_micros";

  /** Without an interval an answer is waited for no longer than ping(8) does when it floods. */
  static final long FLOOD_MICROS = 10_000;

  /** A process that stood still for longer does not send all that it owes at once. */
  static final long MAX_BEHIND_MICROS = 1_000_000;

  private final long intervalMicros;
  private final long count;
  private long nextMicros;
  private long sent;
  private boolean stopped;

  /** By a test. */
  public EchoSchedule(TestSpec spec) {
    intervalMicros = spec.parameters().getOrDefault(INTERVAL, 0L);
    count = spec.amountBytes() / spec.messageBytes();
  }

  /** Begins with the first one now. */
  public void start(long nowMicros) {
    nextMicros = nowMicros;
  }

  /** No further one. */
  public void stop() {
    stopped = true;
  }

  /** Whether there is no further one. */
  public boolean exhausted() {
    return stopped || (count > 0 && sent >= count);
  }

  /** How long the next one has to wait; 0 when it is due. */
  public long waitMicros(long nowMicros) {
    return Math.max(0, nextMicros - nowMicros);
  }

  /**
   * The next one goes.
   *
   * @return when it was planned for
   */
  public long take(long nowMicros) {
    sent++;
    if (intervalMicros == 0) {
      nextMicros = nowMicros + FLOOD_MICROS;
      return nowMicros;
    }
    long planned = Math.max(nextMicros, nowMicros - MAX_BEHIND_MICROS);
    nextMicros = planned + intervalMicros;
    return planned;
  }

  /** The latest one was answered. */
  public void answered(long nowMicros) {
    if (intervalMicros == 0) {
      nextMicros = nowMicros;
    }
  }
}
