package ebb.testkit.host;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import ebb.testkit.link.Link;
import ebb.testkit.link.Path;
import ebb.testkit.sim.Simulation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs one real, unchanged {@link LedbatEndpoint} on virtual time, with a clock of its own, by the
 * driver's cycle that its comment demands. It owns the endpoint, the paths to other hosts and the
 * wake-up; what the connections carry is the listeners' business.
 */
public final class SimHost {
  private static final int PORT = 4_000;

  /** More cycles than this within one microsecond mean that the endpoint never comes to rest. */
  private static final int MAX_CYCLES_PER_MICROSECOND = 10_000;

  private final Simulation sim;
  private final int flow;
  private final String name;
  private final HostClock clock;
  private final LateHost.Times late;
  private final InetSocketAddress address;
  private final LedbatEndpoint endpoint;
  private final Transmit transmit;
  private final Map<InetSocketAddress, Path<UdpPacket>> paths = new HashMap<>();
  private final ArrayDeque<UdpPacket> arrived = new ArrayDeque<>();

  private boolean cyclePending;
  private long wakeAtMicros = Long.MAX_VALUE;
  private long lastCycleMicros = -1;
  private int cyclesNow;
  private long unroutable;

  /**
   * A host whose endpoint accepts connections for {@code listener}.
   *
   * @param flow number of the datagrams it sends, in links' statistics and in its address
   * @param maxSegments datagrams the endpoint may hand over in one burst, 1..64; each travels by
   *     itself
   */
  public SimHost(
      Simulation sim,
      int flow,
      String name,
      LedbatConfig config,
      HostClock clock,
      LateHost late,
      int maxSegments,
      EndpointListener listener) {
    this.sim = sim;
    this.flow = flow;
    this.name = name;
    this.clock = clock;
    this.late = new LateHost.Times(late, sim.random("lateness of " + name));
    address = addressOf(flow);
    endpoint = new LedbatEndpoint(config, sim.random("host " + name), listener);
    transmit = new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), maxSegments);
  }

  public String name() {
    return name;
  }

  public int flow() {
    return flow;
  }

  public InetSocketAddress address() {
    return address;
  }

  public LedbatEndpoint endpoint() {
    return endpoint;
  }

  /** What this host's clock shows. */
  public long nowMicros() {
    return clock.localMicros(sim.nowMicros());
  }

  /** Virtual time, which no endpoint sees. */
  public long virtualMicros() {
    return sim.nowMicros();
  }

  /** Datagrams for which there was no path. */
  public long unroutable() {
    return unroutable;
  }

  /** Datagrams to {@code other} pass {@code links} in order; replaces the path there was. */
  public void route(SimHost other, List<Link> links) {
    paths.put(other.address, new Path<>(links, other::onDatagram));
  }

  /** Opens a connection; what has to be sent for it is sent at once. */
  public LedbatConnection connect(SimHost remote, ConnectionListener listener) {
    LedbatConnection connection = endpoint.connect(remote.address, listener, nowMicros());
    requestCycle();
    return connection;
  }

  /** Runs {@code task} in the endpoint's context, then sends what it made sendable. */
  public void run(Runnable task) {
    task.run();
    requestCycle();
  }

  private void onDatagram(UdpPacket packet) {
    arrived.add(packet);
    requestCycle();
  }

  /** Everything that arrives in one microsecond is one burst, as a socket would give it. */
  private void requestCycle() {
    if (!cyclePending) {
      cyclePending = true;
      sim.at(late.freeMicros(sim.nowMicros()), this::cycle);
    }
  }

  private void wake(long scheduledMicros) {
    if (scheduledMicros != wakeAtMicros) {
      return; // An earlier wake-up took its place.
    }
    wakeAtMicros = Long.MAX_VALUE;
    if (endpoint.nextTimeoutMicros() <= nowMicros()) {
      requestCycle();
    } else {
      setWakeUp();
    }
  }

  private void cycle() {
    cyclePending = false;
    refuseToSpin();
    long now = nowMicros();
    for (UdpPacket packet = arrived.poll(); packet != null; packet = arrived.poll()) {
      endpoint.receive(packet.from, ByteBuffer.wrap(packet.payload), packet.payload.length, now);
    }
    if (endpoint.nextTimeoutMicros() <= now) {
      endpoint.onTimeout(now);
    }
    endpoint.endOfBurst(now);
    while (endpoint.pollTransmit(transmit, now)) {
      send();
    }
    setWakeUp();
  }

  private void send() {
    Path<UdpPacket> path = paths.get(transmit.destination);
    ByteBuffer burst = transmit.buffer;
    while (burst.hasRemaining()) {
      byte[] payload = new byte[Math.min(burst.remaining(), transmit.segmentSizeBytes)];
      burst.get(payload);
      if (path == null) {
        unroutable++;
      } else {
        path.send(new UdpPacket(address, payload, flow, transmit.dontFragment));
      }
    }
  }

  private void setWakeUp() {
    long next = endpoint.nextTimeoutMicros();
    if (next == Long.MAX_VALUE) {
      return;
    }
    long at = Math.max(sim.nowMicros(), clock.virtualMicros(next));
    if (at < wakeAtMicros) {
      wakeAtMicros = at;
      sim.at(at, () -> wake(at));
    }
  }

  private void refuseToSpin() {
    if (sim.nowMicros() != lastCycleMicros) {
      lastCycleMicros = sim.nowMicros();
      cyclesNow = 0;
    }
    if (++cyclesNow > MAX_CYCLES_PER_MICROSECOND) {
      throw new IllegalStateException(
          "endpoint of "
              + name
              + " does not come to rest at "
              + lastCycleMicros
              + " us, seed "
              + sim.seed());
    }
  }

  private static InetSocketAddress addressOf(int flow) {
    byte[] ip = {10, (byte) (flow >>> 16), (byte) (flow >>> 8), (byte) flow};
    try {
      return new InetSocketAddress(InetAddress.getByAddress(ip), PORT);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("4 bytes are an IPv4 address", e);
    }
  }
}
