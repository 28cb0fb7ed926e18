package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * The whole engine, pacing and acknowledgement policy included, alone on 10 Mbit/s with a round
 * trip of 50 ms and a buffer of 300 ms.
 */
class LedbatQueueTest {
  private static final long SECOND = 1_000_000;
  private static final long RATE_BYTES_PER_SECOND = 1_250_000;
  private static final long ROUND_TRIP_MICROS = 50_000;

  @Test
  void aConnectionAloneFillsTheLinkAndHoldsTheQueueAt100Milliseconds() {
    // RFC 6817, 2.3: "The receiver then feeds the computed one-way delay back to the sender in the
    // next acknowledgement."
    // RFC 6817, 2.2: "LEDBAT requires that each data segment carries a 'timestamp' from the sender"
    assertQueue(100_000, 0, 95_000, 105_000);
  }

  @Test
  void aConnectionAloneHoldsTheQueueAt25Milliseconds() {
    // BEP 29, overview: "Every time a packet is sent, the sockets reply_micro value is put in the
    // timestamp_difference_microseconds field of the packet header."
    assertQueue(25_000, 0, 23_000, 27_000);
  }

  @Test
  void aReceiverWhoseClockIsTwoHoursBehindMakesNoDifference() {
    // RFC 6817, A.1: "the offsets cancel each other out in the queuing delay estimate"
    assertQueue(100_000, -7_200_000_000L, 95_000, 105_000);
  }

  private static void assertQueue(
      long targetMicros, long clockOffsetMicros, long lowMicros, long highMicros) {
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder()
            .targetDelayMicros(targetMicros)
            .slowStart(false)
            .build();
    World world = new World(1, config, 400_000_000, 0);
    world.pair.rateBytesPerSecond = RATE_BYTES_PER_SECOND;
    world.pair.delayMicros = ROUND_TRIP_MICROS / 2;
    world.pair.bufferMicros = 300_000;
    world.pair.rightClockOffsetMicros = clockOffsetMicros;
    world.connect();
    world.pair.run(100 * SECOND);
    long before = world.server.read;
    long[] queueMicros = new long[1_000];
    for (int i = 0; i < queueMicros.length; i++) {
      world.pair.run(SECOND / 20);
      queueMicros[i] = stats(world).queuingDelayMicros();
    }
    Arrays.sort(queueMicros);
    assertThat(queueMicros[500])
        .as("median as the sender sees it")
        .isBetween(lowMicros, highMicros);
    // Not by way of the one-way delays: the round trip holds the same queue, and one packet.
    assertThat(stats(world).smoothedRttMicros() - ROUND_TRIP_MICROS)
        .as("queue in the round trip")
        .isBetween(lowMicros, highMicros);
    // 1,380 payload bytes of each 1,428 on the link.
    double utilisation =
        (world.server.read - before) * (1_428.0 / 1_380) / (50 * RATE_BYTES_PER_SECOND);
    assertThat(utilisation).isBetween(0.99, 1.01);
    assertThat(stats(world).packetsRetransmitted()).isZero();
  }

  private static ConnectionStats stats(World world) {
    return world.client.connection.stats(world.pair.nowMicros);
  }
}
