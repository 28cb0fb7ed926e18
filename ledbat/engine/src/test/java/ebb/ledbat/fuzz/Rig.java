package ebb.ledbat.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.Connection;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.EndpointStats;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.SeqNr;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A real endpoint on virtual time, driven as a driver drives it, with models for its peers and
 * applications. After every cycle it checks what must hold whatever the peers do: bounds on memory
 * and connections, well-formed output, no amplification, no deadline in the past.
 */
final class Rig implements EndpointListener {
  /** No honest driver cycle of these small configurations sends more at once. */
  private static final int MAX_DATAGRAMS_PER_CYCLE = 5_000;

  /** Wake-ups in a second of virtual time, for each connection: two a millisecond, for pacing. */
  private static final int MAX_WAKE_UPS_PER_SECOND = 2_000;

  /** How long a finished connection answers repeated FINs. */
  private static final long MAX_LINGER_MICROS = 10_000_000;

  /** With {@code -Debb.trace} every packet is printed, to follow one seed. */
  private static final boolean TRACE = System.getProperty("ebb.trace") != null;

  /** What was exchanged with an address that did not prove itself. */
  private static final class Stranger {
    boolean known;
    long inBytes;
    long outBytes;
  }

  final LedbatConfig config;
  final LedbatEndpoint endpoint;
  final List<ModelPeer> peers = new ArrayList<>();
  final List<ModelApp> apps = new ArrayList<>();
  long nowMicros;
  long datagramsOut;

  /** Which of Ebb's packets the models lose: one in this many, 0 for none. */
  int loseOneIn;

