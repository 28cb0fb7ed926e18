package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Conversations with the uTP programs of others, recorded by the interop module, replayed on
 * virtual time: the peer's datagrams as they were, Ebb as it is now. Ebb draws the ids and first
 * sequence numbers that it drew when the conversation was recorded, so nothing is patched.
 */
final class InteropVectorTest {
  private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.2", 1002);
  private static final long START_MICROS = 5_000_000;
  private static final long SECOND = 1_000_000;

  /** One line of a recording. */
  private record Recorded(boolean ofPeer, long micros, byte[] bytes) {
    Packet packet() {
      Packet packet = new Packet();
      assertThat(packet.decode(ByteBuffer.wrap(bytes), 0, bytes.length)).isNull();
      return packet;
    }
  }

  /** A recorded conversation. */
  private record Vector(boolean ebbOpens, boolean ebbClosesFirst, List<Recorded> datagrams) {
    static Vector read(Path file) throws IOException {
      List<String> lines = Files.readAllLines(file);
      List<Recorded> datagrams = new ArrayList<>();
      for (String line : lines) {
        if (!line.startsWith("#")) {
          String[] parts = line.split(" ", 3);
          datagrams.add(
              new Recorded(
                  parts[0].equals("peer"),
                  Long.parseLong(parts[1]),
                  HexFormat.of().parseHex(parts[2])));
        }
      }
      return new Vector(
          lines.contains("# opens: ebb"), lines.contains("# closes first: ebb"), datagrams);
    }

    List<Packet> of(boolean peer) {
      return datagrams.stream().filter(d -> d.ofPeer == peer).map(Recorded::packet).toList();
    }

    /** The stream that one side sent, put together from its ST_DATA. */
    byte[] stream(boolean peer) {
      TreeMap<Integer, byte[]> parts = new TreeMap<>();
      int first = of(peer).get(0).seqNr();
      for (Packet packet : of(peer)) {
        if (packet.type() == PacketType.ST_DATA) {
          byte[] payload = new byte[packet.payloadBytes()];
          packet.datagram().get(packet.payloadOffset(), payload);
          parts.put((packet.seqNr() - first) & 0xffff, payload);
        }
      }
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      parts.values().forEach(stream::writeBytes);
      return stream.toByteArray();
    }
  }

