package ebb.ledbat.netty;

import ebb.ledbat.trace.Counters;
import java.util.function.LongSupplier;

/** A driver's running counts. Written on the loop only; {@link #publish} makes them visible. */
final class DriverCounts {
  long wakeUps;
  long burstsIn;
  long datagramsIn;
  long bytesIn;
  long burstsOut;
  long datagramsOut;
  long bytesOut;
  long foreignIn;
  long foreignOut;
  long sendTooLarge;
  long sendUnreachable;
  long sendFailed;
  long gsoFallbacks;
  long sendBlocked;
  long readFailures;
  long engineFailures;
  long handedOver;
  long handOverDropped;

  private volatile long published;

  void publish() {
    published = wakeUps;
  }

  /** Those of the driver first, which makes the engine's visible too. */
  void addTo(Counters.Builder all, LongSupplier foreignRefused) {
    // The volatile read orders the plain ones after it, the engine's included.
    all.counter("wake_ups", "cycles", "of the driver", () -> Math.max(published, wakeUps))
        .counter("bursts_in", "bursts", "runs of equal datagrams from one peer", () -> burstsIn)
        .counter("datagrams_in", "datagrams", "of uTP, from the socket", () -> datagramsIn)
        .counter("bytes_in", "bytes", "of those", () -> bytesIn)
        .counter("bursts_out", "bursts", "taken from the engine", () -> burstsOut)
        .counter("datagrams_out", "datagrams", "of those", () -> datagramsOut)
        .counter("bytes_out", "bytes", "of those", () -> bytesOut)
        .counter("foreign_in", "datagrams", "that were not uTP", () -> foreignIn)
        .counter("foreign_out", "datagrams", "sent that are not uTP", () -> foreignOut)
        .counter("foreign_refused", "datagrams", "because too many waited", foreignRefused)
        .counter("send_too_large", "sends", "refused with EMSGSIZE", () -> sendTooLarge)
        .counter("send_unreachable", "sends", "without a way to the peer", () -> sendUnreachable)
        .counter("send_failed", "sends", "refused for other reasons", () -> sendFailed)
        .counter("gso_fallbacks", "bursts", "sent again without GSO", () -> gsoFallbacks)
        .counter("send_blocked", "times", "that sending waited for the socket", () -> sendBlocked)
        .counter("read_failures", "calls", "to receive that failed", () -> readFailures)
        .counter("engine_failures", "exceptions", "caught at the driver", () -> engineFailures)
        .counter(
            "handed_over", "datagrams", "passed on to the port's loop for it", () -> handedOver)
        .counter(
            "hand_over_dropped", "datagrams", "because too much waited", () -> handOverDropped);
  }

  DriverStats snapshot(UdpSocket socket, boolean gsoInUse, long foreignRefused) {
    // The volatile read orders the plain ones after it.
    long seenWakeUps = published;
    return new DriverStats(
        socket.transport(),
        gsoInUse,
        socket.gro(),
        socket.receiveBufferBytes(),
        socket.sendBufferBytes(),
        Math.max(seenWakeUps, wakeUps),
        new DriverStats.Traffic(burstsIn, datagramsIn, bytesIn),
        new DriverStats.Traffic(burstsOut, datagramsOut, bytesOut),
        new DriverStats.Foreign(foreignIn, foreignOut, foreignRefused),
        new DriverStats.Refused(
            sendTooLarge, sendUnreachable, sendFailed, gsoFallbacks, sendBlocked),
        new DriverStats.HandOver(handedOver, handOverDropped),
        readFailures,
        engineFailures);
  }
}
