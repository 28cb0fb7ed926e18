package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** How soon a side notices that the other is gone, and that it is not. */
class LivenessTest {
  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final LedbatConfig CONFIG = LedbatConfig.defaults();

  private static World world(long seed, LedbatConfig config, long clientBytes) {
    World world = new World(seed, config, clientBytes, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    return world;
  }

  private static Packet packet(byte[] datagram) {
    Packet packet = new Packet();
    assertThat(packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length)).isNull();
    return packet;
  }

  private static void assertBothGiveUp(World world, long patienceMicros) {
    world.connect();
    world.pair.run(2 * SECOND);
    assertThat(world.server.connection).isNotNull();
    long cut = world.pair.nowMicros;
    world.pair.loss = 1;
    assertThat(world.pair.runUntil(patienceMicros, () -> world.server.closedCalls > 0)).isTrue();
    assertThat(world.server.closed).isEqualTo(CloseReason.TIMED_OUT);
    assertThat(world.pair.runUntil(patienceMicros, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.client.closed).isEqualTo(CloseReason.TIMED_OUT);
    assertThat(world.pair.nowMicros - cut).isBetween(patienceMicros - 3 * SECOND, patienceMicros);
  }

  @Test
  void aReceiverNoticesWithin90SecondsThatItsSenderIsGone() {
    for (int seed = 1; seed <= 20; seed++) {
      assertBothGiveUp(world(seed, CONFIG, 100_000_000), 91 * SECOND);
    }
  }

  @Test
  void bothSidesOfAnIdleConnectionDo() {
    for (int seed = 1; seed <= 20; seed++) {
      World world = world(seed, CONFIG, 1_000);
      world.client = new StreamPeer(() -> world.pair.nowMicros, 1_000, false);
      assertBothGiveUp(world, 91 * SECOND);
    }
  }

  @Test
  void orWithinTheTimeThatIsConfigured() {
    LedbatConfig hasty = CONFIG.toBuilder().giveUpMicros(10 * SECOND).build();
    assertBothGiveUp(world(1, hasty, 100_000_000), 11 * SECOND);
  }

  /** Its signs of life may be lost, and it answers when it is asked. */
  @Test
  void aPeerThatIsIdleBehindABadPathLivesOn() {
    for (int seed = 1; seed <= 20; seed++) {
      World world = new World(seed, CONFIG, 1_000, 1_000);
      world.client = new StreamPeer(() -> world.pair.nowMicros, 1_000, false);
      world.server = new StreamPeer(() -> world.pair.nowMicros, 1_000, false);
      world.connect();
      world.pair.run(10 * SECOND);
      world.pair.loss = 0.15;
      world.pair.run(HOUR);
      assertThat(world.client.closedCalls + world.server.closedCalls).as("seed %d", seed).isZero();
      assertThat(world.pair.datagrams).isLessThan(1_500);
    }
  }

  /** ICMP is no proof: the peer is asked, and its answer is all there is to it. */
  @Test
  void aPeerOfWhichIcmpSaysThatItIsGoneIsAskedAtOnce() {
    World world = world(1, CONFIG, 1_000);
    world.client = new StreamPeer(() -> world.pair.nowMicros, 1_000, false);
    world.connect();
    world.pair.run(5 * SECOND);
    for (LedbatEndpoint side : new LedbatEndpoint[] {world.pair.left, world.pair.right}) {
      int[] asked = {0};
      int[] answered = {0};
      boolean left = side == world.pair.left;
      world.pair.tap =
          (from, datagram) -> {
            if (from.equals(EndpointPair.LEFT) == left) {
              asked[0] += packet(datagram).hasProof() ? 1 : 0;
            } else {
              answered[0]++;
            }
            return true;
          };
      for (int i = 0; i < 5; i++) { // Anybody can forge many.
        side.onUnreachable(left ? EndpointPair.RIGHT : EndpointPair.LEFT, world.pair.nowMicros);
        world.pair.run(100_000);
      }
      assertThat(asked[0]).isEqualTo(1);
      assertThat(answered[0]).isEqualTo(1);
      assertThat(world.client.closedCalls + world.server.closedCalls).isZero();
      world.pair.run(5 * SECOND);
    }
  }

  // ---- the end

  /** Each is told that the other is done, and waits for nothing. */
  @Test
  void bothSidesForgetAFinishedConnectionWithinARoundTripOrTwo() {
    for (int seed = 1; seed <= 20; seed++) {
      World world = new World(seed, CONFIG, 10_000, 10_000);
      world.server.finishAfterPeer = seed % 2 == 0;
      assertThat(world.runToEnd(20 * SECOND)).isTrue();
      world.assertDelivered();
      world.pair.run(2 * 2 * world.pair.delayMicros);
      assertThat(world.pair.left.connectionCount()).isZero();
      assertThat(world.pair.right.connectionCount()).isZero();
      assertThat(world.pair.left.stats().resetsSent() + world.pair.right.stats().resetsSent())
          .isZero();
    }
  }

  /** The last acknowledgement is lost, again and again, and the peer repeats its FIN. */
  @Test
  void aLostLastAcknowledgementIsRepeatedWhenThePeerAsksAgain() {
    for (int lost = 1; lost <= 3; lost++) {
      World world = new World(lost, CONFIG, 10_000, 10_000);
      boolean[] fins = new boolean[2];
      int[] toLose = {lost};
      world.pair.tap =
          (from, datagram) -> {
            boolean left = from.equals(EndpointPair.LEFT);
            fins[left ? 0 : 1] |= packet(datagram).type() == PacketType.ST_FIN;
            boolean last = fins[0] && fins[1] && packet(datagram).type() == PacketType.ST_STATE;
            return !last || toLose[0]-- <= 0;
          };
      assertThat(world.runToEnd(20 * SECOND)).as("%d lost", lost).isTrue();
      world.assertDelivered();
      world.pair.run(11 * SECOND);
      assertThat(world.pair.left.connectionCount() + world.pair.right.connectionCount()).isZero();
    }
  }
}
