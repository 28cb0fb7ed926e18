package ebb.ledbat.netty;

import static ebb.ledbat.netty.Drivers.WAIT_SECONDS;
import static ebb.ledbat.netty.Drivers.loopback;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.Steering;
import ebb.ledbat.secure.PresharedKey;
import ebb.ledbat.secure.SecureRefusal;
import ebb.ledbat.secure.SecureSessions;
import ebb.ledbat.stream.StreamSocket;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import io.netty.channel.epoll.Epoll;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several loops of one port: what holds for one holds for all of them together. */
class NettyDriversTest {
  private static final int BYTES = 150_000;

  @BeforeEach
  void thereIsEpoll() {
    assumeTrue(Epoll.isAvailable(), "several loops need epoll");
  }

  private static LedbatConfig loops(int loops) {
    return LedbatConfig.defaults().toBuilder().loops(loops).build();
  }

  private static EchoPort port(int loops, boolean steered) throws BindException {
    return new EchoPort(loopback(0), loops(loops), steered);
  }

  @ParameterizedTest(name = "{0} and {1} loops, steered by the kernel: {2}")
  @CsvSource({
    "1, 1, true",
    "2, 2, true",
    "4, 4, true",
    "1, 4, true",
    "2, 4, true",
    "3, 2, true",
    "2, 2, false",
    "4, 4, false",
    "1, 4, false"
  })
  void manyConnectionsBothWaysAreServedWhole(int here, int there, boolean steered)
      throws Exception {
    try (EchoPort one = port(here, steered);
        EchoPort other = port(there, steered)) {
      List<EchoPort.Exchange> exchanges = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        exchanges.add(one.exchange(other.address(), BYTES + i, i));
        exchanges.add(other.exchange(one.address(), BYTES - i, -i));
      }
      for (EchoPort.Exchange exchange : exchanges) {
        assertThat(exchange.closed.get(WAIT_SECONDS, SECONDS)).isEqualTo(CloseReason.FINISHED);
        assertThat(exchange.isWhole()).as("all of it, as it was").isTrue();
      }
      assertThat(one.disorder).isEmpty();
      assertThat(other.disorder).isEmpty();
      for (EchoPort port : List.of(one, other)) {
        long handedOver = port.count("handed_over");
        int loops = port.drivers.all().size();
        if (loops == 1 || (steered && here == there)) {
          // A reset may be for either of two loops.
          EchoPort peer = port == one ? other : one;
          assertThat(handedOver)
              .as("what is already where it belongs")
              .isLessThanOrEqualTo(loops == 1 ? 0 : peer.count("resets_sent"));
        } else if (!steered) {
          assertThat(handedOver).as("all from one address come to one socket").isPositive();
        }
        assertThat(port.count("engine_failures")).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 64})
  void theKernelGivesEachDatagramToItsLoop(int loops) throws Exception {
    Set<Integer> answered = new HashSet<>();
    long[] expected = new long[loops];
    try (NettyDrivers drivers = drivers(loopback(0), loops);
        DatagramSocket peer = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      peer.setSoTimeout((int) (WAIT_SECONDS * 1_000));
      // One for each loop, for each may answer a stranger but a few times.
      for (int loop = 0; loop < loops; loop++) {
        int id = (loop + 7 * loops) << Steering.BLOCK_BITS;
        send(peer, drivers.localAddress(), PacketType.ST_STATE, id);
        expected[Steering.owner(id, loops)]++;
      }
      // The SYN's own id is of the loop before.
      send(peer, drivers.localAddress(), PacketType.ST_SYN, (5 << Steering.BLOCK_BITS) - 1);
      expected[5 % loops]++;
      while (answered.size() <= loops) {
        answered.add(receive(peer).connectionId());
      }
      for (int i = 0; i < loops; i++) {
        assertThat(drivers.all().get(i).stats().in().datagrams())
            .as("of loop %d", i)
            .isEqualTo(expected[i]);
      }
    }
  }

