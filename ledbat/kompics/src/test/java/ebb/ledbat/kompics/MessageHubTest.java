package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointListener;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.NetworkException;

class MessageHubTest {
  private static final long SECOND = 1_000_000;
  private static final MessageConfig CONFIG = MessageConfig.defaults();

  private final VirtualNet net = new VirtualNet(7);
  private final HubNode alice = new HubNode(net, 1, CONFIG);
  private final HubNode bob = new HubNode(net, 2, CONFIG);

  private static byte[] numbered(int number, int size) {
    return ByteBuffer.allocate(size).putInt(number).array();
  }

  private static List<Integer> numbers(List<byte[]> messages) {
    return messages.stream().map(bytes -> ByteBuffer.wrap(bytes).getInt()).toList();
  }

  private static List<Integer> upTo(int count) {
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expected.add(i);
    }
    return expected;
  }

  @Test
  void messagesBothWaysArriveExactlyOnceAndInOrderOverALossyLink() {
    net.loss = 0.02;
    for (int i = 0; i < 2_000; i++) {
      alice.send(bob.address, numbered(i, 4 + i % 3_000));
      bob.send(alice.address, numbered(i, 4 + i % 500));
    }
    assertThat(
            net.runUntil(
                600 * SECOND, () -> bob.received.size() >= 2_000 && alice.received.size() >= 2_000))
        .isTrue();
    net.run(10 * SECOND);
    assertThat(numbers(bob.received)).isEqualTo(upTo(2_000));
    assertThat(numbers(alice.received)).isEqualTo(upTo(2_000));
  }

  @Test
  void hundredThousandSmallMessagesArriveInOrder() {
    for (int i = 0; i < 100_000; i++) {
      alice.send(bob.address, numbered(i, 20));
    }
    assertThat(net.runUntil(600 * SECOND, () -> bob.received.size() >= 100_000)).isTrue();
    net.run(5 * SECOND);
    assertThat(numbers(bob.received)).isEqualTo(upTo(100_000));
  }

  @Test
  void aMessageOfSixteenMebibytesArrivesUnchanged() {
    byte[] large = new byte[16 << 20];
    new SplittableRandom(3).nextBytes(large);
    net.delayMicros = 1_000;
    int sent = alice.send(bob.address, large, true);
    assertThat(net.runUntil(600 * SECOND, () -> alice.outcomesOf(sent).contains("delivered")))
        .isTrue();
    assertThat(bob.received).hasSize(1);
    assertThat(bob.received.get(0)).isEqualTo(large);
    net.run(SECOND);
    assertThat(bob.hub.memory().heldBytes()).isZero();
  }

  @Test
  void messagesOfAllSizesArriveUnchangedInMemoryThatWasUsedBefore() {
    int[] sizes = {
      300_000, 70_000, 290_000, 1, 1_000_000, 16_385, 15_000, 65_536, 5 << 20, 280_000
    };
    SplittableRandom random = new SplittableRandom(4);
    List<byte[]> sent = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int size : sizes) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        sent.add(bytes);
        alice.send(bob.address, bytes);
      }
      net.run(20 * SECOND);
    }
    assertThat(bob.received).hasSameSizeAs(sent);
    for (int i = 0; i < sent.size(); i++) {
      assertThat(bob.received.get(i)).isEqualTo(sent.get(i));
    }
    assertThat(bob.hub.memory().heldBytes()).isZero();
  }

  @Test
  void aLargeMessageDoesNotHoldUpTheAnswersToTheOtherSide() {
    net.delayMicros = 20_000;
    alice.send(bob.address, numbered(0, 8 << 20));
    net.run(SECOND);
    int small = bob.send(alice.address, numbered(1, 100), true);
    assertThat(net.runUntil(60 * SECOND, () -> bob.outcomesOf(small).contains("delivered")))
        .isTrue();
    assertThat(bob.received).as("the large message is still on its way").isEmpty();
  }

  @Test
  void deliveryIsToldAfterSendingAndOnce() {
    int message = alice.send(bob.address, numbered(1, 100), true);
    net.run(10 * SECOND);
    assertThat(alice.outcomesOf(message)).containsExactly("sent", "delivered");
  }

  @Test
  void sentIsNotToldBeforeTheTransportHasTheWholeMessage() {
    // The send buffer takes 4 MiB, so 8 MiB cannot be with the transport before half is acked.
    int message = alice.send(bob.address, numbered(1, 8 << 20));
    assertThat(net.runUntil(600 * SECOND, () -> !alice.outcomesOf(message).isEmpty())).isTrue();
    assertThat(bob.hub.memory().heldBytes()).isGreaterThan(3 << 20);
    assertThat(alice.outcomesOf(message)).containsExactly("sent");
  }

  @Test
  void aMessageThatCannotBeDecodedIsRefusedAndTheOthersGoOn() {
    bob.decodable = bytes -> bytes.length != 7;
    int good = alice.send(bob.address, numbered(1, 5), true);
    int bad = alice.send(bob.address, numbered(2, 7), true);
    int next = alice.send(bob.address, numbered(3, 9), true);
    net.run(10 * SECOND);
    assertThat(alice.outcomesOf(good)).containsExactly("sent", "delivered");
    assertThat(alice.outcomesOf(bad)).containsExactly("sent", "refused");
    assertThat(alice.outcomesOf(next)).containsExactly("sent", "delivered");
    assertThat(numbers(bob.received)).containsExactly(1, 3);
  }

  @Test
  void aPeerThatIsNotThereFailsWhatWaitsForIt() {
    int first = alice.send(VirtualNet.node(9), numbered(1, 10));
    int second = alice.send(VirtualNet.node(9), numbered(2, 10), true);
    net.run(60 * SECOND);
    assertThat(alice.outcomesOf(first)).containsExactly("failed");
    assertThat(alice.outcomesOf(second)).containsExactly("failed");
    assertThat(alice.statuses.get(0)).isInstanceOf(ConnectionStatus.Requested.class);
    assertThat(alice.statuses)
        .filteredOn(ConnectionStatus.Dropped.class::isInstance)
        .singleElement()
        .satisfies(status -> assertThat(((ConnectionStatus.Dropped) status).last).isTrue());
    assertThat(alice.hub.peerCount()).isZero();
    assertThat(alice.hub.sessionCount()).isZero();
  }

  @Test
  void aPeerThatDiesFailsWhatItHasNotAnswered() {
    int delivered = alice.send(bob.address, numbered(1, 10), true);
    net.run(5 * SECOND);
    bob.driver.vanish();
    int lost = alice.send(bob.address, numbered(2, 10), true);
    net.run(300 * SECOND);
    assertThat(alice.outcomesOf(delivered)).containsExactly("sent", "delivered");
    assertThat(alice.outcomesOf(lost)).containsExactly("sent", "failed");
    assertThat(alice.hub.sessionCount()).isZero();
    assertThat(alice.statuses).filteredOn(NetworkException.class::isInstance).hasSize(1);
  }

  @Test
  void aRestartedPeerIsReachedAgain() {
    alice.send(bob.address, numbered(1, 10));
    net.run(5 * SECOND);
    bob.driver.vanish();
    HubNode reborn = new HubNode(net, 2, CONFIG);
    // The first message finds the old connection dead; the next opens a new one.
    int first = alice.send(bob.address, numbered(2, 10), true);
    net.run(30 * SECOND);
    assertThat(alice.outcomesOf(first)).endsWith("failed");
    int second = alice.send(bob.address, numbered(3, 10), true);
    net.run(5 * SECOND);
    assertThat(alice.outcomesOf(second)).containsExactly("sent", "delivered");
    assertThat(numbers(reborn.received)).containsExactly(3);
  }

  @Test
  void aRestartedPeerThatSpeaksFirstIsAnsweredOnItsNewConnection() {
    bob.send(alice.address, numbered(1, 10));
    net.run(5 * SECOND);
    bob.driver.vanish();
    HubNode reborn = new HubNode(net, 2, CONFIG);
    reborn.send(alice.address, numbered(2, 10));
    net.run(SECOND);
    int answer = alice.send(bob.address, numbered(3, 10), true);
    net.run(5 * SECOND);
    assertThat(alice.outcomesOf(answer)).containsExactly("sent", "delivered");
    assertThat(numbers(reborn.received)).containsExactly(3);
    assertThat(alice.hub.sessionCount()).isEqualTo(1);
  }

  @Test
  void oneConnectionServesBothDirections() {
    alice.send(bob.address, numbered(1, 10));
    net.run(5 * SECOND);
    bob.send(alice.address, numbered(2, 10));
    net.run(5 * SECOND);
    assertThat(numbers(alice.received)).containsExactly(2);
    assertThat(alice.hub.sessionCount()).isEqualTo(1);
    assertThat(bob.hub.sessionCount()).isEqualTo(1);
  }

  @Test
  void dialingEachOtherAtOnceLosesDoublesAndReordersNothing() {
    for (int i = 0; i < 1_000; i++) {
      int number = i;
      net.at(i * 100L, () -> alice.send(bob.address, numbered(number, 50)));
      net.at(i * 100L, () -> bob.send(alice.address, numbered(number, 50)));
    }
    net.run(60 * SECOND);
    assertThat(numbers(bob.received)).isEqualTo(upTo(1_000));
    assertThat(numbers(alice.received)).isEqualTo(upTo(1_000));
    assertThat(alice.hub.sessionCount()).isEqualTo(2);
  }

  @Test
  void anIdleConnectionIsClosedAndTheNextMessageOpensAnother() {
    alice.send(bob.address, numbered(1, 10));
    net.run(CONFIG.idleTimeoutMicros() + 60 * SECOND);
    assertThat(alice.hub.sessionCount()).isZero();
    assertThat(bob.hub.sessionCount()).isZero();
    assertThat(alice.statuses).noneMatch(NetworkException.class::isInstance);
    int next = bob.send(alice.address, numbered(2, 10), true);
    net.run(5 * SECOND);
    assertThat(bob.outcomesOf(next)).containsExactly("sent", "delivered");
  }

  @Test
  void messagesSentWhileTheIdleConnectionClosesAllArrive() {
    // Steps of 1 ms across the moment at which either side says goodbye.
    alice.send(bob.address, numbered(0, 10), true);
    net.run(CONFIG.idleTimeoutMicros() - 2 * SECOND);
    long start = net.nowMicros;
    List<Integer> sent = new ArrayList<>();
    while (alice.counters.get(NetworkCounters.Event.IDLE_CLOSED) == 0
        && bob.counters.get(NetworkCounters.Event.IDLE_CLOSED) == 0) {
      net.run(1_000);
      assertThat(net.nowMicros - start).isLessThan(60 * SECOND);
    }
    for (int i = 0; i < 100; i++) {
      sent.add(alice.send(bob.address, numbered(1 + i, 10), true));
      bob.send(alice.address, numbered(i, 10), true);
      net.run(1_000);
    }
    net.run(30 * SECOND);
    assertThat(numbers(bob.received)).isEqualTo(upTo(101));
    assertThat(numbers(alice.received)).isEqualTo(upTo(100));
    for (int message : sent) {
      assertThat(alice.outcomesOf(message)).containsExactly("sent", "delivered");
    }
  }

  @Test
  void whatIsQueuedBeyondTheBoundFailsAtOnceAndTheRestArrives() {
    MessageConfig small =
        new MessageConfig(
            100_000, 300_000, 600_000, 1 << 20, 10, SECOND, 300 * SECOND, 60 * SECOND, true);
    HubNode sender = new HubNode(net, 3, small);
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      sent.add(sender.send(bob.address, numbered(i, 99_000)));
    }
    net.run(20 * SECOND);
    assertThat(sender.outcomesOf(sent.get(2))).containsExactly("sent");
    assertThat(sender.outcomesOf(sent.get(3))).containsExactly("failed");
    assertThat(sender.counters.get(NetworkCounters.Event.QUEUE_FULL)).isEqualTo(2);
    assertThat(numbers(bob.received)).containsExactly(0, 1, 2);
  }

  @Test
  void peersOfOneAddressThatTakeNothingLeaveRoomForOthers() {
    MessageConfig config =
        new MessageConfig(
            16 << 10, 256 << 10, 1 << 20, 1 << 20, 10, SECOND, SECOND, 60 * SECOND, true);
    HubNode carol = new HubNode(net, 3, config);
    int refused = 0;
    for (int i = 0; i < 800; i++) {
      // They are all not there.
      InetSocketAddress port = new InetSocketAddress("198.51.100.1", 1_000 + i % 8);
      int message = carol.send(port, numbered(i, 4_000));
      net.run(0);
      refused += carol.outcomesOf(message).size();
    }
    assertThat(refused).as("half of 1 MiB is taken").isBetween(670, 690);
    int last = carol.send(bob.address, numbered(0, 4_000));
    assertThat(net.runUntil(SECOND, () -> bob.received.size() == 1)).isTrue();
    assertThat(carol.outcomesOf(last)).containsExactly("sent");
  }

  @Test
  void aComponentThatDoesNotDecodeStopsTheSenderAndNotMemory() {
    bob.decoding = false;
    for (int i = 0; i < 60; i++) {
      alice.send(bob.address, numbered(i, 1 << 20));
    }
    net.run(30 * SECOND);
    // 4 MiB undecoded and one message more; the rest stays where it is.
    assertThat(bob.hub.memory().heldBytes()).isBetween(4L << 20, 6L << 20);
    bob.decodeAll();
    assertThat(net.runUntil(600 * SECOND, () -> bob.received.size() >= 60)).isTrue();
    assertThat(numbers(bob.received)).isEqualTo(upTo(60));
    net.run(SECOND);
    assertThat(bob.hub.memory().heldBytes()).isZero();
  }

  @Test
  void smallMessagesThatAreNotDecodedCountWithWhatTheyCost() {
    MessageConfig config =
        new MessageConfig(
            16 << 10, 64 << 20, 256 << 20, 4 << 20, 10, SECOND, 300 * SECOND, 60 * SECOND, true);
    HubNode carol = new HubNode(net, 3, config);
    carol.decoding = false;
    for (HubNode sender : List.of(alice, bob)) {
      for (int i = 0; i < 20_000; i++) {
        sender.send(carol.address, numbered(i, 20));
      }
    }
    net.run(20 * SECOND);
    assertThat(carol.hub.memory().undecodedBytes()).isBetween(2L << 20, 4L << 20);
    carol.decodeAll();
    assertThat(net.runUntil(600 * SECOND, () -> carol.received.size() == 40_000)).isTrue();
    net.run(SECOND);
    assertThat(carol.hub.memory().undecodedBytes()).isZero();
  }

  @Test
  void manyLargeMessagesAtOnceStayWithinTheMemoryBoundAndAllArrive() {
    MessageConfig tight =
        new MessageConfig(
            8 << 20,
            64L << 20,
            64L << 20,
            4L << 20,
            100,
            10 * SECOND,
            300 * SECOND,
            60 * SECOND,
            true);
    HubNode receiver = new HubNode(net, 3, tight);
    List<HubNode> senders = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      senders.add(new HubNode(net, 10 + i, CONFIG));
    }
    for (HubNode sender : senders) {
      sender.send(receiver.address, numbered(1, 6 << 20));
    }
    long[] peak = new long[1];
    assertThat(
            net.runUntil(
                3_000 * SECOND,
                () -> {
                  peak[0] = Math.max(peak[0], receiver.hub.memory().heldBytes());
                  return receiver.received.size() >= 6;
                }))
        .isTrue();
    // The bound, one message that may go on above it, and what each session may always have.
    assertThat(peak[0]).isLessThan((4L << 20) + (6L << 20) + 6 * (256L << 10));
    net.run(SECOND);
    assertThat(receiver.hub.memory().heldBytes()).isZero();
  }

  @Test
  void aStrangerThatAnnouncesAnothersAddressGetsNoneOfItsMessages() {
    InetSocketAddress victim = VirtualNet.node(5);
    HubNode thief = new HubNode(net, VirtualNet.node(6), victim, CONFIG, LedbatConfig.defaults());
    thief.send(alice.address, numbered(1, 10));
    net.run(5 * SECOND);
    assertThat(numbers(alice.received)).containsExactly(1);
    HubNode real = new HubNode(net, 5, CONFIG);
    int message = alice.send(victim, numbered(2, 10), true);
    net.run(5 * SECOND);
    assertThat(alice.outcomesOf(message)).containsExactly("sent", "delivered");
    assertThat(numbers(real.received)).containsExactly(2);
    assertThat(thief.received).isEmpty();
  }

  @Test
  void aPeerThatCannotBeDialedIsReachedOnTheConnectionThatItOpened() {
    HubNode shy =
        new HubNode(
            net,
            VirtualNet.node(4),
            VirtualNet.node(4),
            CONFIG,
            LedbatConfig.defaults().toBuilder().accepting(false).build());
    shy.send(alice.address, numbered(1, 10));
    // Its HELLO is 5 ms away when alice dials, and the refusal of that 20 ms.
    net.run(25_000);
    int message = alice.send(shy.address, numbered(2, 10), true);
    net.run(5 * SECOND);
    assertThat(alice.outcomesOf(message)).containsExactly("sent", "delivered");
    assertThat(numbers(shy.received)).containsExactly(2);
    assertThat(alice.statuses)
        .filteredOn(NetworkException.class::isInstance)
        .as("its own dialing was refused")
        .hasSize(1);
  }

  @Test
  void aPeerThatTakesTheConnectionButNeverSpeaksIsGivenUp() {
    net.start(VirtualNet.node(8), LedbatConfig.defaults(), new EndpointListener() {});
    int message = alice.send(VirtualNet.node(8), numbered(1, 10), true);
    net.run(30 * SECOND);
    assertThat(alice.outcomesOf(message)).containsExactly("sent", "failed");
    assertThat(alice.counters.get(NetworkCounters.Event.HELLO_TIMEOUT)).isEqualTo(1);
    assertThat(alice.hub.sessionCount()).isZero();
  }

  @Test
  void closingFailsEverythingThatIsOpenExactlyOnce() {
    bob.decoding = false;
    int unanswered = alice.send(bob.address, numbered(1, 10), true);
    int begun = alice.send(bob.address, numbered(2, 20 << 20), true);
    int waiting = alice.send(VirtualNet.node(9), numbered(3, 10));
    net.run(SECOND);
    alice.driver.execute((endpoint, now) -> alice.hub.close(now));
    int late = alice.send(bob.address, numbered(4, 10));
    net.run(5 * SECOND);
    assertThat(alice.outcomesOf(unanswered)).containsExactly("sent", "failed");
    assertThat(alice.outcomesOf(begun)).containsExactly("failed");
    assertThat(alice.outcomesOf(waiting)).containsExactly("failed");
    assertThat(alice.outcomesOf(late)).containsExactly("failed");
    assertThat(alice.hub.sessionCount()).isZero();
  }
}
