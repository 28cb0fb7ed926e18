package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import ebb.ledbat.config.LedbatConfig;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Budgets on virtual time: what all connections of a hub together send and receive. */
class EndpointRatesTest {
  private static final long SECOND = 1_000_000;
  private static final long BUDGET = 2_000_000;

  private final VirtualNet net = new VirtualNet(5);

  private static LedbatConfig ledbat() {
    return LedbatConfig.defaults().toBuilder().ebbOnly(true).build();
  }

  private HubNode node(int number) {
    var address = new java.net.InetSocketAddress("10.0.0.1", 4_000 + number);
    return new HubNode(net, address, address, MessageConfig.defaults(), ledbat());
  }

  private static long sent(HubNode node) {
    return node.hub.samples(node.net.nowMicros).sentBytes();
  }

  private static long received(HubNode node) {
    return node.hub.samples(node.net.nowMicros).receivedBytes();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  void whatManyPeersAreSentTogetherHoldsToAFewPercent(int peers) {
    sendsByBudget(peers, 3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  void whatManyPeersSendTogetherHoldsToAFewPercent(int peers) {
    receivesByBudget(peers, 3);
  }

  @Test
  @Tag("soak")
  void whatAThousandPeersAreSentHoldsToFivePercent() {
    sendsByBudget(1_000, 5);
  }

  @Test
  @Tag("soak")
  void whatAThousandPeersSendHoldsToFivePercent() {
    receivesByBudget(1_000, 5);
  }

  private void sendsByBudget(int peers, int percent) {
    HubNode hub = node(0);
    hub.hub.rates().setBudget(Budget.of(BUDGET, Budget.UNLIMITED));
    for (int i = 1; i <= peers; i++) {
      HubNode peer = node(i);
      byte[] quarter = new byte[(int) (6 * BUDGET / peers)];
      for (int part = 0; part < 4; part++) {
        net.at(2 * SECOND * i / peers, () -> hub.send(peer.address, quarter));
      }
    }
    net.run(12 * SECOND); // what the first packets of all took is made up for
    long before = sent(hub);
    net.run(5 * SECOND);
    assertThat(sent(hub) - before).isCloseTo(5 * BUDGET, withinPercentage(percent));
  }

  private void receivesByBudget(int peers, int percent) {
    HubNode hub = node(0);
    hub.hub.rates().setBudget(Budget.of(Budget.UNLIMITED, BUDGET));
    for (int i = 1; i <= peers; i++) {
      HubNode peer = node(i);
      byte[] quarter = new byte[(int) (6 * BUDGET / peers)];
      for (int part = 0; part < 4; part++) {
        net.at(2 * SECOND * i / peers, () -> peer.send(hub.address, quarter));
      }
    }
    net.run(12 * SECOND); // what the first packets of all took is made up for
    long before = received(hub);
    net.run(5 * SECOND);
    assertThat(received(hub) - before).isCloseTo(5 * BUDGET, withinPercentage(percent));
  }

  @Test
  void whatComesInIsBoundedFromTheMomentThatSomebodyWantsIt() {
    HubNode hub = node(0);
    for (int i = 1; i <= 10; i++) {
      HubNode peer = node(i);
      net.at(i * SECOND / 10, () -> peer.send(hub.address, new byte[8 << 20]));
      net.at(i * SECOND, () -> peer.send(hub.address, new byte[20 << 20]));
    }
    net.run(SECOND);
    assertThat(received(hub)).isGreaterThan(2 * BUDGET);
    hub.hub.rates().setBudget(Budget.of(Budget.UNLIMITED, BUDGET));
    net.run(40 * SECOND); // what they had been given by then is made up for
    long before = received(hub);
    net.run(5 * SECOND);
    assertThat(received(hub) - before).isCloseTo(5 * BUDGET, withinPercentage(3));
    hub.hub.rates().setBudget(Budget.of(Budget.UNLIMITED, Budget.UNLIMITED));
    before = received(hub);
    net.run(SECOND);
    assertThat(received(hub) - before).isGreaterThan(2 * BUDGET);
  }

  @Test
  void classesShareByWeightAndTakeWhatOthersLeave() {
    HubNode hub = node(0);
    hub.hub.rates().setBudget(Budget.of(BUDGET, Budget.UNLIMITED).withClass("friends", 3));
    HubNode friend = node(1);
    List<HubNode> strangers = new ArrayList<>();
    assertThat(hub.hub.rates().setClass(friend.address, "friends")).isTrue();
    assertThat(hub.hub.rates().setClass(friend.address, "nobody")).isFalse();
    for (int i = 2; i < 6; i++) {
      strangers.add(node(i));
      hub.send(strangers.get(i - 2).address, new byte[8 << 20]);
    }
    net.run(2 * SECOND);
    long aloneBytes = strangers.stream().mapToLong(EndpointRatesTest::received).sum();
    net.run(2 * SECOND);
    aloneBytes = strangers.stream().mapToLong(EndpointRatesTest::received).sum() - aloneBytes;
    assertThat(aloneBytes).isCloseTo(2 * BUDGET, withinPercentage(4));

    hub.send(friend.address, new byte[16 << 20]);
    net.run(2 * SECOND);
    long friendBytes = received(friend);
    long strangerBytes = strangers.stream().mapToLong(EndpointRatesTest::received).sum();
    net.run(4 * SECOND);
    assertThat(received(friend) - friendBytes).isCloseTo(3 * BUDGET, withinPercentage(5));
    assertThat(strangers.stream().mapToLong(EndpointRatesTest::received).sum() - strangerBytes)
        .isCloseTo(BUDGET, withinPercentage(5));
  }

  @Test
  void aPeersOwnLimitHoldsAndItsRestGoesToTheOthers() {
    HubNode hub = node(0);
    hub.hub.rates().setBudget(Budget.of(BUDGET, Budget.UNLIMITED));
    HubNode slow = node(1);
    HubNode other = node(2);
    hub.hub.rates().setRates(slow.address, new Budget.Rates(200_000, Budget.UNLIMITED));
    hub.send(slow.address, new byte[16 << 20]);
    hub.send(other.address, new byte[24 << 20]);
    net.run(2 * SECOND);
    long slowBytes = received(slow);
    long otherBytes = received(other);
    net.run(4 * SECOND);
    assertThat(received(slow) - slowBytes).isCloseTo(800_000, withinPercentage(3));
    assertThat(received(other) - otherBytes).isCloseTo(4 * 1_800_000, withinPercentage(3));
    hub.hub.rates().setBudget(Budget.of(Budget.UNLIMITED, Budget.UNLIMITED));
    hub.hub.rates().setRates(null, Budget.Rates.NONE);
    net.run(SECOND);
    assertThat(received(slow) - slowBytes).as("nothing bounds it any more").isGreaterThan(2 << 20);
  }

  @Test
  void timesOfTheDayHaveTheirOwnRates() {
    Budget.Rates night = new Budget.Rates(9_000_000, 8_000_000);
    Budget.Rates noon = new Budget.Rates(1_000, 2_000);
    Budget budget =
        Budget.of(100_000, 50_000)
            .withHours(LocalTime.of(22, 0), LocalTime.of(6, 30), night)
            .withHours(LocalTime.of(12, 0), LocalTime.of(13, 0), noon)
            .withZone(ZoneOffset.UTC);
    assertThat(budget.at(LocalTime.of(23, 0))).isEqualTo(night);
    assertThat(budget.at(LocalTime.of(6, 29))).isEqualTo(night);
    assertThat(budget.at(LocalTime.of(6, 30))).isEqualTo(budget.rates());
    assertThat(budget.at(LocalTime.of(12, 30))).isEqualTo(noon);
    assertThat(budget.at(LocalTime.of(13, 0))).isEqualTo(budget.rates());
  }

  @Test
  void anUrgentMessageOvertakesWhatWaitsAndNobodyStarves() {
    HubNode hub = node(0);
    HubNode peer = node(1);
    hub.hub.rates().setBudget(Budget.of(BUDGET, Budget.UNLIMITED));
    List<Integer> chunks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      chunks.add(hub.send(peer.address, new byte[1 << 20], true));
    }
    net.run(SECOND);
    for (int i = 0; i < 20; i++) {
      int gossip = hub.send(peer.address, new byte[100], true, Prioritized.HIGHEST);
      long sentMicros = net.nowMicros;
      assertThat(net.runUntil(SECOND, () -> hub.outcomesOf(gossip).contains("delivered"))).isTrue();
      // A handshake and an exchange the first time, then an exchange, with an acknowledgement's
      // delay.
      long roundTrips = i == 0 ? 4 : 2;
      assertThat(net.nowMicros - sentMicros).isLessThan(roundTrips * 20_000 + 10_000);
    }
    assertThat(hub.outcomesOf(chunks.get(9))).as("the last chunk waits").isEmpty();
    assertThat(net.runUntil(10 * SECOND, () -> hub.outcomesOf(chunks.get(9)).contains("delivered")))
        .isTrue();
  }

  @Test
  void behindTranslationPrioritiesShareTheOneConnectionAndNoneWaitsForEver() {
    HubNode open = node(0);
    var place = new java.net.InetSocketAddress("10.0.0.9", 4_009);
    HubNode hidden =
        new HubNode(net, place, VirtualNet.node(77), MessageConfig.defaults(), ledbat());
    hidden.send(open.address, new byte[1]);
    net.run(SECOND);
    open.hub.rates().setBudget(Budget.of(BUDGET, Budget.UNLIMITED));
    int low = open.send(place, new byte[1_000], true);
    List<Integer> bulk = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      bulk.add(open.send(place, new byte[1 << 20], true, 2));
    }
    int last = open.send(place, new byte[1_000], true);
    int urgent = open.send(place, new byte[1_000], true, Prioritized.HIGHEST);
    assertThat(net.runUntil(60 * SECOND, () -> open.outcomesOf(last).contains("delivered")))
        .isTrue();
    assertThat(open.outcomesOf(low)).contains("delivered");
    assertThat(open.outcomesOf(urgent)).contains("delivered");
    assertThat(open.outcomesOf(bulk.get(39))).as("later than the last of low priority").isEmpty();
    assertThat(open.hub.sessionCount()).isEqualTo(1);
  }

  @Test
  void aMessageThatWaitsCanBeTakenBackAndOneThatHasBegunCannot() {
    HubNode hub = node(0);
    HubNode peer = node(1);
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      sent.add(hub.send(peer.address, new byte[1 << 20], true));
    }
    net.run(5_000);
    var waiting = hub.messages.get(sent.get(29)).request;
    assertThat(hub.hub.cancel(waiting.getMsgId())).isTrue();
    assertThat(hub.outcomesOf(sent.get(29))).containsExactly("failed");
    assertThat(hub.hub.cancel(waiting.getMsgId())).isFalse();
    net.run(60 * SECOND);
    assertThat(hub.outcomesOf(sent.get(28))).containsExactly("sent", "delivered");
    assertThat(hub.hub.cancel(hub.messages.get(sent.get(28)).request.getMsgId())).isFalse();
    assertThat(peer.received).hasSize(29);
  }
}