  /** The answer to a SYN proves the address, whichever socket hears it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAddressIsProvenToWhicheverSocketHearsIt(boolean steered) throws Exception {
    int loops = 4;
    try (EchoPort port = port(loops, steered);
        DatagramSocket peer = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      peer.setSoTimeout((int) (WAIT_SECONDS * 1_000));
      for (int block = 0; block < 2 * loops; block++) {
        int id = (block << Steering.BLOCK_BITS) + 4;
        send(peer, port.address(), PacketType.ST_SYN, id);
        Packet answer = receive(peer);
        assertThat(answer.type()).isEqualTo(PacketType.ST_STATE);
        assertThat(answer.connectionId()).isEqualTo(id);
        send(peer, port.address(), PacketType.ST_DATA, id + 1, 2, answer.seqNr() - 1, 'x');
        Packet echo;
        do {
          echo = receive(peer);
        } while (echo.type() != PacketType.ST_DATA);
        assertThat(echo.payloadBytes()).isEqualTo(1);
      }
      assertThat(port.accepted.get()).isEqualTo(2 * loops);
      assertThat(port.count("handed_over")).matches(count -> steered ? count == 0 : count > 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aStormOfConnectionsEndsAtThePortsLimit(int loops) throws Exception {
    int max = 50;
    LedbatConfig config = loops(loops).toBuilder().maxConnections(max).maxHalfOpen(max).build();
    try (EchoPort port = new EchoPort(loopback(0), config, true);
        EchoPort crowd = port(loops, true)) {
      List<EchoPort.Exchange> all = new ArrayList<>();
      for (int i = 0; i < 4 * max; i++) {
        all.add(crowd.exchange(port.address(), 1_000, i, EchoPort.Use.ONCE_AND_STAY));
      }
      int refused = 0;
      List<EchoPort.Exchange> inside = new ArrayList<>();
      for (EchoPort.Exchange exchange : all) {
        exchange.answered.get(WAIT_SECONDS, SECONDS);
        if (exchange.closed.isDone()) {
          refused++;
        } else {
          inside.add(exchange);
        }
      }
      assertThat(inside).as("%d were refused", refused).hasSize(max);
      assertThat(port.mostLive.get()).as("at any time").isEqualTo(max);
      assertThat(port.count("refused") + port.count("half_open_evicted")).isPositive();
      // Another address gets a place, wherever those of the crowd are.
      InetSocketAddress second = new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0);
      try (EchoPort honest = new EchoPort(second, loops(1), true)) {
        for (int i = 0; i < max / 5; i++) {
          EchoPort.Exchange exchange = honest.exchange(port.address(), BYTES, i);
          assertThat(exchange.closed.get(WAIT_SECONDS, SECONDS)).isEqualTo(CloseReason.FINISHED);
          assertThat(exchange.isWhole()).isTrue();
        }
      }
      assertThat(port.count("accepted_evicted")).isBetween(1L, max / 5L);
      assertThat(port.mostLive.get())
          .as("and those of loops that had not had their turn")
          .isLessThanOrEqualTo(max + max / 5);
      assertThat(port.disorder).isEmpty();
    }
  }

  /** They are counted for all loops: each alone would have room for all of them. */
  @Test
  void peersWithoutTheKeyTakeNoMorePlacesThanOfOneLoop() throws Exception {
    int tooMany = 20;
    int strangers = SecureSessions.MAX_UNPROVEN + tooMany;
    PresharedKey key = new PresharedKey(new byte[PresharedKey.BYTES]);
    SecureStarter keyed = new SecureStarter(DriverStarter.netty(), key, "test");
    InetSocketAddress second = new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0);
    try (StreamSocket server = StreamSocket.bind(loopback(0), loops(2), keyed);
        EchoPort crowd = port(2, true);
        StreamSocket friend = StreamSocket.bind(second, loops(1), keyed)) {
      CountDownLatch refused = new CountDownLatch(tooMany);
      for (int i = 0; i < strangers; i++) {
        var unused =
            crowd
                .exchange(server.local(), 1, i, EchoPort.Use.ONCE_AND_STAY)
                .closed
                .thenAccept(reason -> refused.countDown());
      }
      assertThat(refused.await(WAIT_SECONDS, SECONDS)).isTrue();
      assertThat(keyed.refused(SecureRefusal.CROWDED_OUT)).isBetween(1L, (long) tooMany);
      friend.connect(server.local()).abort();
      assertThat(server.accept()).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closingWhileDataFlowsEndsAllAndFreesThePort(boolean steered) throws Exception {
    // A reset may be lost in full buffers; nobody answers then.
    LedbatConfig impatient = loops(2).toBuilder().giveUpMicros(5_000_000).build();
    try (EchoPort client = new EchoPort(loopback(0), impatient, steered)) {
      EchoPort server = port(4, steered);
      InetSocketAddress address = server.address();
      List<EchoPort.Exchange> exchanges = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        exchanges.add(client.exchange(address, BYTES, i, EchoPort.Use.AGAIN_AND_AGAIN));
      }
      for (EchoPort.Exchange exchange : exchanges) {
        exchange.answered.get(WAIT_SECONDS, SECONDS);
      }
      server.close();
      assertThat(server.live.get()).as("each has been told").isZero();
      assertThat(server.disorder).isEmpty();
      new EchoPort(address, loops(3), true).close();
      NettyDriver.bind(
              NettyDriverConfig.at(address),
              LedbatConfig.defaults(),
              new SecureRandom(),
              new EndpointListener() {})
          .close();
      for (EchoPort.Exchange exchange : exchanges) {
        assertThat(exchange.closed.get(WAIT_SECONDS, SECONDS))
            .isIn(CloseReason.RESET_BY_PEER, CloseReason.TIMED_OUT);
      }
    }
  }

