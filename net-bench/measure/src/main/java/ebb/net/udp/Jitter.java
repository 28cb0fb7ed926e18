package ebb.net.udp;

/** RFC 3550's interarrival jitter of one flow, in microseconds. Not thread-safe. */
final class Jitter {
  private double micros;
  private long lastTransit;
  private boolean started;

  /** A datagram came; the clocks need not agree, for only differences count. */
  void onArrival(long sentMicros, long receivedMicros) {
    long transit = receivedMicros - sentMicros;
    if (started) {
      // RFC 3550, 6.4.1: "J(i) = J(i-1) + (|D(i-1,i)| - J(i-1))/16".
      micros += (Math.abs((double) transit - lastTransit) - micros) / 16;
    }
    started = true;
    lastTransit = transit;
  }

  long micros() {
    return Math.round(Math.min(micros, 1e15));
  }
}
