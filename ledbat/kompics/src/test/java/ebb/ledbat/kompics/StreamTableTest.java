package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.kompics.LedbatStreams.Accepted;
import ebb.ledbat.kompics.LedbatStreams.Acked;
import ebb.ledbat.kompics.LedbatStreams.Closed;
import ebb.ledbat.kompics.LedbatStreams.ConnectFailed;
import ebb.ledbat.kompics.LedbatStreams.Connected;
import ebb.ledbat.kompics.LedbatStreams.Data;
import ebb.ledbat.kompics.LedbatStreams.PeerFinished;
import ebb.ledbat.kompics.LedbatStreams.Written;
import ebb.ledbat.stream.StreamFlow;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import se.sics.kompics.KompicsEvent;

class StreamTableTest {
  private static final long SECOND = 1_000_000;
  private static final int CREDIT = 1 << 20;
  private static final InetSocketAddress CLIENT = VirtualNet.node(1);
  private static final InetSocketAddress SERVER = VirtualNet.node(2);

  private final VirtualNet net = new VirtualNet(5);
  private final Side client = new Side(CLIENT);
  private final Side server = new Side(SERVER);

  /** One endpoint's streams and all that they said. */
  private final class Side {
    final List<KompicsEvent> events = new ArrayList<>();
    final StreamTable table =
        new StreamTable(CREDIT, () -> net.nowMicros, events::add, this::execute, 0, 1);
    final VirtualNet.Driver driver;

    Side(InetSocketAddress address) {
      driver = net.start(address, LedbatConfig.defaults(), table);
    }

    private boolean execute(EndpointDriver.Task task) {
      driver.execute(task);
      return true;
    }

    void connect(long id, InetSocketAddress remote) {
      driver.execute((endpoint, now) -> table.connect(endpoint::connect, id, remote, now));
    }

    void with(long id, BiConsumer<StreamFlow, Long> task) {
      driver.execute(
          (endpoint, now) -> {
            StreamFlow stream = table.get(id);
            if (stream != null) {
              task.accept(stream, now);
            }
          });
    }

    <E extends KompicsEvent> List<E> all(Class<E> type) {
      return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    long acceptedId() {
      return all(Accepted.class).get(0).streamId();
    }

    byte[] received() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (Data data : all(Data.class)) {
        byte[] chunk = new byte[data.bytes().remaining()];
        data.bytes().duplicate().get(chunk);
        bytes.writeBytes(chunk);
      }
      return bytes.toByteArray();
    }
  }