  @Test
  void nobodyElseGetsThePort() throws Exception {
    try (NettyDrivers first = drivers(loopback(0), 2)) {
      InetSocketAddress address = first.localAddress();
      String inUse = "cannot bind 127.0.0.1 port " + address.getPort() + ": the port is in use";
      assertThatThrownBy(() -> drivers(address, 2))
          .isInstanceOf(BindException.class)
          .hasMessage(inUse);
      assertThatThrownBy(() -> drivers(address, 1)).hasMessage(inUse);
    }
  }

  @Test
  void severalLoopsNeedEpoll() {
    assertThatThrownBy(
            () ->
                NettyDrivers.bind(
                    NettyDriverConfig.at(loopback(0)).withTransport(NettyTransport.NIO),
                    loops(2),
                    new SecureRandom(),
                    loop -> new EndpointListener() {}))
        .isInstanceOf(BindException.class)
        .hasMessage(
            "cannot bind 127.0.0.1 port 0: 2 loops need Netty's native epoll: NIO was chosen");
  }

  @Test
  void oneDriverIsOneLoop() {
    assertThatThrownBy(
            () ->
                NettyDriver.bind(
                    NettyDriverConfig.at(loopback(0)),
                    loops(2),
                    new SecureRandom(),
                    new EndpointListener() {}))
        .hasMessage("A NettyDriver (see NettyDrivers) has one loop and not 2");
  }

  @Test
  void threadsMayBeSharedAndFewer() throws Exception {
    try (DriverThreads threads = DriverThreads.create(NettyTransport.EPOLL, 2, "shared", true);
        NettyDrivers port =
            NettyDrivers.bind(
                NettyDriverConfig.at(loopback(0)).withThreads(threads),
                loops(3),
                new SecureRandom(),
                loop -> new EndpointListener() {});
        EchoPort client = port(1, true)) {
      EchoPort.Exchange exchange = client.exchange(port.localAddress(), BYTES, 1);
      exchange.connected.get(WAIT_SECONDS, SECONDS);
      assertThat(port.all()).hasSize(3);
    }
  }

  private static NettyDrivers drivers(InetSocketAddress local, int loops) throws BindException {
    return NettyDrivers.bind(
        NettyDriverConfig.at(local),
        loops(loops),
        new SecureRandom(),
        loop -> new EndpointListener() {});
  }

  private static void send(DatagramSocket from, InetSocketAddress to, PacketType type, int id)
      throws Exception {
    send(from, to, type, id, 1, 0);
  }

  private static void send(
      DatagramSocket from,
      InetSocketAddress to,
      PacketType type,
      int id,
      int seqNr,
      int ackNr,
      char... data)
      throws Exception {
    ByteBuffer out = ByteBuffer.allocate(Packet.HEADER_BYTES + data.length);
    new PacketWriter().begin(out, type, id, 1, 0, 1 << 20, seqNr, ackNr & 0xffff);
    for (char c : data) {
      out.put((byte) c);
    }
    from.send(new DatagramPacket(out.array(), out.position(), to));
  }

  private static Packet receive(DatagramSocket peer) throws Exception {
    DatagramPacket datagram = new DatagramPacket(new byte[2_000], 2_000);
    peer.receive(datagram);
    Packet packet = new Packet();
    assertThat(packet.decode(ByteBuffer.wrap(datagram.getData()), 0, datagram.getLength()))
        .isNull();
    return packet;
  }
}
