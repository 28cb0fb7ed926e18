package ebb.ledbat.congestion;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * One controller with an endless source behind one drop-tail link: packets of equal size, an
 * acknowledgement for each, times in microseconds, no randomness. Made to judge a controller's
 * closed loop alone; recovery is a constant (a loss is known when the packet after it is
 * acknowledged), and there is no pacing.
 */
final class Bottleneck {
  static final int MSS = 1_500;

  private static final long SECOND = 1_000_000;

  private final CongestionController controller;
  private final long serviceMicros;
  private final long baseRttMicros;
  private final long bufferMicros;

  /** Added to the one-way delay from a moment on; the sender is not told. */
  private long routeChangeAtMicros = Long.MAX_VALUE;

  private long routeChangeMicros;
  private long clockOffsetMicros;

  private final ArrayDeque<long[]> acks = new ArrayDeque<>();
  private long linkFreeMicros;
  private long flightBytes;
  private long smoothedRttMicros;
  private boolean lossPending;

  private long[] queueSamples = new long[1 << 16];
  private int queueSampleCount;
  private long measureFromMicros;
  private long busyMicros;
  private long drops;

  Bottleneck(
      CongestionController controller, double megabits, long baseRttMicros, long bufferMicros) {
    this.controller = controller;
    serviceMicros = Math.round(MSS * 8 / megabits);
    this.baseRttMicros = baseRttMicros;
    this.bufferMicros = bufferMicros;
  }

  /** The receiver's clock minus the sender's. */
  Bottleneck clockOffset(long micros) {
    clockOffsetMicros = micros;
    return this;
  }

  /** Lengthens the forward path by {@code micros} at {@code atSeconds}. */
  Bottleneck routeChange(long micros, long atSeconds) {
    routeChangeMicros = micros;
    routeChangeAtMicros = atSeconds * SECOND;
    return this;
  }

  /**
   * Runs from time 0 to {@code untilSeconds} and measures what happens after {@code fromSeconds}.
   */
  Bottleneck run(long fromSeconds, long untilSeconds) {
    measureFromMicros = fromSeconds * SECOND;
    send(0);
    while (acks.getFirst()[0] < untilSeconds * SECOND) {
      long[] ack = acks.removeFirst();
      acknowledge(ack[0], ack[1], ack[2]);
      send(ack[0]);
    }
    utilisation = (double) busyMicros / (untilSeconds * SECOND - measureFromMicros);
    return this;
  }

  private double utilisation;

  double utilisation() {
    return utilisation;
  }

  /** The median time that packets waited in the buffer. */
  long medianQueueMicros() {
    long[] sorted = Arrays.copyOf(queueSamples, queueSampleCount);
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  long drops() {
    return drops;
  }

  private void send(long now) {
    while (flightBytes + MSS <= controller.cwndBytes()) {
      long waitMicros = Math.max(0, linkFreeMicros - now);
      if (waitMicros > bufferMicros) {
        // The loss is noticed with the next acknowledgement and repaired at once.
        drops++;
        lossPending = true;
        return;
      }
      flightBytes += MSS;
      linkFreeMicros = now + waitMicros + serviceMicros;
      long forward = waitMicros + serviceMicros + baseRttMicros / 2;
      if (now >= routeChangeAtMicros) {
        forward += routeChangeMicros;
      }
      acks.addLast(
          new long[] {now + forward + baseRttMicros / 2, forward + clockOffsetMicros, now});
      if (now >= measureFromMicros) {
        busyMicros += serviceMicros;
        if (queueSampleCount == queueSamples.length) {
          queueSamples = Arrays.copyOf(queueSamples, 2 * queueSampleCount);
        }
        queueSamples[queueSampleCount++] = waitMicros;
      }
    }
  }

  private void acknowledge(long now, long oneWayDelayMicros, long sentMicros) {
    long rtt = now - sentMicros;
    smoothedRttMicros = smoothedRttMicros == 0 ? rtt : (7 * smoothedRttMicros + rtt) / 8;
    controller.onDelaySample(oneWayDelayMicros, smoothedRttMicros, now);
    if (lossPending) {
      lossPending = false;
      controller.onLoss(MSS, smoothedRttMicros, now);
    }
    controller.onAck(MSS, flightBytes, smoothedRttMicros, now);
    flightBytes -= MSS;
  }
}
