package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that come and go for minutes, as in a peer-to-peer swarm, and what the others keep. */
class MessageChurnTest {
  private static final long SECOND = 1_000_000;
  private static final int NODES = 10;
  private static final int ROUNDS = 600;
  private static final MessageConfig CONFIG = idleAfter(20 * SECOND);

  private static MessageConfig idleAfter(long idleTimeoutMicros) {
    MessageConfig defaults = MessageConfig.defaults();
    return new MessageConfig(
        defaults.maxMessageBytes(),
        defaults.maxQueuedBytesPerPeer(),
        defaults.maxQueuedBytes(),
        defaults.maxReceivedBytes(),
        defaults.maxSessions(),
        defaults.helloTimeoutMicros(),
        idleTimeoutMicros,
        defaults.stallTimeoutMicros(),
        defaults.foreignSources());
  }

  /** A node, the messages it sent, and whether it is there. */
  private static final class Member {
    final int number;
    HubNode node;
    boolean alive = true;

    Member(VirtualNet net, int number) {
      this.number = number;
      node = new HubNode(net, number, CONFIG);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void nothingIsKeptOfPeersThatDiedAndEveryMessageIsAnsweredOnce(long seed) {
    VirtualNet net = new VirtualNet(seed);
    net.loss = 0.005;
    SplittableRandom random = new SplittableRandom(seed);
    List<Member> members = new ArrayList<>();
    List<HubNode> gone = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      members.add(new Member(net, i + 1));
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Member member : members) {
        int to = random.nextInt(NODES);
        if (member.alive && members.get(to) != member) {
          member.node.send(
              VirtualNet.node(to + 1), new byte[1 << random.nextInt(17)], random.nextBoolean());
        }
      }
      // The first two stay, so that they see everything.
      Member victim = members.get(2 + random.nextInt(NODES - 2));
      if (round % 5 == 0) {
        if (!victim.alive) {
          victim.node = new HubNode(net, victim.number, CONFIG);
          victim.alive = true;
        } else {
          gone.add(victim.node);
          victim.alive = false;
          if (random.nextBoolean()) {
            victim.node.driver.vanish();
          } else {
            HubNode leaving = victim.node;
            leaving.driver.execute((endpoint, now) -> leaving.hub.close(now));
            leaving.driver.close();
          }
        }
      }
      net.run(SECOND / 5);
    }
    net.run(300 * SECOND);

    Set<Integer> there = new HashSet<>();
    for (Member member : members) {
      if (member.alive) {
        there.add(member.number);
        HubNode node = member.node;
        assertThat(node.hub.sessionCount()).as("sessions").isZero();
        assertThat(node.hub.peerCount()).as("peers").isZero();
        assertThat(node.hub.memory().heldBytes()).as("held bytes").isZero();
        assertThat(node.driver.endpoint().connectionCount()).as("connections").isZero();
        assertThat(node.driver.endpoint().stats().bufferedBytes()).as("buffers").isZero();
        assertThat(node.driver.endpoint().stats().listenerFailures()).isZero();
        for (int message = 0; message < node.messages.size(); message++) {
          List<String> outcomes = node.outcomesOf(message);
          if (node.messages.get(message).wantsDelivery()) {
            assertThat(outcomes)
                .isIn(List.of("sent", "delivered"), List.of("sent", "failed"), List.of("failed"));
          } else {
            assertThat(outcomes).isIn(List.of("sent"), List.of("failed"));
          }
        }
      }
    }
    assertThat(there).contains(1, 2);
    assertThat(gone).hasSizeGreaterThan(20);
  }
}
