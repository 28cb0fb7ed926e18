package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** When acknowledgements wait for more packets, and when not. */
class AckDelayTest {
  private static final int MSS_BYTES = 1_380;
  private static final int DATAGRAM_BYTES = MSS_BYTES + Packet.HEADER_BYTES;
  private static final long LIMIT_MICROS = 60_000_000;

  private long dataPackets;
  private long fullPackets;
  private long acks;
  private int unacknowledged;
  private int mostUnacknowledged;

  private World world(LedbatConfigBuilder config, long bytes, long rateBytesPerSecond) {
    World world =
        new World(
            1,
            config
                .minDatagramBytes(DATAGRAM_BYTES)
                .initialDatagramBytes(DATAGRAM_BYTES)
                .maxDatagramBytes(DATAGRAM_BYTES)
                .build(),
            bytes,
            0);
    world.pair.delayMicros = 50;
    world.pair.rateBytesPerSecond = rateBytesPerSecond;
    world.pair.tap =
        (from, datagram) -> {
          count(new Packet(), datagram, from.equals(EndpointPair.LEFT));
          return true;
        };
    return world;
  }

  private void count(Packet packet, byte[] datagram, boolean toServer) {
    assertThat(packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length)).isNull();
    if (toServer && packet.type() == PacketType.ST_DATA) {
      dataPackets++;
      fullPackets += packet.payloadBytes() == MSS_BYTES ? 1 : 0;
      mostUnacknowledged = Math.max(mostUnacknowledged, ++unacknowledged);
    } else if (!toServer && packet.type() == PacketType.ST_STATE) {
      acks++;
      unacknowledged = 0;
    }
  }

  /** 1,000 packets in 14 ms. */
  @Test
  void packetsThatComeFastShareAcknowledgements() {
    World world = world(LedbatConfig.defaults().toBuilder(), 20_000_000, 100_000_000);
    assertThat(world.runToEnd(LIMIT_MICROS)).isTrue();
    world.assertDelivered();
    assertThat(fullPackets).isGreaterThan(14_000);
    assertThat(acks).isBetween(dataPackets / 16, dataPackets / 10);
  }

  /** 50 Mbit/s: 280 microseconds from packet to packet. */
  @Test
  void packetsThatDoNotAreAcknowledgedAtOnce() {
    // RFC 5681, 4.2: "an ACK SHOULD be generated for at least every second full-sized segment"
    World world = world(LedbatConfig.defaults().toBuilder(), 5_000_000, 6_250_000);
    assertThat(world.runToEnd(LIMIT_MICROS)).isTrue();
    world.assertDelivered();
    assertThat(acks).isGreaterThanOrEqualTo(dataPackets);
  }

  /** Each wait for packets that cannot come costs a millisecond; they become rare. */
  @Test
  void aSenderThatWaitsForTheAcknowledgementIsNotWaitedFor() {
    int window = 8 * MSS_BYTES;
    long bytes = 10_000_000;
    World world = world(LedbatConfig.defaults().toBuilder().receiveBufferBytes(window), bytes, 0);
    long start = world.pair.nowMicros;
    world.connect();
    assertThat(world.pair.runUntil(LIMIT_MICROS, () -> world.server.read == bytes)).isTrue();
    assertThat(mostUnacknowledged).isEqualTo(8);
    long withoutWaitsMicros = bytes / window * 2 * world.pair.delayMicros;
    // At least 64, 128, 256 and so on packets lie between two of them.
    int waits = 64 - Long.numberOfLeadingZeros(bytes / MSS_BYTES / 64);
    // Of so many packets one or two are withheld for a round trip.
    long withheldMicros = 2 * 2 * world.pair.delayMicros;
    assertThat(world.pair.nowMicros - start)
        .isLessThan(withoutWaitsMicros + waits * 1_000L + withheldMicros);
  }
}