  static Stream<String> recordings() throws IOException, URISyntaxException {
    try (Stream<Path> files = Files.list(directory())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  private static Path directory() throws URISyntaxException {
    return Path.of(InteropVectorTest.class.getResource("/interop").toURI());
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void everyPacketIsWellFormedAndOfItsConnection(String name) throws Exception {
    Vector vector = Vector.read(directory().resolve(name));
    Packet syn = vector.datagrams.get(0).packet();
    assertThat(vector.datagrams.get(0).ofPeer).isEqualTo(!vector.ebbOpens);
    assertThat(syn.type()).isEqualTo(PacketType.ST_SYN);
    for (boolean peer : new boolean[] {true, false}) {
      boolean opens = peer != vector.ebbOpens;
      // The SYN carries the initiator's receive id; it then sends with that plus one.
      int sendId = opens ? (syn.connectionId() + 1) & 0xffff : syn.connectionId();
      assertThat(vector.of(peer))
          // anacrolix/utp resets a finished connection, by all ids that it may have.
          .filteredOn(packet -> packet.type() != PacketType.ST_SYN)
          .filteredOn(packet -> packet.type() != PacketType.ST_RESET)
          .isNotEmpty()
          .allMatch(packet -> packet.connectionId() == sendId);
      if (!name.startsWith("libtorrent")) { // Whose stream is BitTorrent.
        // The initiator greets with 8 bytes.
        assertThat(vector.stream(peer)).hasSize(opens ? 48 : 40);
      }
      assertThat(vector.of(peer)).anyMatch(packet -> packet.type() == PacketType.ST_FIN);
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void ebbTalksWithTheRecordedPeerFromHandshakeToClose(String name) throws Exception {
    Vector vector = Vector.read(directory().resolve(name));
    Replay replay = new Replay(vector);

    replay.run();

    assertThat(replay.app.received.toByteArray()).isEqualTo(vector.stream(true));
    assertThat(replay.app.closed).isEqualTo(CloseReason.FINISHED);
    assertThat(replay.sentData()).isEqualTo(vector.stream(false));
    EndpointStats stats = replay.endpoint.stats();
    assertThat(stats.dropped().implausible())
        .isLessThanOrEqualTo(
            vector.of(true).stream().filter(p -> p.type() == PacketType.ST_RESET).count());
    assertThat(stats.dropped().malformed()).isEmpty();
    assertThat(stats.dropped().unknownConnection()).isZero();
  }

  /** Writes what Ebb wrote when it was recorded, and closes in the same turn. */
  private static final class App implements ConnectionListener {
    private final byte[] toSend;
    private final int toReceive;
    private final boolean closesFirst;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private long nowMicros;
    private boolean peerFinished;
    private CloseReason closed;

    private App(Vector vector) {
      toSend = vector.stream(false);
      toReceive = vector.stream(true).length;
      closesFirst = vector.ebbClosesFirst;
    }

    private void proceed(LedbatConnection connection) {
      ByteBuffer target = ByteBuffer.allocate(1_000);
      connection.read(target, nowMicros);
      received.write(target.array(), 0, target.position());
      if (closesFirst ? received.size() >= toReceive : peerFinished) {
        connection.finish(nowMicros);
      }
    }

    private void start(LedbatConnection connection) {
      assertThat(connection.write(ByteBuffer.wrap(toSend), nowMicros)).isEqualTo(toSend.length);
      proceed(connection);
    }

    @Override
    public void onConnected(LedbatConnection connection) {
      start(connection);
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      proceed(connection);
    }

    @Override
    public void onPeerFinished(LedbatConnection connection) {
      peerFinished = true;
      proceed(connection);
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      closed = reason;
    }
  }

  /** One endpoint, the recorded peer, and the time. */
  private static final class Replay {
    private final Vector vector;
    private final App app;
    private final ArrayDeque<Long> drawn = new ArrayDeque<>();
    private final LedbatEndpoint endpoint;
    private final Transmit transmit =
        new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), 16);
    private final TreeMap<Integer, byte[]> sent = new TreeMap<>();
    private long nowMicros = START_MICROS;

    private Replay(Vector vector) {
      this.vector = vector;
      app = new App(vector);
      Packet ebbs = vector.of(false).get(0);
      // nextInt takes the upper half.
      if (vector.ebbOpens) {
        drawn.add((long) ebbs.connectionId() << 32);
      }
      drawn.add((long) ebbs.seqNr() << 32);
      drawn.add(ebbs.proof());
      endpoint =
          new LedbatEndpoint(
              LedbatConfig.defaults(),
              () -> drawn.isEmpty() ? 0 : drawn.remove(), // The rest does not show.
              new EndpointListener() {
                @Override
                public void onAccepted(LedbatConnection connection) {
                  connection.setListener(app);
                  app.start(connection);
                }
              });
    }

    private void run() {
      app.nowMicros = nowMicros;
      if (vector.ebbOpens) {
        endpoint.connect(PEER, app, nowMicros);
      }
      flush();
      for (Recorded datagram : vector.datagrams) {
        if (datagram.ofPeer) {
          advanceTo(START_MICROS + datagram.micros);
          endpoint.receive(PEER, ByteBuffer.wrap(datagram.bytes), datagram.bytes.length, nowMicros);
          flush();
        }
      }
      advanceTo(nowMicros + 5 * SECOND);
    }

    private void advanceTo(long micros) {
      while (endpoint.nextTimeoutMicros() <= micros) {
        nowMicros = Math.max(nowMicros, endpoint.nextTimeoutMicros());
        app.nowMicros = nowMicros;
        endpoint.onTimeout(nowMicros);
        flush();
      }
      nowMicros = micros;
      app.nowMicros = nowMicros;
    }

    private void flush() {
      endpoint.endOfBurst(nowMicros);
      while (endpoint.pollTransmit(transmit, nowMicros)) {
        ByteBuffer buffer = transmit.buffer;
        while (buffer.hasRemaining()) {
          byte[] datagram = new byte[Math.min(transmit.segmentSizeBytes, buffer.remaining())];
          buffer.get(datagram);
          onSent(new Recorded(false, nowMicros, datagram).packet());
        }
      }
    }

    private void onSent(Packet packet) {
      if (packet.type() == PacketType.ST_DATA) {
        byte[] payload = new byte[packet.payloadBytes()];
        packet.datagram().get(packet.payloadOffset(), payload);
        sent.put((packet.seqNr() - vector.of(false).get(0).seqNr()) & 0xffff, payload);
      }
    }

    private byte[] sentData() {
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      sent.values().forEach(stream::writeBytes);
      return stream.toByteArray();
    }
  }
}
