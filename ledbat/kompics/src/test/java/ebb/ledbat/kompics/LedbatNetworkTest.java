package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.kompics.NetworkCounters.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.Header;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;

/** The component on real sockets of the loopback interface. */
class LedbatNetworkTest {
  private static final MessageConfig CONFIG = MessageConfig.defaults();

  private LiveNodes nodes;
  private LiveNodes.Node alice;
  private LiveNodes.Node bob;

  @BeforeEach
  void start() throws Exception {
    NumberMsg.register();
    nodes = new LiveNodes();
    alice = nodes.start(LiveNodes.freeAddress(), CONFIG);
    bob = nodes.start(LiveNodes.freeAddress(), CONFIG);
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private static NumberMsg message(LiveNodes.Node from, Address to, int number, int size) {
    return new NumberMsg(from.address, to, Transport.LEDBAT, number, new byte[size]);
  }

  private static List<Integer> upTo(int count) {
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expected.add(i);
    }
    return expected;
  }

  /**
   * The version that Ebb grew from delivered the first acknowledgement to its application and no
   * other. Here every one of many arrives, in order and once.
   */
  @Test
  void everyAcknowledgementReachesTheApplication() throws Exception {
    bob.probe.answer = m -> message(bob, m.source, m.number, 0);
    for (int i = 0; i < 10_000; i++) {
      alice.probe.send(message(alice, bob.address, i, 1_000));
    }
    List<Integer> acks = new ArrayList<>();
    for (NumberMsg ack : alice.probe.take(10_000, NumberMsg.class)) {
      acks.add(ack.number);
    }
    assertThat(acks).isEqualTo(upTo(10_000));
    assertThat(bob.counters.get(Event.RECEIVED)).isEqualTo(10_000);
    assertThat(alice.counters.get(Event.RECEIVED)).isEqualTo(10_000);
  }

  /** Who answers a header's source would connect to whomever a stranger names there. */
  @Test
  void aMessageThatNamesAnotherSourceIsDroppedWhereThatIsSaid() throws Exception {
    LiveNodes.Node strict = nodes.start(LiveNodes.freeAddress(), CONFIG.withoutForeignSources());
    for (LiveNodes.Node to : List.of(strict, bob)) {
      alice.probe.send(new NumberMsg(bob.address, to.address, Transport.LEDBAT, 1, new byte[10]));
      alice.probe.send(message(alice, to.address, 2, 10));
    }
    assertThat(strict.probe.take(1, NumberMsg.class).get(0).number).isEqualTo(2);
    assertThat(strict.counters.get(Event.FOREIGN_SOURCE)).isEqualTo(1);
    assertThat(bob.probe.take(2, NumberMsg.class).get(0).number).isEqualTo(1);
  }

  @Test
  void hundredThousandMessagesArriveExactlyOnceAndInOrder() throws Exception {
    for (int i = 0; i < 100_000; i++) {
      alice.probe.send(message(alice, bob.address, i, 10));
    }
    int expected = 0;
    for (NumberMsg message : bob.probe.take(100_000, NumberMsg.class)) {
      assertThat(message.number).isEqualTo(expected++);
    }
    assertThat(bob.counters.get(Event.RECEIVED)).isEqualTo(100_000);
  }

  /** Kompics' queues have no bound, and strangers are not to fill them. */
  @Test
  void anApplicationThatIsBehindIsNotSentMore() throws Exception {
    AtomicLong receivedMeanwhile = new AtomicLong();
    bob.probe.answer =
        m -> {
          while (m.number == 0
              && bob.counters.get(Event.RECEIVED) < 80_000
              && bob.counters.get(Event.APPLICATION_BEHIND) == 0) {
            Thread.onSpinWait();
          }
          receivedMeanwhile.compareAndSet(0, bob.counters.get(Event.RECEIVED));
          return message(bob, m.source, m.number, 0);
        };
    for (int i = 0; i < 100_000; i++) {
      alice.probe.send(message(alice, bob.address, i, 10));
    }
    int expected = 0;
    for (NumberMsg message : bob.probe.take(100_000, NumberMsg.class)) {
      assertThat(message.number).isEqualTo(expected++);
    }
    assertThat(bob.counters.get(Event.APPLICATION_BEHIND)).isPositive();
    assertThat(receivedMeanwhile.get()).as("10,000 and a batch").isBetween(10_000L, 40_000L);
  }

  @Test
  void aMessageOfSixteenMebibytesArrivesUnchangedAndItsDeliveryIsTold() throws Exception {
    byte[] content = new byte[16 << 20];
    new SplittableRandom(1).nextBytes(content);
    MessageNotify.Req request =
        MessageNotify.createWithDeliveryNotification(
            new NumberMsg(alice.address, bob.address, Transport.LEDBAT, 1, content));
    alice.probe.send(request);
    NumberMsg arrived = bob.probe.take(1, NumberMsg.class).get(0);
    assertThat(arrived.content).isEqualTo(content);
    List<MessageNotify.Resp> answers =
        alice.probe.take(
            1, MessageNotify.Resp.class, answer -> answer.getState() == State.DELIVERED);
    assertThat(answers.get(0).msgId).isEqualTo(request.getMsgId());
    assertThat(answers.get(0).getSize()).isGreaterThan(16 << 20);
    assertThat(answers.get(0).getDeliveryTime()).isPositive();
  }

