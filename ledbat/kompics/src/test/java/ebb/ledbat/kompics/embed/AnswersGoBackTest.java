package ebb.ledbat.kompics.embed;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.PayloadMsg;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.EbbNetwork;
import ebb.ledbat.kompics.LedbatControl;
import ebb.ledbat.kompics.MessageConfig;
import ebb.ledbat.kompics.NetworkCounters;
import ebb.ledbat.kompics.UdpCounters;
import ebb.ledbat.netty.NettyDriverConfig;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.Transport;

/** Peers that are not where they say they are: behind address translation, or liars. */
@Timeout(120)
class AnswersGoBackTest {
  /** A node on loopback that calls itself something else. */
  private static EbbNetwork.Init calling(EbbAddress place, EbbAddress itself, boolean foreign) {
    MessageConfig messages = MessageConfig.defaults();
    return new EbbNetwork.Init(
        itself,
        NettyDriverConfig.at(place.asSocket()),
        LedbatConfig.defaults().toBuilder().connectTimeoutMicros(3_000_000).build(),
        foreign ? messages : messages.withoutForeignSources(),
        false,
        new UnpredictableRandom(),
        new NetworkCounters(),
        new UdpCounters());
  }

  private static final Embedded.Extra TELL =
      (components, node) -> {
        node.keep(components, LedbatControl.class, LedbatControl.SeenAs.class);
        node.keep(components, NetworkControl.class, ConnectionStatus.Established.class);
      };

  /** TEST-NET-1: nobody is there. */
  private static EbbAddress unreachable(int port) throws Exception {
    return EbbAddress.of(InetAddress.getByName("192.0.2.7"), port);
  }

  @ParameterizedTest
  @EnumSource(names = {"LEDBAT", "UDP"})
  void aPeerBehindTranslationIsAnsweredWhereItIs(Transport transport) throws Exception {
    EbbAddress place = Embedded.free("127.0.0.1");
    EbbAddress open = Embedded.free("127.0.0.1");
    EbbNetwork.Init hidden = calling(place, unreachable(place.getPort()), true);
    try (Embedded nodes = Embedded.start(TELL, hidden, calling(open, open, false))) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      assertThat(alice.deliver(alice.message(open, transport, 1, 10))).isEqualTo(State.DELIVERED);
      PayloadMsg question = bob.arrival(1);
      assertThat(question.getHeader().source()).isEqualTo(place);

      PayloadMsg answer = new PayloadMsg(question.getHeader().reply(), 2, new byte[100_000]);
      PayloadMsg small = new PayloadMsg(question.getHeader().reply(), 2, new byte[100]);
      State state = bob.deliver(transport == Transport.LEDBAT ? answer : small);
      assertThat(state).isEqualTo(State.DELIVERED);
      // And so on, to and fro, with the address by which it is seen.
      PayloadMsg heard = alice.arrival(2);
      assertThat(heard.getHeader().source()).isEqualTo(open);
      assertThat(heard.getHeader().destination()).isEqualTo(place);
      assertThat(alice.deliver(new PayloadMsg(heard.getHeader().reply(), 3, new byte[1])))
          .isEqualTo(State.DELIVERED);
      assertThat(bob.arrival(3).getHeader().source()).isEqualTo(place);

      if (transport == Transport.LEDBAT) {
        LedbatControl.SeenAs seen = alice.take(LedbatControl.SeenAs.class, e -> true);
        assertThat(seen.self()).isEqualTo(place);
        assertThat(seen.peer()).isEqualTo(open);
        ConnectionStatus.Established established =
            bob.take(ConnectionStatus.Established.class, e -> true);
        assertThat(established.peer).isEqualTo(place);
      }
    }
  }

  @Test
  void whoAnnouncesTheAddressOfAnotherGetsItsOwnAnswersAndNothingElse() throws Exception {
    EbbAddress alice = Embedded.free("127.0.0.1");
    EbbAddress bob = Embedded.free("127.0.0.1");
    // The same port, which EbbNetwork asks for, at another address of loopback.
    EbbAddress mallory = EbbAddress.of(InetAddress.getByName("127.0.0.9"), bob.getPort());
    try (Embedded nodes =
        Embedded.start(
            calling(alice, alice, true), calling(bob, bob, true), calling(mallory, bob, true))) {
      Embedded.Node liar = nodes.node(2);
      assertThat(liar.deliver(liar.message(alice, Transport.LEDBAT, 1, 10)))
          .isEqualTo(State.DELIVERED);
      PayloadMsg lie = nodes.node(0).arrival(1);
      assertThat(lie.getHeader().source()).as("not Bob").isEqualTo(mallory);

      for (PayloadMsg message :
          List.of(
              nodes.node(0).message(bob, Transport.LEDBAT, 2, 10),
              new PayloadMsg(lie.getHeader().reply(), 3, new byte[1]))) {
        assertThat(nodes.node(0).deliver(message)).isEqualTo(State.DELIVERED);
      }
      assertThat(nodes.node(1).arrival(2).number()).isEqualTo(2);
      assertThat(liar.arrival(3).number()).isEqualTo(3);
    }
  }
}
