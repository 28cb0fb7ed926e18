package ebb.ledbat.connection;

import java.util.Arrays;

/** The named deadlines of one connection, in microseconds of the driver's clock. */
final class Timers {
  static final long NEVER = Long.MAX_VALUE;

  /** What happens when the deadline passes. */
  enum Timer {
    /** An unanswered SYN is repeated; a half-open connection is given up. */
    HANDSHAKE(0),
    /** RFC 6298's retransmission timer, RFC 6817's congestion timeout. */
    RETRANSMISSION(1),
    /** Packets not yet late enough to be lost may be by then. */
    LOSS(2),
    /** The last packet is sent again to provoke an acknowledgement. */
    TAIL_PROBE(3),
    /** The pacer lets the next burst go. */
    PACING(4),
    /** A closed window is probed. */
    PERSIST(5),
    /** A sign of life is due, or the peer's is overdue. */
    KEEPALIVE(6),
    /** A finished connection stops answering repeated FINs. */
    LINGER(7),
    /** An acknowledgement has waited long enough for more packets. */
    ACK(8),
    /** The peer may send more, or may not have heard that. */
    WINDOW(9);

    private final int index;

    Timer(int index) {
      this.index = index;
    }
  }

  private final long[] deadlinesMicros = new long[10];

  Timers() {
    cancelAll();
  }

  void set(Timer timer, long deadlineMicros) {
    deadlinesMicros[timer.index] = deadlineMicros;
  }

  void cancel(Timer timer) {
    deadlinesMicros[timer.index] = NEVER;
  }

  void cancelAll() {
    Arrays.fill(deadlinesMicros, NEVER);
  }

  boolean isSet(Timer timer) {
    return deadlinesMicros[timer.index] != NEVER;
  }

  /** Whether the timer is due; a due timer is cancelled by asking. */
  boolean expire(Timer timer, long nowMicros) {
    if (deadlinesMicros[timer.index] > nowMicros) {
      return false;
    }
    cancel(timer);
    return true;
  }

  long earliestMicros() {
    long earliest = NEVER;
    for (long deadline : deadlinesMicros) {
      earliest = Math.min(earliest, deadline);
    }
    return earliest;
  }
}
