package ebb.ledbat.kompics.embed;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.PayloadMsg;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.kompics.Datagrams;
import ebb.ledbat.kompics.EbbNetwork;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.MessageConfig;
import ebb.ledbat.kompics.NetworkCounters;
import ebb.ledbat.kompics.UdpCounters;
import ebb.ledbat.netty.NettyDriverConfig;
import ebb.ledbat.secure.KeyRing;
import ebb.ledbat.secure.PresharedKey;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.Transport;

/** Messages, streams and other protocols behind one port number, with keys and without. */
@Timeout(120)
class OneSocketTest {
  private final Map<EbbAddress, Consumer<KompicsEvent>> streams = new HashMap<>();
  private final Map<EbbAddress, Consumer<KompicsEvent>> datagrams = new HashMap<>();

  private final Embedded.Extra extra =
      (components, node) -> {
        streams.put(node.address, components.into(node.component, LedbatStreams.class));
        datagrams.put(node.address, components.into(node.component, Datagrams.class));
        node.keep(components, LedbatStreams.class, LedbatStreams.Connected.class);
        node.keep(components, LedbatStreams.class, LedbatStreams.ConnectFailed.class);
        node.keep(components, LedbatStreams.class, LedbatStreams.Accepted.class);
        node.keep(components, LedbatStreams.class, LedbatStreams.Data.class);
        node.keep(components, LedbatStreams.class, LedbatStreams.PeerFinished.class);
        node.keep(components, LedbatStreams.class, LedbatStreams.Closed.class);
        node.keep(components, LedbatStreams.class, LedbatStreams.Acked.class);
        node.keep(components, Datagrams.class, Datagrams.Received.class);
        node.keep(components, Datagrams.class, Datagrams.NotSent.class);
      };

  private static KeyRing ring(int current, int... others) {
    return new KeyRing(
        key(current),
        Arrays.stream(others).mapToObj(OneSocketTest::key).toArray(PresharedKey[]::new));
  }

  private static PresharedKey key(int number) {
    byte[] bytes = new byte[PresharedKey.BYTES];
    new SplittableRandom(number).nextBytes(bytes);
    return new PresharedKey(bytes);
  }

  /** Sends bytes one way and finishes both. */
  private void stream(Embedded.Node from, Embedded.Node to, int bytes) throws Exception {
    byte[] content = new byte[bytes];
    new SplittableRandom(7).nextBytes(content);
    long id = LedbatStreams.newStreamId();
    streams.get(from.address).accept(new LedbatStreams.Connect(id, to.address.asSocket()));
    from.take(LedbatStreams.Connected.class, e -> e.streamId() == id);
    streams.get(from.address).accept(new LedbatStreams.Write(id, ByteBuffer.wrap(content)));
    streams.get(from.address).accept(new LedbatStreams.Finish(id));
    LedbatStreams.Accepted accepted = to.take(LedbatStreams.Accepted.class, e -> true);
    long other = accepted.streamId();
    assertThat(accepted.remote().getPort()).isEqualTo(from.address.getPort());
    streams.get(to.address).accept(new LedbatStreams.Demand(other, Long.MAX_VALUE));
    ByteBuffer received = ByteBuffer.allocate(bytes);
    while (received.hasRemaining()) {
      received.put(to.take(LedbatStreams.Data.class, e -> e.streamId() == other).bytes());
    }
    assertThat(received.array()).isEqualTo(content);
    to.take(LedbatStreams.PeerFinished.class, e -> e.streamId() == other);
    from.take(LedbatStreams.Acked.class, e -> e.streamId() == id && e.totalBytes() == bytes);
    streams.get(to.address).accept(new LedbatStreams.Finish(other));
    assertThat(from.take(LedbatStreams.Closed.class, e -> e.streamId() == id).reason())
        .isEqualTo(CloseReason.FINISHED);
    to.take(LedbatStreams.Closed.class, e -> e.streamId() == other);
  }

  @Test
  void messagesStreamsAndDatagramsShareAPortNumber() throws Exception {
    try (Embedded nodes = Embedded.start(extra, Embedded.init(), Embedded.init());
        DatagramSocket stranger = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      stream(alice, bob, 1_000_000);
      stream(bob, alice, 1);
      for (Transport transport : new Transport[] {Transport.LEDBAT, Transport.UDP, Transport.TCP}) {
        assertThat(alice.deliver(alice.message(bob.address, transport, 1, 10)))
            .isEqualTo(State.DELIVERED);
        bob.arrival(1);
      }
      // STUN begins with 00 or 01 and a second byte; a DHT with the letter d.
      for (byte[] bytes : new byte[][] {{0, 1, 2}, {'d', '1'}, {(byte) 0xff}}) {
        datagrams
            .get(alice.address)
            .accept(new Datagrams.Send(bob.address.asSocket(), ByteBuffer.wrap(bytes)));
        Datagrams.Received heard = bob.take(Datagrams.Received.class, e -> true);
        assertThat(heard.bytes()).isEqualTo(ByteBuffer.wrap(bytes));
        assertThat(heard.from()).isEqualTo(alice.address.asSocket());
      }
      InetSocketAddress port = (InetSocketAddress) stranger.getLocalSocketAddress();
      datagrams
          .get(alice.address)
          .accept(new Datagrams.Send(port, ByteBuffer.wrap("hello".getBytes("UTF-8"))));
      DatagramPacket packet = new DatagramPacket(new byte[100], 100);
      stranger.receive(packet);
      assertThat(packet.getSocketAddress()).isEqualTo(alice.address.asSocket());
      for (byte[] bytes : new byte[][] {{}, {0x01}, {0x41}, {(byte) 0xeb, 9}, new byte[65_508]}) {
        Datagrams.Send send = new Datagrams.Send(port, ByteBuffer.wrap(bytes));
        datagrams.get(alice.address).accept(send);
        assertThat(alice.take(Datagrams.NotSent.class, e -> e.datagram() == send).reason())
            .isNotBlank();
      }
    }
  }