  private final SplittableRandom random;
  private final Map<InetSocketAddress, Stranger> strangers = new HashMap<>();
  private final Transmit transmit =
      new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), Transmit.MAX_SEGMENTS);
  private final Packet packet = new Packet();
  private final byte[] lastFromEbb = new byte[2_048];
  private int lastFromEbbBytes;
  private @Nullable InetSocketAddress lastTo;
  private long secondStartedMicros;
  private int wakeUps;

  Rig(long seed, LedbatConfig config, long startMicros) {
    this.config = config;
    random = new SplittableRandom(seed);
    nowMicros = startMicros;
    endpoint = new LedbatEndpoint(config, random::nextLong, this);
  }

  private void trace(String way, InetSocketAddress peer, ByteBuffer bytes, int offset, int length) {
    Packet traced = new Packet();
    Object bad = traced.decode(bytes, offset, length);
    System.out.printf(
        "%d %s %s %s id %d seq %d ack %d wnd %d sack %d payload %d%n",
        nowMicros,
        way,
        peer,
        bad == null ? traced.type() : bad,
        traced.connectionId(),
        traced.seqNr(),
        traced.ackNr(),
        traced.wndSizeBytes(),
        traced.selectiveAckBits(),
        traced.payloadBytes());
  }

  // ---- the driver

  /** A burst from {@code from}; {@link #cycle} must follow. */
  void receive(InetSocketAddress from, ByteBuffer burst, int segmentBytes) {
    stranger(from).inBytes += burst.remaining();
    if (TRACE) {
      trace("<", from, burst, 0, burst.remaining());
    }
    endpoint.receive(from, burst, segmentBytes, nowMicros);
  }

  /** The rest of a driver's cycle. */
  void cycle() {
    if (endpoint.nextTimeoutMicros() <= nowMicros) {
      endpoint.onTimeout(nowMicros);
    }
    endpoint.endOfBurst(nowMicros);
    forgetClosed();
    int datagrams = 0;
    while (endpoint.pollTransmit(transmit, nowMicros)) {
      datagrams += unpack();
      if (datagrams > MAX_DATAGRAMS_PER_CYCLE) {
        throw new AssertionError("more than " + MAX_DATAGRAMS_PER_CYCLE + " datagrams in a cycle");
      }
    }
    datagramsOut += datagrams;
    forgetClosed();
    check();
  }

  /** Lets time pass, handling every deadline when it comes. */
  void advance(long micros) {
    long end = nowMicros + micros;
    while (endpoint.nextTimeoutMicros() <= end) {
      wakeUp(endpoint.nextTimeoutMicros());
    }
    nowMicros = end;
  }

  /** Sleeps to the next deadline and handles it; not beyond {@code latestMicros}. */
  void sleep(long latestMicros) {
    long next = endpoint.nextTimeoutMicros();
    if (next <= latestMicros) {
      wakeUp(next);
    } else {
      nowMicros = Math.max(nowMicros, latestMicros);
    }
  }

  private void forgetClosed() {
    for (int i = apps.size() - 1; i >= 0; i--) {
      ModelApp app = apps.get(i);
      if (app.closed != null) {
        apps.remove(i);
        if (app.peer != null) {
          peers.remove(app.peer);
        }
      }
    }
  }

  private void wakeUp(long atMicros) {
    nowMicros = Math.max(nowMicros, atMicros);
    if (nowMicros - secondStartedMicros >= 1_000_000) {
      secondStartedMicros = nowMicros;
      wakeUps = 0;
    }
    if (++wakeUps > MAX_WAKE_UPS_PER_SECOND * (1 + endpoint.connectionCount())) {
      throw new AssertionError("woken " + wakeUps + " times in a second");
    }
    cycle();
  }

  // ---- what comes out

  private int unpack() {
    InetSocketAddress to = transmit.destination;
    ByteBuffer out = transmit.buffer;
    byte[] bytes = out.array();
    int datagrams = 0;
    for (int at = 0; at < out.limit(); at += transmit.segmentSizeBytes) {
      int length = Math.min(transmit.segmentSizeBytes, out.limit() - at);
      datagrams++;
      if (packet.decode(out, at, length) != null || length > config.maxDatagramBytes()) {
        throw new AssertionError("Ebb sent a datagram that it would not take itself");
      }
      if (TRACE) {
        trace(">", to, out, at, length);
      }
      Stranger stranger = stranger(to);
      stranger.outBytes += length;
      if (!stranger.known && stranger.outBytes > stranger.inBytes) {
        throw new AssertionError(
            to + " sent " + stranger.inBytes + " bytes and got " + stranger.outBytes);
      }
      ModelPeer peer = ofOutgoing(to, packet);
      if (peer != null) {
        ModelApp app = peer.app;
        boolean lost = loseOneIn > 0 && random.nextInt(loseOneIn) == 0;
        peer.onPacket(
            packet, bytes, app == null ? 0 : app.written, app != null && app.finished, lost);
      }
      lastTo = to;
      lastFromEbbBytes = Math.min(length, lastFromEbb.length);
      System.arraycopy(bytes, at, lastFromEbb, 0, lastFromEbbBytes);
    }
    return datagrams;
  }

  /** The last datagram that Ebb sent, to be played back to it; null when there is none. */
  byte @Nullable [] lastFromEbb() {
    return lastTo == null ? null : java.util.Arrays.copyOf(lastFromEbb, lastFromEbbBytes);
  }

  private Stranger stranger(InetSocketAddress address) {
    return strangers.computeIfAbsent(address, a -> new Stranger());
  }

  private @Nullable ModelPeer ofOutgoing(InetSocketAddress to, Packet outgoing) {
    int id = outgoing.connectionId();
    if (outgoing.type() == PacketType.ST_SYN) {
      id = SeqNr.plus(id, 1);
    }
    for (int i = peers.size() - 1; i >= 0; i--) {
      ModelPeer peer = peers.get(i);
      if (peer.idFromEbb == id && peer.address.equals(to)) {
        return peer;
      }
    }
    return null;
  }

  /** The model of the connection that Ebb knows by {@code receiveId}. */
  @Nullable ModelPeer ofIncoming(InetSocketAddress from, int receiveId) {
    for (int i = peers.size() - 1; i >= 0; i--) {
      ModelPeer peer = peers.get(i);
      if (peer.idToEbb == receiveId && peer.address.equals(from)) {
        return peer;
      }
    }
    return null;
  }

  /** Whether a model already uses one of the ids that a connection with this SYN would have. */
  boolean usesIds(InetSocketAddress address, int synId) {
    for (ModelPeer peer : peers) {
      if (peer.address.equals(address)
          && Math.abs(SeqNr.distance(peer.ebbInitiates ? peer.idToEbb : peer.idFromEbb, synId))
              <= 1) {
        return true;
      }
    }
    return false;
  }

  // ---- connections

  @Override
  public void onAccepted(LedbatConnection connection) {
    InetSocketAddress from = connection.remote();
    stranger(from).known = true;
    ModelPeer peer = ofIncoming(from, ((Connection) connection).receiveId());
    ModelApp app = new ModelApp(() -> nowMicros, peer != null && peer.app == null ? peer : null);
    if (app.peer != null) {
      app.peer.app = app;
    }
    app.connection = connection;
    connection.setListener(app);
    apps.add(app);
  }

  /** Opens a connection from Ebb's side and models its peer. */
  void connect(InetSocketAddress address, int peerFirstSeqNr, boolean saysEbb, int salt) {
    stranger(address).known = true;
    Connection connection =
        (Connection) endpoint.connect(address, new ConnectionListener() {}, nowMicros);
    int synId = connection.receiveId();
    ModelPeer peer =
        usesIds(address, synId)
            ? null
            : ModelPeer.acceptor(address, synId, peerFirstSeqNr, saysEbb, salt);
    ModelApp app = new ModelApp(() -> nowMicros, peer);
    app.connection = connection;
    connection.setListener(app);
    apps.add(app);
    if (peer == null) {
      app.abort(); // Its packets could not be told from those of the connection with these ids.
    } else {
      peer.app = app;
      peers.add(peer);
    }
  }

  // ---- what must hold

  private void check() {
    if (endpoint.nextTimeoutMicros() <= nowMicros) {
      throw new AssertionError(
          "the deadline stays in the past, a driver would spin: "
              + apps.stream().map(ModelApp::describe).toList());
    }
    EndpointStats stats = endpoint.stats();
    if (stats.connections() - stats.halfOpen() > config.maxConnections()
        || stats.halfOpen() > config.maxHalfOpen()
        || stats.listenerFailures() > 0) {
      throw new AssertionError("beyond a cap, or a listener failed: " + stats);
    }
    long heldBytes = 0;
    for (ModelApp app : apps) {
      int readable = app.connection.readableBytes();
      long unacked = app.written - app.connection.stats(nowMicros).bytesAcked();
      // The packet that is missed is taken whatever waits behind it, or nothing could go on.
      if (readable > 2 * config.receiveBufferBytes() || unacked > config.sendBufferBytes()) {
        throw new AssertionError("buffers hold " + readable + " and " + unacked + " bytes");
      }
      heldBytes += readable + Math.max(0, unacked);
    }
    if (stats.bufferedBytes() > config.maxBufferedBytes() || heldBytes > stats.bufferedBytes()) {
      throw new AssertionError(
          "%d bytes held, %d accounted for, %d allowed"
              .formatted(heldBytes, stats.bufferedBytes(), config.maxBufferedBytes()));
    }
  }

  /** Closes the endpoint, after which it must hold nothing. */
  void close() {
    endpoint.close(nowMicros);
    cycle();
    advance(MAX_LINGER_MICROS);
    assertThat(apps).isEmpty();
    assertThat(endpoint.connectionCount()).isZero();
    assertThat(endpoint.stats().bufferedBytes()).as("bytes never given back").isZero();
    assertThat(endpoint.nextTimeoutMicros()).isEqualTo(Long.MAX_VALUE);
  }
}
