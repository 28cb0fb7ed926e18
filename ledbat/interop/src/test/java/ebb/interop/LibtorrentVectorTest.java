package ebb.interop;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.rand.UnpredictableRandom;
import ebb.example.bittorrent.Metainfo;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Records short conversations with libtorrent as test vectors of the ledbat module: {@code
 * -Pinterop -Dinterop.record=true}. Ebb speaks as much BitTorrent as it takes to be answered, or to
 * be sent away.
 */
@Tag("interop")
class LibtorrentVectorTest {
  private static final Path VECTORS = Path.of("../engine/src/test/resources/interop");
  private static final Path FILES = Path.of("target", "libtorrent-vectors").toAbsolutePath();
  private static final byte[] CONTENT = new byte[40];

  /** A message that says that the sender has the one piece there is. */
  private static final byte[] BITFIELD = {0, 0, 0, 2, 5, (byte) 0x80};

  private static final int DEADLINE_SECONDS = 30;

  @TestFactory
  Stream<DynamicTest> conversations() throws Exception {
    if (!Boolean.getBoolean("interop.record")) {
      return Stream.empty();
    }
    PeerProgram program = PeerProgram.libtorrent();
    if (!program.available()) {
      System.out.println("skipped: libtorrent because " + program.missing());
      return Stream.empty();
    }
    return VectorRecorder.conversations().stream()
        .map(
            cell ->
                DynamicTest.dynamicTest(
                    "recorded " + cell.name(program.name()), () -> record(program, cell)));
  }

  private static void record(PeerProgram program, Cell cell) throws Exception {
    Path torrent = torrent();
    Files.deleteIfExists(FILES.resolve("target/content.bin"));
    VectorRecorder recorder = new VectorRecorder(cell.ebbOpens());
    Conversation conversation = new Conversation(greeting(torrent, cell), cell.ebbClosesFirst());
    InetAddress loopback = InetAddress.getLoopbackAddress();
    EndpointListener acceptor =
        new EndpointListener() {
          @Override
          public void onAccepted(LedbatConnection connection) {
            connection.setListener(conversation);
            conversation.onConnected(connection);
          }
        };
    try (NettyDriver driver =
        NettyDriver.bind(
            NettyDriverConfig.at(new InetSocketAddress(loopback, 0)),
            LedbatConfig.defaults(),
            new UnpredictableRandom(),
            acceptor)) {
      if (cell.ebbOpens()) {
        try (PeerProcess peer = peer(program, cell, "seed", torrent, FILES)) {
          long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
          Map<String, Object> listening = peer.await("listening", deadline);
          assertThat(listening).isNotNull();
          int port = ((Number) listening.get("port")).intValue();
          try (LossyRelay relay = relay(new InetSocketAddress(loopback, port), cell, recorder)) {
            driver.execute((endpoint, now) -> endpoint.connect(relay.address(), conversation, now));
            conversation.hold(driver);
          }
        }
      } else {
        try (LossyRelay relay = relay(driver.localAddress(), cell, recorder);
            PeerProcess peer =
                peer(
                    program,
                    cell,
                    "download",
                    torrent,
                    FILES.resolve("target"),
                    "--connect",
                    "127.0.0.1:" + relay.address().getPort())) {
          assertThat(peer.hasFailed()).isFalse();
          conversation.hold(driver);
        }
      }
    }
    recorder.write(VECTORS, program, cell);
  }

  private static LossyRelay relay(InetSocketAddress to, Cell cell, RelayTap tap) throws Exception {
    return LossyRelay.start(to, cell.condition().relay, cell.order(), tap);
  }

  private static PeerProcess peer(
      PeerProgram program, Cell cell, String mode, Path torrent, Path directory, String... more)
      throws Exception {
    List<String> command = new ArrayList<>(program.command());
    command.addAll(List.of(mode, torrent.toString(), directory.toString()));
    command.addAll(List.of("--timeout", String.valueOf(DEADLINE_SECONDS)));
    command.addAll(List.of(more));
    Files.createDirectories(directory);
    return PeerProcess.start(command, FILES.resolve("log-" + cell.order()));
  }

  private static Path torrent() throws Exception {
    Files.createDirectories(FILES);
    Path source = FILES.resolve("content.bin");
    Files.write(source, CONTENT);
    Path torrent = FILES.resolve("content.torrent");
    Files.write(torrent, Metainfo.create(source, 16 << 10));
    return torrent;
  }

  /**
   * BEP 3's handshake. To be sent away by a libtorrent that seeds it takes a peer that has
   * everything, by one that downloads another torrent's hash.
   */
  private static byte[] greeting(Path torrent, Cell cell) throws Exception {
    ByteBuffer greeting = ByteBuffer.allocate(68 + BITFIELD.length);
    greeting.put((byte) 19).put("BitTorrent protocol".getBytes(StandardCharsets.US_ASCII));
    greeting.putLong(0);
    boolean sentAway = !cell.ebbClosesFirst();
    byte[] hash = Metainfo.read(torrent).infoHash();
    greeting.put(sentAway && !cell.ebbOpens() ? new byte[20] : hash);
    greeting.put("-EB0100-recordedvect".getBytes(StandardCharsets.US_ASCII));
    if (sentAway && cell.ebbOpens()) {
      greeting.put(BITFIELD);
    }
    byte[] bytes = new byte[greeting.flip().remaining()];
    greeting.get(bytes);
    return bytes;
  }

  /** Says its greeting, reads, and closes when it is told to or when the peer has. */
  private static final class Conversation implements ConnectionListener {
    private final byte[] greeting;
    private final boolean closesFirst;
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private volatile LedbatConnection connection;
    private volatile CloseReason reason;

    Conversation(byte[] greeting, boolean closesFirst) {
      this.greeting = greeting;
      this.closesFirst = closesFirst;
    }

    /** Returns when the connection has ended in order. */
    void hold(NettyDriver driver) throws InterruptedException {
      boolean closed = false;
      while (reason == null) {
        // A second of silence: the peer has said what it has to say.
        String event = events.poll(closesFirst && !closed ? 1 : DEADLINE_SECONDS, TimeUnit.SECONDS);
        LedbatConnection opened = connection;
        if (event == null && opened != null) {
          assertThat(closed || !closesFirst).as("the peer closes").isFalse();
          closed = true;
          driver.execute((endpoint, now) -> opened.finish(now));
        }
      }
      assertThat(reason).isEqualTo(CloseReason.FINISHED);
      // The last acknowledgement may still be on its way through the relay; libtorrent comes back
      // after a while, which is another conversation.
      String event = events.poll(1, TimeUnit.SECONDS);
      while (event != null && !event.equals("connected")) {
        event = events.poll(1, TimeUnit.SECONDS);
      }
    }

    @Override
    public void onConnected(LedbatConnection opened) {
      opened.write(ByteBuffer.wrap(greeting), System.nanoTime() / 1_000);
      connection = opened;
      events.add("connected");
    }

    @Override
    public void onReadable(LedbatConnection opened) {
      opened.read(ByteBuffer.allocate(1_000), System.nanoTime() / 1_000);
      events.add("read");
    }

    @Override
    public void onPeerFinished(LedbatConnection opened) {
      opened.finish(System.nanoTime() / 1_000);
      events.add("finished");
    }

    @Override
    public void onClosed(LedbatConnection opened, CloseReason closeReason) {
      reason = closeReason;
      events.add("closed");
    }
  }
}
