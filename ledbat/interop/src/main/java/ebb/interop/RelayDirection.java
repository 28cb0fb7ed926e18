package ebb.interop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One direction of a {@link LossyRelay}: decides each datagram's fate and counts it. */
final class RelayDirection {
  private final RelayConditions conditions;
  private final double loss;
  private final RandomGenerator random;
  private final DatagramChannel target;
  private @Nullable InetSocketAddress to;
  private final DelayLine line = new DelayLine();

  private long received;
  private long forwarded;
  private long bytesForwarded;
  private long lost;
  private long reordered;
  private long duplicated;
  private long tooLarge;
  private long overflowed;
  private long refused;

  RelayDirection(
      RelayConditions conditions, double loss, RandomGenerator random, DatagramChannel target) {
    this.conditions = conditions;
    this.loss = loss;
    this.random = random;
    this.target = target;
  }

  /** Where datagrams go; before this they are refused. */
  void setDestination(InetSocketAddress destination) {
    to = destination;
  }

  void onDatagram(ByteBuffer datagram, long nowNanos) {
    received++;
    if (datagram.remaining() > conditions.maxDatagramBytes()) {
      tooLarge++;
      return;
    }
    // Each chance is drawn only where there is one, always in this order: the same seed and the
    // same datagrams give the same fate.
    if (loss > 0 && random.nextDouble() < loss) {
      lost++;
      return;
    }
    long dueNanos = nowNanos + conditions.oneWayDelayMicros() * 1_000;
    if (conditions.duplicate() > 0 && random.nextDouble() < conditions.duplicate()) {
      duplicated++;
      keep(datagram, dueNanos + holdNanos(), false);
    }
    if (conditions.reorder() > 0 && random.nextDouble() < conditions.reorder()) {
      reordered++;
      keep(datagram, dueNanos + holdNanos(), false);
    } else if (conditions.oneWayDelayMicros() > 0) {
      keep(datagram, dueNanos, true);
    } else {
      forward(datagram);
    }
  }

  private long holdNanos() {
    return (long) (random.nextDouble() * conditions.holdMicros() * 1_000);
  }

  private void keep(ByteBuffer datagram, long dueNanos, boolean inOrder) {
    if (!line.add(datagram, dueNanos, inOrder)) {
      overflowed++;
    }
  }

  /** Sends on everything that is due. */
  void forwardDue(long nowNanos) {
    for (ByteBuffer next = line.poll(nowNanos); next != null; next = line.poll(nowNanos)) {
      forward(next);
    }
  }

  long nextDueNanos() {
    return line.nextDueNanos();
  }

  private void forward(ByteBuffer datagram) {
    int bytes = datagram.remaining();
    InetSocketAddress destination = to;
    try {
      if (destination != null && target.send(datagram, destination) == bytes) {
        forwarded++;
        bytesForwarded += bytes;
        return;
      }
    } catch (IOException e) {
      // Nobody listens (any more); a network would lose it as well.
    }
    refused++;
  }

  RelayCounts counts() {
    return new RelayCounts(
        received,
        forwarded,
        bytesForwarded,
        lost,
        reordered,
        duplicated,
        tooLarge,
        overflowed,
        refused);
  }
}
