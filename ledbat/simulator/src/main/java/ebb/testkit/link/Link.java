package ebb.testkit.link;

import ebb.testkit.sim.Lane;
import ebb.testkit.sim.Simulation;
import ebb.testkit.sim.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link: a token bucket if asked for, a queue, a server of some rate, and a wire
 * with delay and faults. It owns the packets from their arrival until their delivery to the next
 * hop, and the statistics of its queue; which packets wait and which are dropped is the {@link
 * PacketQueue}'s to say.
 */
public final class Link {
  private static final int IP_HEADER_BYTES = 20;

  private final Simulation sim;
  private final int id;
  private final String name;
  private final LinkSpec spec;
  private final RandomGenerator random;
  private final LinkStats stats;
  private final PacketQueue queue;
  private final Lane wire;

  private final @Nullable TokenBucket bucket;
  private final @Nullable ServiceMoments moments;

  private final List<Held> held = new ArrayList<>();

  private boolean busy;
  private long freeAtNanos;
  private LossSpec.Chain loss;
  private long lossChangesAtMicros;
  private long delayChangesAtMicros;
  private long lastDeliveryMicros;

  /**
   * A link in {@code sim}.
   *
   * @param id tells links apart in the trace
   * @param name tells links apart in reports, and seeds this link's randomness
   */
  public Link(Simulation sim, int id, String name, LinkSpec spec) {
    this.sim = sim;
    this.id = id;
    this.name = name;
    this.spec = spec;
    random = sim.random("link " + name);
    stats = new LinkStats();
    wire = new Lane(sim);
    queue = PacketQueue.of(spec.queue(), surroundings());
    bucket = spec.bucket() == null ? null : new TokenBucket(spec.bucket());
    moments = ServiceMoments.of(spec, sim.random("service " + name));
    loss = spec.loss().at(sim.nowMicros()).start();
    lossChangesAtMicros = spec.loss().nextChangeMicros(sim.nowMicros());
    delayChangesAtMicros = spec.delayMicros().nextChangeMicros(sim.nowMicros());
  }

  private PacketQueue.Surroundings surroundings() {
    long rate = spec.rateBitsPerSecond().at(sim.nowMicros());
    long packetMicros = Math.max(1, spec.mtuBytes() * 8_000_000L / Math.max(1, rate));
    return new PacketQueue.Surroundings(
        spec.bufferBytes(),
        spec.mtuBytes(),
        packetMicros,
        sim.random("queue " + name),
        dropped -> countDropped(dropped.packet()));
  }

  public String name() {
    return name;
  }

  public LinkSpec spec() {
    return spec;
  }

  public LinkStats stats() {
    return stats;
  }

  /** IP bytes that wait, without the packet being serialised. */
  public long queuedBytes() {
    return queue.bytes();
  }

  /** What the link could have carried in [{@code from}, {@code to}), in bytes. */
  public double capacityBytes(long fromMicros, long toMicros) {
    return spec.capacityBytes(fromMicros, toMicros);
  }

  /** Share of the capacity in [{@code from}, {@code to}) that packets took, lost ones included. */
  public double utilisation(long fromMicros, long toMicros) {
    return stats.transmittedBytes(fromMicros, toMicros) / capacityBytes(fromMicros, toMicros);
  }

  <P extends SimPacket> void offer(P packet, Path<P> path, int hop) {
    int wireBytes = packet.ipBytes();
    if (wireBytes > spec.mtuBytes()) {
      if (packet.dontFragment()) {
        stats.droppedMtu++;
        trace(Trace.DROPPED_MTU, packet);
        return;
      }
      // RFC 791: fragments carry multiples of 8 bytes behind a header each.
      int perFragment = (spec.mtuBytes() - IP_HEADER_BYTES) / 8 * 8;
      int payload = wireBytes - IP_HEADER_BYTES;
      int fragments = (payload + perFragment - 1) / perFragment;
      wireBytes = payload + fragments * IP_HEADER_BYTES;
    }
    long now = sim.nowMicros();
    if (bucket != null && isPoliced() && !bucket.take(wireBytes, now)) {
      countDropped(packet);
      return;
    }
    if (!queue.offer(new Waiting<>(packet, path, hop, wireBytes, now), !busy, now)) {
      countDropped(packet);
      return;
    }
    trace(Trace.ENQUEUED, packet);
    if (!busy) {
      busy = true;
      serve();
    }
  }

  private boolean isPoliced() {
    TokenBucketSpec limit = spec.bucket();
    return limit != null && limit.drops();
  }

  private void countDropped(SimPacket packet) {
    stats.countDropped(packet.flow(), sim.nowMicros(), packet.ipBytes());
    trace(Trace.DROPPED_BUFFER, packet);
  }

  /** Starts on the next packet, or waits for the next moment at which some are served. */
  private void serve() {
    if (moments != null) {
      long next = moments.nextMicros(sim.nowMicros());
      if (next != Long.MAX_VALUE) {
        sim.at(next, this::serveMoment);
      }
      return;
    }
    long now = sim.nowMicros();
    if (spec.rateBitsPerSecond().at(now) == 0) {
      long resumes = spec.rateBitsPerSecond().nextChangeMicros(now);
      if (resumes != Long.MAX_VALUE) {
        freeAtNanos = resumes * 1_000;
        sim.at(resumes, this::serve);
      }
      return;
    }
    Waiting<?> head = queue.poll(now);
    if (head == null) {
      busy = false;
      return;
    }
    long waitMicros = bucket == null || isPoliced() ? 0 : bucket.waitMicros(head.wireBytes(), now);
    if (waitMicros > 0) {
      freeAtNanos = (now + waitMicros) * 1_000;
      sim.at(now + waitMicros, () -> serialise(head));
    } else {
      serialise(head);
    }
  }

