package ebb.ledbat.netty;

/** A driver's running counts. Written on the loop only; {@link #publish} makes them visible. */
final class Counters {
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

  private volatile long published;

  void publish() {
    published = wakeUps;
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
        readFailures,
        engineFailures);
  }
}
