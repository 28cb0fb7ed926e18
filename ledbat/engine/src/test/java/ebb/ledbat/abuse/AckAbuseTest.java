package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.wire.PacketType;
import org.junit.jupiter.api.Test;

/** Receivers that lie with their acknowledgements, or send too many of them. */
class AckAbuseTest {
  private static final long SECOND = 1_000_000;
  private static final long SEND_BUFFER_BYTES = LedbatConfig.defaults().sendBufferBytes();

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

    Optimist(LedbatConfig config) {
      world = new World(1, config, 2_000_000_000, 0);
      world.pair.rateBytesPerSecond = 1_250_000;
      world.pair.delayMicros = 25_000;
      world.pair.bufferMicros = 100_000;
      world.pair.tap =
          (from, datagram) -> {
            if (from.equals(EndpointPair.RIGHT)) {
              toSender = Forge.connectionId(datagram);
              return newest < 0;
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

  @Test
  void anOptimisticAckGainsNoMoreThanOneSendBuffer() {
    Optimist optimist = new Optimist(LedbatConfig.defaults());
    World world = optimist.world;
    long acked = 0;
    for (int i = 0; i < 75; i++) {
      long before = i == 0 ? 0 : stats(world).bytesSent();
      optimist.lie();
      if (i > 10) {
        assertThat(stats(world).bytesSent() - before).isLessThanOrEqualTo(SEND_BUFFER_BYTES);
      }
      assertThat(stats(world).flightSizeBytes()).isLessThanOrEqualTo(SEND_BUFFER_BYTES);
      // Slow start stops growing a window of which less than half is used.
      assertThat(stats(world).cwndBytes()).isLessThanOrEqualTo(3 * SEND_BUFFER_BYTES);
      acked = stats(world).bytesAcked();
    }
    assertThat(acked).as("the path carries 0.5 MB in this time").isGreaterThan(2_000_000);
    // The liar's price: what was lost is not sent again, so its stream ends there.
    assertThat(stats(world).packetsRetransmitted()).isZero();
    assertThat(world.server.read).isLessThan(acked / 2);
    assertThat(world.server.mismatches).isZero();
  }

  @Test
  void optimisticAcksDoNotLiftTheRateBound() {
    Optimist optimist =
        new Optimist(LedbatConfig.defaults().toBuilder().maxRateBytesPerSecond(500_000).build());
    World world = optimist.world;
    for (int i = 0; i < 200; i++) {
      optimist.lie();
    }
    long before = stats(world).bytesSent();
    for (int i = 0; i < 2_000; i++) {
      optimist.lie();
    }
    // Ten seconds at the bound, and a burst of a millisecond or two packets.
    assertThat(stats(world).bytesSent() - before).isBetween(4_500_000L, 5_003_000L);
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