  private void serialise(Waiting<?> head) {
    long now = sim.nowMicros();
    if (bucket != null && !isPoliced()) {
      bucket.spend(head.wireBytes(), now);
    }
    long rate = spec.rateBitsPerSecond().at(now);
    // Nanoseconds are kept from packet to packet: whole microseconds alone would give a link of
    // 500 Mbit/s a rate that is wrong by some percent.
    long startNanos = Math.max(freeAtNanos, head.arrivedMicros() * 1_000);
    freeAtNanos =
        startNanos + (rate == LinkSpec.UNLIMITED ? 0 : head.wireBytes() * 8_000_000_000L / rate);
    stats.countStarted(now, now - head.arrivedMicros());
    sim.at((freeAtNanos + 999) / 1_000, () -> served(head));
  }

  private void served(Waiting<?> sent) {
    transmit(sent);
    if (queue.bytes() > 0) {
      serve();
    } else {
      queue.poll(sim.nowMicros()); // Disciplines want to know that they are empty.
      busy = false;
    }
  }

  /** Everything that waits, up to what the moment carries. */
  private void serveMoment() {
    long now = sim.nowMicros();
    ServiceMoments service = Objects.requireNonNull(moments);
    service.begin(now);
    while (service.hasRoom()) {
      Waiting<?> head = queue.poll(now);
      if (head == null) {
        service.forgetRoom();
        busy = false;
        return;
      }
      stats.countStarted(now, now - head.arrivedMicros());
      service.spend(head.wireBytes());
      transmit(head);
    }
    serve();
  }

  private void transmit(Waiting<?> sent) {
    long now = sim.nowMicros();
    SimPacket packet = sent.packet();
    stats.countTransmitted(packet.flow(), now, sent.wireBytes());
    if (loses(now)) {
      stats.countLost(packet.flow(), now, packet.ipBytes());
      trace(Trace.DROPPED_LOSS, packet);
      return;
    }
    propagate(sent, now);
    if (spec.faults().duplicateProbability() > 0
        && random.nextDouble() < spec.faults().duplicateProbability()) {
      stats.duplicated++;
      trace(Trace.DUPLICATED, packet);
      propagate(sent, now);
    }
  }

  private boolean loses(long now) {
    if (now >= lossChangesAtMicros) {
      loss = spec.loss().at(now).start();
      lossChangesAtMicros = spec.loss().nextChangeMicros(now);
    }
    return loss.loses(random);
  }

  private void propagate(Waiting<?> sent, long now) {
    if (now >= delayChangesAtMicros) {
      delayChangesAtMicros = spec.delayMicros().nextChangeMicros(now);
      lastDeliveryMicros = 0; // Another route: nothing keeps the order between the two.
    }
    long delivery = now + spec.delayMicros().at(now);
    if (spec.faults().jitterMicros() > 0) {
      delivery += spec.faults().jitterShape().drawMicros(random, spec.faults().jitterMicros());
    }
    if (spec.faults().reorderProbability() > 0
        && random.nextDouble() < spec.faults().reorderProbability()) {
      stats.reordered++;
      trace(Trace.REORDERED, sent.packet());
      if (spec.faults().reorderPackets() > 0) {
        hold(sent, delivery);
        return;
      }
      delivery += 1 + (long) (random.nextDouble() * spec.faults().reorderMicros());
    } else {
      delivery = Math.max(delivery, lastDeliveryMicros);
      lastDeliveryMicros = delivery;
    }
    deliverAt(delivery, sent);
    letGo(delivery);
  }

  private void deliverAt(long micros, Waiting<?> sent) {
    wire.at(
        micros,
        () -> {
          trace(Trace.DELIVERED, sent.packet());
          sent.deliver();
        });
  }

  /** Until enough others have overtaken it, or have not come. */
  private void hold(Waiting<?> sent, long dueMicros) {
    Held packet = new Held(sent, spec.faults().reorderPackets());
    held.add(packet);
    sim.at(
        dueMicros + spec.faults().reorderMicros(),
        () -> {
          if (held.remove(packet)) {
            deliverAt(sim.nowMicros(), packet.sent);
          }
        });
  }

  /** One more has overtaken those that are held back. */
  private void letGo(long deliveryMicros) {
    for (Held packet : held) {
      packet.overtakers--;
    }
    while (!held.isEmpty() && held.get(0).overtakers == 0) {
      deliverAt(deliveryMicros, held.remove(0).sent);
    }
  }

  private static final class Held {
    final Waiting<?> sent;
    int overtakers;

    Held(Waiting<?> sent, int overtakers) {
      this.sent = sent;
      this.overtakers = overtakers;
    }
  }

  private void trace(int kind, SimPacket packet) {
    sim.trace().record(kind, sim.nowMicros(), id, packet.flow(), packet.checksum());
  }
}
