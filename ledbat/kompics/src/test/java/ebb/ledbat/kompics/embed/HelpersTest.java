package ebb.ledbat.kompics.embed;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import ebb.ledbat.kompics.LedbatControl;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import ebb.ledbat.stream.BlockingStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import se.sics.kompics.Component;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.Transport;

/** Peers and their helpers, as an application has them: one that is moved, one that lies. */
@Timeout(120)
class HelpersTest {
  /** HELLO with an address of IPv4, see {@code Frames}. */
  private static final int HELLO_BYTES = 24;

  private static final byte MEET = 8;
  private static final int LIES = 1_000;

  private final Map<EbbAddress, Consumer<KompicsEvent>> controls = new ConcurrentHashMap<>();

  private final Embedded.Extra extra =
      (components, node) -> {
        controls.put(node.address, components.into(node.component, LedbatControl.class));
        node.keep(components, LedbatControl.class, LedbatControl.SeenAs.class);
        node.keep(components, LedbatControl.class, LedbatControl.AddressChanged.class);
        node.keep(components, LedbatControl.class, LedbatControl.Met.class);
        node.keep(components, LedbatControl.class, LedbatControl.Samples.class);
        node.keep(components, NetworkControl.class, ConnectionStatus.Requested.class);
      };

  private void ask(Embedded.Node node, LedbatControl.Request request) {
    controls.get(node.address).accept(request);
  }

  @Test
  void whoGetsAnotherAddressInTheMidstOfAMessageIsToldAndConnectedAgain() throws Exception {
    try (Embedded nodes =
            Embedded.start(extra, Embedded.init().withHelping(), Embedded.init(), Embedded.init());
        Relay router = new Relay(nodes.node(0).address.asSocket())) {
      Embedded.Node helper = nodes.node(0);
      Embedded.Node alice = nodes.node(1);
      Embedded.Node bob = nodes.node(2);
      EbbAddress byRouter = EbbAddress.of(router.inside());
      ask(alice, new LedbatControl.UseHelper(byRouter));
      ask(bob, new LedbatControl.UseHelper(helper.address));
      LedbatControl.SeenAs first = alice.take(LedbatControl.SeenAs.class, e -> true);
      assertThat(first.self()).isEqualTo(EbbAddress.of(router.outside()));

      MessageNotify.Req request =
          MessageNotify.createWithDeliveryNotification(
              alice.message(byRouter, Transport.LEDBAT, 1, 16 << 20));
      alice.network.accept(request);
      router.awaitPassed(1 << 20);
      router.move();

      State last = alice.answer(request).getState();
      assertThat(last == State.SENT ? alice.answer(request).getState() : last)
          .isEqualTo(State.FAILED);
      LedbatControl.AddressChanged changed =
          alice.take(LedbatControl.AddressChanged.class, e -> true);
      assertThat(changed.before()).isEqualTo(first.self());
      assertThat(changed.now()).isEqualTo(EbbAddress.of(router.outside()));
      assertThat(alice.deliver(alice.message(byRouter, Transport.LEDBAT, 2, 1_000)))
          .isEqualTo(State.DELIVERED);
      assertThat(helper.arrival(2).getHeader().source()).isEqualTo(changed.now());
      assertThat(bob.deliver(bob.message(helper.address, Transport.LEDBAT, 3, 1)))
          .isEqualTo(State.DELIVERED);
      ask(alice, new LedbatControl.Introduce(byRouter, bob.address));
      alice.take(LedbatControl.Met.class, e -> e.peer().equals(bob.address));
    }
  }

  @Test
  void aHelperThatLiesHasPeersConnectToLittleAndOnlyThoseThatChoseIt() throws Exception {
    BlockingQueue<BlockingStream> accepted = new LinkedBlockingQueue<>();
    InetSocketAddress place = Embedded.free("127.0.0.1").asSocket();
    AtomicBoolean there = new AtomicBoolean();
    Embedded.Extra liar =
        (components, node) -> {
          extra.add(components, node);
          if (!there.getAndSet(true)) {
            Component made =
                components.create(
                    LedbatStreamsComponent.class, new LedbatStreamsComponent.Init(place));
            components.on(
                made,
                LedbatStreams.class,
                LedbatStreams.Accepted.class,
                e -> accepted.add(e.stream().block()));
          }
        };
    try (Embedded nodes = Embedded.start(liar, Embedded.init(), Embedded.init())) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      long began = System.nanoTime();
      ask(alice, new LedbatControl.UseHelper(EbbAddress.of(place)));
      lie(accepted);
      MessageNotify.Req question =
          MessageNotify.create(bob.message(EbbAddress.of(place), Transport.LEDBAT, 1, 10));
      bob.network.accept(question);
      lie(accepted);
      assertThat(bob.answer(question).getState()).isEqualTo(State.SENT);
      // Both have read the lies by the time that they hear what was said after them.
      for (Embedded.Node node : new Embedded.Node[] {alice, bob}) {
        node.take(LedbatControl.SeenAs.class, e -> e.self().getPort() == 1);
      }
      alice.take(ConnectionStatus.Requested.class, HelpersTest::isToVictim);
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + 1;
      assertThat(toVictims(alice)).isLessThan(seconds * LedbatControl.MAX_INTRODUCTIONS_PER_SECOND);
      assertThat(toVictims(bob)).as("did not choose it").isZero();
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 2, 10)))
          .isEqualTo(State.DELIVERED);
    }
  }

  private static long toVictims(Embedded.Node node) {
    return node.seen(ConnectionStatus.Requested.class).stream()
        .filter(HelpersTest::isToVictim)
        .count();
  }

  private static boolean isToVictim(ConnectionStatus.Requested event) {
    return event.peer.getIp().getHostAddress().startsWith("127.0.1.");
  }

  /** Says back what it hears first, so that it is taken for a node, and then names victims. */
  private static void lie(BlockingQueue<BlockingStream> accepted) throws Exception {
    BlockingStream stream = accepted.take();
    ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES);
    while (hello.hasRemaining()) {
      ByteBuffer heard = stream.read();
      heard.limit(Math.min(heard.limit(), heard.position() + hello.remaining()));
      hello.put(heard);
    }
    stream.write(hello.flip());
    ByteBuffer lies = ByteBuffer.allocate((LIES + 1) * 8);
    for (int i = 0; i < LIES; i++) {
      about(MEET, InetAddress.getByName("127.0.1." + i % 250), 2_000 + i, lies);
    }
    byte seen = 6;
    about(seen, InetAddress.getByName("127.0.1.1"), 1, lies);
    stream.write(lies.flip());
  }

  private static void about(byte kind, InetAddress address, int port, ByteBuffer out) {
    byte[] bytes = address.getAddress();
    out.put(kind).put((byte) bytes.length).put(bytes).putShort((short) port);
  }
}
