package ebb.net.udp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * For how long a sender of datagrams waited for its pace, and for its socket. A pause that lasts
 * longer than the pace asked for was a wait for a CPU, and is none of the two. One thread; any may
 * ask.
 */
final class SendWaits {
  /** What is late by less is made up for at once. */
  private static final long SOON_MADE_UP_MICROS = 10_000;

  private static final long NONE = Long.MIN_VALUE;

  private final AtomicLong paceMicros = new AtomicLong();
  private final AtomicLong socketMicros = new AtomicLong();
  private long fromMicros = NONE;
  private long plannedMicros = NONE;

  /** The next message is due so much later. */
  void forPace(long nowMicros, long waitMicros) {
    fromMicros = nowMicros;
    plannedMicros = waitMicros;
  }

  /** The socket takes no more for now. */
  void forSocket(long nowMicros) {
    fromMicros = nowMicros;
    plannedMicros = NONE;
  }

  /** The sender goes on. */
  void over(long nowMicros) {
    if (fromMicros == NONE) {
      return;
    }
    long waited = nowMicros - fromMicros;
    fromMicros = NONE;
    if (plannedMicros == NONE) {
      socketMicros.lazySet(socketMicros.getPlain() + waited);
    } else {
      boolean late = waited > plannedMicros + SOON_MADE_UP_MICROS;
      paceMicros.lazySet(paceMicros.getPlain() + (late ? plannedMicros : waited));
    }
  }

  /** By words for people. */
  Map<String, Long> micros() {
    Map<String, Long> micros = new LinkedHashMap<>();
    micros.put("rate bound", paceMicros.get());
    micros.put("socket", socketMicros.get());
    return micros;
  }
}
