package ebb.testkit.link;

import ebb.testkit.sim.Lane;
import ebb.testkit.sim.Simulation;
import ebb.testkit.sim.Trace;
import java.util.ArrayDeque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link: a drop-tail queue, CoDel's if asked for, a server of some rate, and a
 * wire with delay and faults. It owns the packets from their arrival until their delivery to the
 * next hop, and the statistics of its queue.
 */
public final class Link {
  private static final int IP_HEADER_BYTES = 20;

  private record Waiting<P extends SimPacket>(
      P packet, Path<P> path, int hop, int wireBytes, long arrivedMicros) {
    void deliver() {
      path.forward(packet, hop + 1);
    }
  }

  private final Simulation sim;
  private final int id;
  private final String name;
  private final LinkSpec spec;
  private final RandomGenerator random;
  private final LinkStats stats;
  private final ArrayDeque<Waiting<?>> queue = new ArrayDeque<>();
  private final Lane wire;

  private final @Nullable Codel<Waiting<?>> codel;

  private long queuedBytes;
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
    CodelSpec codelSpec = spec.codel();
    codel =
        codelSpec == null
            ? null
            : new Codel<>(
                codelSpec,
                spec.mtuBytes(),
                this::poll,
                Waiting::arrivedMicros,
                this::queuedBytes,
                this::dropAtHead);
    loss = spec.loss().at(sim.nowMicros()).start();
    lossChangesAtMicros = spec.loss().nextChangeMicros(sim.nowMicros());
    delayChangesAtMicros = spec.delayMicros().nextChangeMicros(sim.nowMicros());
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
    return queuedBytes;
  }

  /** What the link could have carried in [{@code from}, {@code to}), in bytes. */
  public double capacityBytes(long fromMicros, long toMicros) {
    return spec.rateBitsPerSecond().integralSeconds(fromMicros, toMicros, rate -> rate) / 8;
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
    if (busy && queuedBytes + wireBytes > spec.bufferBytes()) {
      stats.countDropped(packet.flow());
      trace(Trace.DROPPED_BUFFER, packet);
      return;
    }
    trace(Trace.ENQUEUED, packet);
    queue.add(new Waiting<>(packet, path, hop, wireBytes, sim.nowMicros()));
    queuedBytes += wireBytes;
    if (!busy) {
      busy = true;
      serve();
    }
  }

  private @Nullable Waiting<?> poll() {
    Waiting<?> head = queue.poll();
    if (head != null) {
      queuedBytes -= head.wireBytes();
    }
    return head;
  }

  private void dropAtHead(Waiting<?> dropped) {
    stats.countDropped(dropped.packet().flow());
    trace(Trace.DROPPED_BUFFER, dropped.packet());
  }

  /** Starts on the packet at the head of the queue. */
  private void serve() {
    long now = sim.nowMicros();
    long rate = spec.rateBitsPerSecond().at(now);
    if (rate == 0) {
      long resumes = spec.rateBitsPerSecond().nextChangeMicros(now);
      if (resumes != Long.MAX_VALUE) {
        freeAtNanos = resumes * 1_000;
        sim.at(resumes, this::serve);
      }
      return;
    }
    Waiting<?> head = codel == null ? poll() : codel.dequeue(now);
    if (head == null) {
      busy = false;
      return;
    }
    // Nanoseconds are kept from packet to packet: whole microseconds alone would give a link of
    // 500 Mbit/s a rate that is wrong by some percent.
    long startNanos = Math.max(freeAtNanos, head.arrivedMicros() * 1_000);
    freeAtNanos =
        startNanos + (rate == LinkSpec.UNLIMITED ? 0 : head.wireBytes() * 8_000_000_000L / rate);
    stats.countStarted(now, now - head.arrivedMicros());
    sim.at((freeAtNanos + 999) / 1_000, () -> served(head));
  }

  private void served(Waiting<?> sent) {
    long now = sim.nowMicros();
    SimPacket packet = sent.packet();
    stats.countTransmitted(packet.flow(), now, sent.wireBytes());
    if (loses(now)) {
      stats.countLost(packet.flow());
      trace(Trace.DROPPED_LOSS, packet);
    } else {
      propagate(sent, now);
      if (spec.faults().duplicateProbability() > 0
          && random.nextDouble() < spec.faults().duplicateProbability()) {
        stats.duplicated++;
        trace(Trace.DUPLICATED, packet);
        propagate(sent, now);
      }
    }
    if (queue.isEmpty() && codel == null) {
      busy = false;
    } else {
      serve(); // CoDel wants to know that its queue is empty.
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
      delivery += (long) (random.nextDouble() * (spec.faults().jitterMicros() + 1));
    }
    if (spec.faults().reorderProbability() > 0
        && random.nextDouble() < spec.faults().reorderProbability()) {
      delivery += 1 + (long) (random.nextDouble() * spec.faults().reorderMicros());
      stats.reordered++;
      trace(Trace.REORDERED, sent.packet());
    } else {
      delivery = Math.max(delivery, lastDeliveryMicros);
      lastDeliveryMicros = delivery;
    }
    wire.at(
        delivery,
        () -> {
          trace(Trace.DELIVERED, sent.packet());
          sent.deliver();
        });
  }

  private void trace(int kind, SimPacket packet) {
    sim.trace().record(kind, sim.nowMicros(), id, packet.flow(), packet.checksum());
  }
}
