package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.wire.PacketType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Receivers that lie with their acknowledgements, or send too many of them. */
class AckAbuseTest {
  private static final long SECOND = 1_000_000;

  private static ConnectionStats stats(World world) {
    return world.client.connection.stats(world.pair.nowMicros);
  }

  /**
   * A receiver behind 10 Mbit/s and 50 ms that acknowledges every 5 ms whatever was sent by then,
   * whether or not it has arrived or ever will, and reports no delay.
   */
  private static final class Optimist {
    final World world;
    private int newest = -1;
    private int acked = -1;
    private int toSender;
    private boolean honest;

    Optimist(LedbatConfig config) {
      world = new World(1, config, 2_000_000_000, 0);
      world.pair.rateBytesPerSecond = 1_250_000;
      world.pair.delayMicros = 25_000;
      world.pair.bufferMicros = 100_000;
      world.pair.tap =
          (from, datagram) -> {
            if (from.equals(EndpointPair.RIGHT)) {
              toSender = Forge.connectionId(datagram);
              return newest < 0 || honest;
            }
            newest = Forge.kind(datagram) == Forge.DATA ? Forge.seqNr(datagram) : newest;
            return true;
          };
      world.connect();
    }

    void lie() {
      if (newest != acked) {
        acked = newest;
        byte[] lie = Forge.packet(PacketType.ST_STATE, toSender, 1, newest, 1 << 30, new byte[0]);
        world.pair.inject(EndpointPair.RIGHT, lie);
      }
      world.pair.run(5_000);
    }
  }

  /** Before its window is large; what it says it has never was on the way. */
  @Test
  void anOptimistIsFoundOutEarly() {
    Optimist optimist = new Optimist(LedbatConfig.defaults());
    World world = optimist.world;
    for (int i = 0; i < 200 && world.client.closedCalls == 0; i++) {
      optimist.lie();
    }
    assertThat(world.client.closed).isEqualTo(CloseReason.FALSE_ACK);
    assertThat(stats(world).bytesSent()).isLessThan(160_000);
    assertThat(stats(world).losses()).isZero();
    // It is told, and nothing follows.
    world.pair.run(10 * SECOND);
    assertThat(world.pair.left.connectionCount()).isZero();
  }

  @Test
  void anOptimistThatWasHonestAtFirstIsFoundOutLater() {
    Optimist optimist = new Optimist(LedbatConfig.defaults());
    World world = optimist.world;
    optimist.honest = true;
    world.pair.run(2 * SECOND);
    assertThat(world.client.closedCalls).isZero();
    assertThat(world.server.read).isGreaterThan(1_000_000);
    long honestBytes = stats(world).bytesSent();
    optimist.honest = false;
    while (world.client.closedCalls == 0) {
      optimist.lie();
      assertThat(stats(world).bytesSent() - honestBytes).isLessThan(400_000_000);
    }
    assertThat(world.client.closed).isEqualTo(CloseReason.FALSE_ACK);
  }

  /** The acceptor knows less of where its peer is. */
  @Test
  void anOptimistWhoseAddressIsHardlyProvenIsFoundOutAtOnce() {
    for (int seed = 1; seed <= 50; seed++) {
      LoneEndpoint victim =
          new LoneEndpoint(
              LedbatConfig.defaults(),
              new EndpointListener() {
                @Override
                public void onAccepted(LedbatConnection connection) {
                  connection.write(ByteBuffer.allocate(4_000_000), 0);
                }
              },
              seed);
      victim.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0));
      int ack = Forge.seqNr(victim.take().get(0)) - 1;
      long bytes = 0;
      boolean reset = false;
      for (int round = 0; round < 100 && !reset; round++) {
        victim.nowMicros += 5_000;
        victim.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_STATE, 8, 101, ack & 0xffff, 0));
        for (byte[] datagram : victim.take()) {
          bytes += datagram.length;
          reset |= Forge.kind(datagram) == Forge.RESET;
          ack = Forge.kind(datagram) == Forge.DATA ? Forge.seqNr(datagram) : ack;
        }
      }
      assertThat(reset).as("seed %d", seed).isTrue();
      assertThat(bytes).as("seed %d", seed).isLessThan(40_000);
      assertThat(victim.endpoint.connectionCount()).isZero();
    }
  }

  /** Who is honest notices nothing: no loss is seen, no packet is sent twice. */
  @Test
  void anHonestReceiverGetsWhatWasWithheld() {
    for (int seed = 1; seed <= 3; seed++) {
      World world = new World(seed, LedbatConfig.defaults(), 20_000_000, 20_000);
      world.pair.rateBytesPerSecond = 12_500_000;
      int[] gaps = {0};
      int[] latest = {0};
      world.pair.tap =
          (from, datagram) -> {
            if (from.equals(EndpointPair.LEFT) && Forge.kind(datagram) == Forge.DATA) {
              gaps[0] += Forge.seqNr(datagram) == (latest[0] + 2 & 0xffff) ? 1 : 0;
              latest[0] = Forge.seqNr(datagram);
            }
            return true;
          };
      assertThat(world.runToEnd(60 * SECOND)).isTrue();
      world.assertDelivered();
      assertThat(gaps[0]).as("packets withheld").isPositive();
      assertThat(stats(world).losses()).isZero();
      assertThat(stats(world).packetsRetransmitted()).isZero();
      assertThat(stats(world).bytesSent()).isEqualTo(20_000_000);
      assertThat(stats(world).bytesAcked()).isEqualTo(20_000_000);
    }
  }

  /** Also one whose acknowledgements are never selective. */
  @Test
  void aReceiverWithoutSelectiveAcksGetsWhatWasWithheld() {
    for (int seed = 1; seed <= 20; seed++) {
      World world = new World(seed, LedbatConfig.defaults(), 3_000_000, 0);
      world.pair.tap =
          (from, datagram) -> {
            if (from.equals(EndpointPair.RIGHT) && datagram[1] == 1) {
              world.pair.inject(from, Forge.withoutExtensions(datagram));
              return false;
            }
            return true;
          };
      assertThat(world.runToEnd(60 * SECOND)).isTrue();
      world.assertDelivered();
      assertThat(stats(world).losses()).isZero();
      assertThat(stats(world).timeouts()).isZero();
    }
  }

  @Test
  void aFloodOfDuplicateAcksCostsOneRetransmissionPerRoundTripAtMost() {
    World world = new World(1, LedbatConfig.defaults(), 3_000_000, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.RIGHT) && Forge.kind(datagram) == Forge.STATE) {
            for (int i = 0; i < 50; i++) {
              world.pair.inject(EndpointPair.RIGHT, datagram.clone());
            }
          }
          return true;
        };
    long start = world.pair.nowMicros;
    assertThat(world.runToEnd(120 * SECOND)).isTrue();
    world.assertDelivered();
    long acks = world.server.connection.stats(0).datagramsSent();
    // The first unacknowledged packet only, and once: never more than one for an acknowledgement.
    assertThat(stats(world).packetsRetransmitted()).isLessThanOrEqualTo(acks);
    long roundTrips = (world.pair.nowMicros - start) / 20_000;
    assertThat(stats(world).losses()).as("windows halved").isLessThanOrEqualTo(roundTrips);
    double bytesPerSecond = 3_000_000e6 / (world.pair.nowMicros - start);
    // The floor of RFC 6817: 2 segments in a round trip, of 20 ms and what the packets take.
    assertThat(bytesPerSecond).isGreaterThan(2 * 1_180 / 0.025);
  }
}