  @Test
  void eachRequestIsAnsweredFinallyOnce() throws Exception {
    Map<UUID, List<State>> answers = new HashMap<>();
    List<UUID> wanted = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      MessageNotify.Req request =
          i % 2 == 0
              ? MessageNotify.create(message(alice, bob.address, i, i * 10))
              : MessageNotify.createWithDeliveryNotification(
                  message(alice, bob.address, i, i * 10));
      wanted.add(request.getMsgId());
      alice.probe.send(request);
    }
    for (MessageNotify.Resp answer : alice.probe.take(750, MessageNotify.Resp.class)) {
      answers.computeIfAbsent(answer.msgId, id -> new ArrayList<>()).add(answer.getState());
    }
    // A delivery answer is a copy; SENT is the request's own answer and may show a later state.
    for (int i = 0; i < 500; i++) {
      List<State> states = answers.get(wanted.get(i));
      assertThat(states).hasSize(i % 2 == 0 ? 1 : 2);
      assertThat(states.get(states.size() - 1))
          .isEqualTo(i % 2 == 0 ? State.SENT : State.DELIVERED);
    }
    assertThat(alice.probe.hasNo(MessageNotify.Resp.class)).isTrue();
  }

  @Test
  void aPeerThatIsNotThereIsAFailureAndIsTold() throws Exception {
    Address nobody = LiveNodes.freeAddress();
    alice.probe.send(MessageNotify.createWithDeliveryNotification(message(alice, nobody, 1, 1)));
    alice.probe.send(MessageNotify.create(message(alice, nobody, 2, 1)));
    assertThat(alice.probe.take(1, ConnectionStatus.Requested.class).get(0).peer).isEqualTo(nobody);
    List<MessageNotify.Resp> answers = alice.probe.take(2, MessageNotify.Resp.class);
    assertThat(answers).allMatch(answer -> answer.getState() == State.FAILED);
    alice.probe.take(1, ConnectionStatus.Dropped.class, dropped -> dropped.last);
  }

  @Test
  void messagesToSelfAreDeliveredAsTheyAre() throws Exception {
    NumberMsg message = message(alice, alice.address, 5, 5);
    alice.probe.send(MessageNotify.createWithDeliveryNotification(message));
    assertThat(alice.probe.take(1, NumberMsg.class).get(0)).isSameAs(message);
    assertThat(alice.probe.take(2, MessageNotify.Resp.class).get(1).getState())
        .isEqualTo(State.DELIVERED);
  }

  @Test
  void aKilledAndRestartedPeerIsReachedAgain() throws Exception {
    alice.probe.send(message(alice, bob.address, 1, 10));
    bob.probe.take(1, NumberMsg.class);
    nodes.kill(bob);
    alice.probe.take(1, ConnectionStatus.Dropped.class, dropped -> dropped.last);
    LiveNodes.Node reborn = nodes.start(bob.address, CONFIG);
    alice.probe.send(message(alice, bob.address, 2, 10));
    assertThat(reborn.probe.take(1, NumberMsg.class).get(0).number).isEqualTo(2);
  }

  @Test
  void theControlPortTellsOfSocketsAndConnections() throws Exception {
    alice.probe.ask(ListeningStatus.request());
    ListeningStatus status = alice.probe.take(1, ListeningStatus.Response.class).get(0).status;
    assertThat(status.getPort(Transport.LEDBAT)).isEqualTo(alice.address.getPort());
    alice.probe.send(message(alice, bob.address, 1, 1));
    ConnectionStatus.Established there =
        bob.probe.take(1, ConnectionStatus.Established.class).get(0);
    assertThat(there.peer.sameHostAs(alice.address)).isTrue();
    assertThat(there.protocol).isEqualTo(Transport.LEDBAT);
    assertThat(alice.probe.take(1, ConnectionStatus.Established.class).get(0).peer)
        .isEqualTo(bob.address);
  }

  @Test
  void whatHasNoSerializerOrIsTooLargeFailsAndTheRestGoesOn() throws Exception {
    alice.probe.send(MessageNotify.create(new Unknown(alice.address, bob.address)));
    alice.probe.send(MessageNotify.create(message(alice, bob.address, 1, 33 << 20)));
    alice.probe.send(message(alice, bob.address, 2, 1));
    assertThat(alice.probe.take(2, MessageNotify.Resp.class))
        .allMatch(answer -> answer.getState() == State.FAILED);
    assertThat(bob.probe.take(1, NumberMsg.class).get(0).number).isEqualTo(2);
    assertThat(alice.counters.get(Event.NOT_SERIALISABLE)).isEqualTo(2);
  }

  @Test
  void anotherTransportIsRefusedWithoutAFault() throws Exception {
    NumberMsg tcp = new NumberMsg(alice.address, bob.address, Transport.TCP, 1, new byte[0]);
    alice.probe.send(MessageNotify.create(tcp));
    alice.probe.take(1, NetworkException.class);
    alice.probe.send(message(alice, bob.address, 2, 1));
    assertThat(bob.probe.take(1, NumberMsg.class).get(0).number).isEqualTo(2);
  }

  @SuppressWarnings("deprecation")
  private record Unknown(Address source, Address destination)
      implements Msg<Address, Header<Address>>, Header<Address> {
    @Override
    public Header<Address> getHeader() {
      return this;
    }

    @Override
    public Address getSource() {
      return source;
    }

    @Override
    public Address getDestination() {
      return destination;
    }

    @Override
    public Transport getProtocol() {
      return Transport.LEDBAT;
    }
  }
}
