package ebb.ledbat.congestion;

/**
 * When a connection slows down. LEDBAT++, 4.4: "A slowdown is an interval during which the LEDBAT++
 * connection voluntarily reduces its traffic, allowing queues to drain and transmission delay
 * measurements to converge to the base delay." Owns the times; the window is the controller's.
 */
final class SlowdownSchedule {
  private static final long NEVER = Long.MAX_VALUE;

  /** LEDBAT++, 4.4: "the initial slowdown begins 2 RTT after the initial slow start completes". */
  private static final int INITIAL_WAIT_RTT = 2;

  /** LEDBAT++, 4.4: "frozen at 2 packets for 2 RTT". */
  private static final int FREEZE_RTT = 2;

  /** LEDBAT++, 4.4: "9 times this duration" after the last one ended the next one begins. */
  private static final int WAIT_PER_DURATION = 9;

  private long dueMicros = NEVER;
  private long beganMicros = NEVER;
  private long thawMicros;
  private long lastAckMicros;
  private long dueBeforeMicros = NEVER;
  private long beganBeforeMicros = NEVER;

  /** Whether it is time to slow down, in congestion avoidance. */
  boolean isDue(long rttMicros, long nowMicros) {
    if (dueMicros == NEVER) {
      // A controller that took over a running connection has had no slow start.
      dueMicros = nowMicros + INITIAL_WAIT_RTT * rttMicros;
    }
    return nowMicros >= dueMicros;
  }

  void onBegin(long rttMicros, long nowMicros) {
    beganMicros = nowMicros;
    lastAckMicros = nowMicros;
    thawMicros = nowMicros + FREEZE_RTT * rttMicros;
  }

  /** Whether the window may grow again. */
  boolean isThawed(long nowMicros) {
    lastAckMicros = nowMicros;
    return nowMicros >= thawMicros;
  }

  /** An acknowledgement during the ramp. */
  void onAck(long nowMicros) {
    lastAckMicros = nowMicros;
  }

  /**
   * Since the acknowledgement before, the application has not used the window; that time is no part
   * of the slowdown, or an idle hour would put the next one off by nine.
   */
  void onUnused(long nowMicros) {
    if (beganMicros != NEVER) {
      beganMicros += nowMicros - lastAckMicros;
    }
  }

  /** Congestion avoidance begins. */
  void onAvoidance(long rttMicros, long nowMicros) {
    dueBeforeMicros = dueMicros;
    beganBeforeMicros = beganMicros;
    if (beganMicros != NEVER) {
      dueMicros = nowMicros + WAIT_PER_DURATION * (nowMicros - beganMicros);
      beganMicros = NEVER;
    } else if (dueMicros == NEVER) {
      dueMicros = nowMicros + INITIAL_WAIT_RTT * rttMicros;
    }
  }

  /** What ended the slow start before it was nothing: it goes on. */
  void onAvoidanceUndone() {
    dueMicros = dueBeforeMicros;
    beganMicros = beganBeforeMicros;
  }
}