  @Test
  void whoHasAKeyIsServedByAllOfThemAndWhoHasNoneByNone() throws Exception {
    EbbNetwork.Init first = Embedded.init().withKeys(ring(1));
    EbbNetwork.Init second = Embedded.init().withKeys(ring(1));
    try (Embedded nodes =
        Embedded.start(extra, first, second, Embedded.init(), Embedded.init().withKeys(ring(2)))) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      stream(alice, bob, 100_000);
      for (Transport transport : new Transport[] {Transport.LEDBAT, Transport.UDP}) {
        assertThat(alice.deliver(alice.message(bob.address, transport, 1, 60_000)))
            .isEqualTo(State.DELIVERED);
        assertThat(bob.arrival(1).payload()).hasSize(60_000);
      }
      assertThat(alice.deliver(alice.message(bob.address, Transport.TCP, 2, 10)))
          .isEqualTo(State.FAILED);
      // Each is given up after a time of its own: side by side.
      Map<MessageNotify.Req, Embedded.Node> sent = new HashMap<>();
      for (Embedded.Node stranger : new Embedded.Node[] {nodes.node(2), nodes.node(3)}) {
        for (Transport transport : new Transport[] {Transport.LEDBAT, Transport.UDP}) {
          sent.put(stranger.send(stranger.message(bob.address, transport, 3, 10)), stranger);
          sent.put(bob.send(bob.message(stranger.address, transport, 3, 10)), bob);
        }
      }
      for (Map.Entry<MessageNotify.Req, Embedded.Node> one : sent.entrySet()) {
        assertThat(one.getValue().outcome(one.getKey())).isEqualTo(State.FAILED);
      }
      assertThat(second.udpCounters.get(UdpCounters.Event.NOT_PROVEN)).isPositive();
    }
  }

  @Test
  void aKeyIsChangedWithoutAStop() throws Exception {
    KeyRing ofAlice = ring(1);
    KeyRing ofBob = ring(1);
    try (Embedded nodes =
        Embedded.start(extra, Embedded.init().withKeys(ofAlice), Embedded.init().withKeys(ofBob))) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      long number = 0;
      for (Runnable step :
          new Runnable[] {
            () -> ofBob.change(key(1), key(2)),
            () -> ofAlice.change(key(2), key(1)),
            () -> ofBob.change(key(2), key(1)),
            () -> ofAlice.change(key(2)),
            () -> ofBob.change(key(2)),
          }) {
        step.run();
        stream(alice, bob, 1_000);
        stream(bob, alice, 1_000);
        for (Transport transport : new Transport[] {Transport.LEDBAT, Transport.UDP}) {
          assertThat(alice.deliver(alice.message(bob.address, transport, ++number, 10)))
              .isEqualTo(State.DELIVERED);
          assertThat(bob.deliver(bob.message(alice.address, transport, ++number, 10)))
              .isEqualTo(State.DELIVERED);
        }
      }
      ofAlice.change(key(3));
      assertThat(alice.deliver(alice.message(bob.address, Transport.UDP, ++number, 10)))
          .isEqualTo(State.FAILED);
    }
  }

  @Test
  void ipv4AndIpv6AreServedByOneNodeAtOnce() throws Exception {
    EbbAddress self = Embedded.free("127.0.0.1");
    InetSocketAddress everywhere =
        new InetSocketAddress(InetAddress.getByName("::"), self.getPort());
    EbbNetwork.Init both =
        new EbbNetwork.Init(
            self,
            NettyDriverConfig.at(everywhere),
            LedbatConfig.defaults(),
            MessageConfig.defaults(),
            false,
            new UnpredictableRandom(),
            new NetworkCounters(),
            new UdpCounters());
    EbbAddress four = Embedded.free("127.0.0.1");
    EbbAddress six = Embedded.free("::1");
    try (Embedded nodes =
        Embedded.start(extra, both, Embedded.init(four, null), Embedded.init(six, null))) {
      EbbAddress bySix = EbbAddress.of(InetAddress.getByName("::1"), self.getPort());
      for (Transport transport : new Transport[] {Transport.LEDBAT, Transport.UDP}) {
        for (Embedded.Node peer : new Embedded.Node[] {nodes.node(1), nodes.node(2)}) {
          EbbAddress here = peer == nodes.node(1) ? self : bySix;
          assertThat(peer.deliver(peer.message(here, transport, 1, 10))).isEqualTo(State.DELIVERED);
          PayloadMsg question = nodes.node(0).arrival(1);
          assertThat(question.getHeader().source()).isEqualTo(peer.address);
          assertThat(
                  nodes
                      .node(0)
                      .deliver(new PayloadMsg(question.getHeader().reply(), 2, new byte[1])))
              .isEqualTo(State.DELIVERED);
          assertThat(peer.arrival(2).getHeader().source()).isEqualTo(here);
        }
      }
      assertThat(nodes.node(0).deliver(nodes.node(0).message(six, Transport.LEDBAT, 3, 1)))
          .isEqualTo(State.DELIVERED);
    }
  }
}