  /** Connects stream 1 of the client and returns the server's id for it. */
  private long connected() {
    client.connect(1, SERVER);
    net.run(SECOND);
    // The acceptor hears of a uTP connection with the first data.
    client.with(1, (stream, now) -> stream.write(ByteBuffer.wrap(new byte[] {42}), now));
    net.run(SECOND);
    return server.acceptedId();
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void bytesArriveUnchangedAndBothSidesEndInOrder() {
    byte[] content = random(700_000);
    client.connect(1, SERVER);
    net.run(SECOND);
    assertThat(client.all(Connected.class))
        .singleElement()
        .satisfies(
            connected -> {
              assertThat(connected.streamId()).isEqualTo(1);
              assertThat(connected.remote()).isEqualTo(SERVER);
              assertThat(connected.creditBytes()).isEqualTo(CREDIT);
            });
    client.with(1, (stream, now) -> stream.write(ByteBuffer.wrap(content), now));
    client.with(1, (stream, now) -> stream.finish(now));
    net.run(5 * SECOND);
    long id = server.acceptedId();
    server.with(id, (stream, now) -> stream.demand(Long.MAX_VALUE, now));
    net.run(20 * SECOND);
    assertThat(server.received()).isEqualTo(content);
    assertThat(server.all(PeerFinished.class)).hasSize(1);
    assertThat(server.all(Closed.class)).isEmpty();
    server.with(id, (stream, now) -> stream.finish(now));
    net.run(20 * SECOND);
    assertThat(client.all(Closed.class))
        .singleElement()
        .satisfies(
            closed -> {
              assertThat(closed.reason()).isEqualTo(CloseReason.FINISHED);
              assertThat(closed.stats().bytesAcked()).isEqualTo(content.length);
            });
    assertThat(server.all(Closed.class)).hasSize(1);
    assertThat(server.events.get(server.events.size() - 1)).isInstanceOf(Closed.class);
    assertThat(client.table.size() + server.table.size()).isZero();
  }

  @Test
  void theCreditComesBackExactlyOnce() {
    connected();
    byte[] content = random(CREDIT - 1);
    for (int at = 0; at < content.length; at += 10_000) {
      ByteBuffer piece =
          ByteBuffer.wrap(content, at, Math.min(10_000, content.length - at)).slice();
      client.with(1, (stream, now) -> stream.write(piece, now));
    }
    net.run(10 * SECOND);
    assertThat(client.all(Written.class).stream().mapToLong(Written::bytes).sum())
        .isEqualTo(content.length + 1);
  }

  @Test
  void writingBeyondTheCreditClosesTheStreamAndSaysWhy() {
    long id = connected();
    // The server reads nothing: 8 MiB go to its window, 8 MiB to the send buffer, then it is full.
    for (int i = 0; i < 24; i++) {
      client.with(1, (stream, now) -> stream.write(ByteBuffer.allocate(CREDIT), now));
      net.run(5 * SECOND);
    }
    assertThat(client.all(Closed.class))
        .singleElement()
        .satisfies(closed -> assertThat(closed.reason()).isEqualTo(CloseReason.MISUSED));
    net.run(5 * SECOND);
    assertThat(server.all(Closed.class))
        .singleElement()
        .satisfies(closed -> assertThat(closed.reason()).isEqualTo(CloseReason.RESET_BY_PEER));
    assertThat(id).isPositive();
  }

  @Test
  void writingAfterFinishClosesTheStreamAndSaysWhy() {
    connected();
    client.with(1, (stream, now) -> stream.finish(now));
    client.with(1, (stream, now) -> stream.write(ByteBuffer.allocate(1), now));
    net.run(SECOND);
    assertThat(client.all(Closed.class).get(0).reason()).isEqualTo(CloseReason.MISUSED);
  }

  @Test
  void nothingIsDeliveredBeyondWhatWasAskedFor() {
    long id = connected();
    client.with(1, (stream, now) -> stream.write(ByteBuffer.wrap(random(300_000)), now));
    net.run(10 * SECOND);
    assertThat(server.all(Data.class)).isEmpty();
    server.with(id, (stream, now) -> stream.demand(1_000, now));
    net.run(SECOND);
    assertThat(server.received()).hasSize(1_000);
    server.with(id, (stream, now) -> stream.demand(5, now));
    net.run(SECOND);
    assertThat(server.received()).hasSize(1_005);
    assertThat(server.all(Data.class)).allSatisfy(d -> assertThat(d.bytes().isReadOnly()).isTrue());
  }

  @Test
  void whatWasSentInFullCanBeReadAfterTheConnectionHasFinished() {
    long id = connected();
    byte[] content = random(200_000);
    client.with(1, (stream, now) -> stream.write(ByteBuffer.wrap(content), now));
    client.with(1, (stream, now) -> stream.finish(now));
    server.with(id, (stream, now) -> stream.finish(now));
    net.run(120 * SECOND);
    assertThat(client.all(Closed.class)).hasSize(1);
    assertThat(server.all(Closed.class)).isEmpty();
    server.with(id, (stream, now) -> stream.demand(1, now));
    server.with(id, (stream, now) -> stream.demand(1_000_000, now));
    net.run(SECOND);
    byte[] all = server.received();
    assertThat(all).hasSize(200_001).startsWith(42);
    assertThat(java.util.Arrays.copyOfRange(all, 1, all.length)).isEqualTo(content);
    assertThat(server.all(PeerFinished.class)).hasSize(1);
    assertThat(server.all(Closed.class)).hasSize(1);
    assertThat(server.events.get(server.events.size() - 1)).isInstanceOf(Closed.class);
  }

  @Test
  void abortIsToldOnceOnEachSide() {
    long id = connected();
    client.with(1, (stream, now) -> stream.abort(now));
    client.with(1, (stream, now) -> stream.abort(now));
    net.run(5 * SECOND);
    assertThat(client.all(Closed.class).stream().map(Closed::reason))
        .containsExactly(CloseReason.ABORTED);
    assertThat(server.all(Closed.class).stream().map(Closed::reason))
        .containsExactly(CloseReason.RESET_BY_PEER);
    // Events for ids that are gone are ignored.
    server.with(id, (stream, now) -> stream.demand(1, now));
    client.with(1, (stream, now) -> stream.write(ByteBuffer.allocate(1), now));
    net.run(SECOND);
    assertThat(client.events.get(client.events.size() - 1)).isInstanceOf(Closed.class);
  }

  @Test
  void aConnectThatNobodyAnswersFailsWithoutClosed() {
    client.connect(1, VirtualNet.node(77));
    client.connect(2, InetSocketAddress.createUnresolved("nowhere.invalid", 1));
    net.run(120 * SECOND);
    assertThat(client.all(ConnectFailed.class))
        .containsExactlyInAnyOrder(
            new ConnectFailed(1, VirtualNet.node(77), CloseReason.CONNECT_TIMEOUT),
            new ConnectFailed(
                2,
                InetSocketAddress.createUnresolved("nowhere.invalid", 1),
                CloseReason.UNREACHABLE));
    assertThat(client.all(Closed.class)).isEmpty();
    assertThat(client.table.size()).isZero();
  }

  @Test
  void closingTheEndpointTellsEveryStreamOnce() {
    connected();
    client.connect(2, VirtualNet.node(77));
    net.run(SECOND);
    client.driver.execute((endpoint, now) -> client.table.closeAll(now));
    client.driver.close();
    net.run(5 * SECOND);
    assertThat(client.all(Closed.class).stream().map(Closed::reason))
        .containsExactly(CloseReason.ENDPOINT_CLOSED);
    assertThat(client.all(ConnectFailed.class).stream().map(ConnectFailed::reason))
        .containsExactly(CloseReason.ENDPOINT_CLOSED);
    assertThat(server.all(Closed.class).stream().map(Closed::reason))
        .containsExactly(CloseReason.RESET_BY_PEER);
  }

  @Test
  void acknowledgedBytesAreToldUpToTheLast() {
    connected();
    client.with(1, (stream, now) -> stream.write(ByteBuffer.wrap(random(500_000)), now));
    net.run(20 * SECOND);
    List<Acked> acked = client.all(Acked.class);
    assertThat(acked.get(acked.size() - 1).totalBytes()).isEqualTo(500_001);
    assertThat(acked).isSortedAccordingTo((a, b) -> Long.compare(a.totalBytes(), b.totalBytes()));
    assertThat(acked.size()).isLessThan(2 + 500_001 / (64 << 10) + 1);
  }

  @Test
  void aSampleTellsOfTargetAndProgress() {
    connected();
    client.with(1, (stream, now) -> stream.configure(25_000, 0));
    List<ConnectionStats> samples = new ArrayList<>();
    client.with(1, (stream, now) -> samples.add(stream.sample(now)));
    net.run(SECOND);
    assertThat(samples)
        .singleElement()
        .satisfies(
            stats -> {
              assertThat(stats.targetDelayMicros()).isEqualTo(25_000);
              assertThat(stats.bytesAcked()).isEqualTo(1);
            });
  }
}
