package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import org.junit.jupiter.api.Test;

/** Path MTU probing, sequence number wrap, pacing and other things that depend on the path. */
final class PathTest {
  private static final long SECOND = 1_000_000;

  private static World world(long seed, LedbatConfig config, long bytes) {
    return new World(seed, config, bytes, 0);
  }

  private static ConnectionStats stats(World world) {
    return world.client.connection.stats(world.pair.nowMicros);
  }

  @Test
  void probingFindsTheLargestDatagram() {
    World world = world(1, LedbatConfig.defaults(), 500_000);
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(stats(world).mssBytes()).isEqualTo(1_400 - 20);
    assertThat(stats(world).packetsRetransmitted()).isZero();
  }

  @Test
  void probingStopsBelowThePathMtuWithoutHarm() {
    // RFC 8899, 3: "In IPv4, a probe packet MUST be sent with the Don't Fragment (DF) bit set in
    // the IP header"
    // RFC 8899, 3: "the PL (or layers above) is REQUIRED to arrange any retransmission and/or
    // repair of any resulting loss."
    // RFC 8899, 3: "Loss of a probe packet SHOULD NOT be treated as an indication of congestion"
    World world = world(2, LedbatConfig.defaults(), 20_000_000);
    world.pair.rateBytesPerSecond = 2_000_000;
    world.pair.mtuBytes = 1_252; // What a path of 1,280 bytes leaves for UDP over IPv4.
    world.connect();
    assertThat(world.pair.runUntil(300 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.server.read).isEqualTo(20_000_000);
    assertThat(world.server.mismatches).isZero();
    assertThat(stats(world).mssBytes() + 20).isBetween(1_252 - 12, 1_252);
    assertThat(stats(world).losses()).as("probes are no congestion").isZero();
    assertThat(stats(world).timeouts()).isZero();
  }

  @Test
  void aPathThatShrinksBelowThePacketSizeIsSurvived() {
    World world = world(3, LedbatConfig.defaults(), 10_000_000);
    world.connect();
    assertThat(world.pair.runUntil(60 * SECOND, () -> world.server.read > 3_000_000)).isTrue();
    world.pair.mtuBytes = 700;
    assertThat(world.pair.runUntil(300 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.server.read).isEqualTo(10_000_000);
    assertThat(world.server.mismatches).isZero();
  }

  @Test
  void sequenceNumbersWrapTwice() {
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder()
            .minDatagramBytes(150)
            .initialDatagramBytes(150)
            .maxDatagramBytes(150)
            .build();
    World world = world(4, config, 140_000L * 130);
    world.pair.delayMicros = 500;
    world.pair.loss = 0.001;
    assertThat(world.runToEnd(3_000 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(stats(world).bytesSent() / stats(world).mssBytes()).isGreaterThan(2 * 65_536);
  }

  @Test
  void aLargeWindowFillsALongFatPath() {
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder()
            .receiveBufferBytes(16 << 20)
            .sendBufferBytes(16 << 20)
            .slowStart(false)
            .build();
    World world = world(5, config, 400_000_000);
    world.pair.delayMicros = 25_000;
    world.connect();
    world.pair.run(30 * SECOND);
    // One segment per round trip of 50 ms from two segments: RFC 6817 without slow start.
    double roundTrips = 30 / 0.050;
    assertThat(stats(world).cwndBytes())
        .isBetween((long) (0.9 * roundTrips * 1_380), (long) (1.1 * roundTrips * 1_380));
  }

  @Test
  void slowStartFillsAPathInAFewRoundTrips() {
    // RFC 5681, 3.1: "The initial value of ssthresh SHOULD be set arbitrarily high"
    // RFC 5681, 3.1: "During slow start, a TCP increments cwnd"
    World world = world(11, LedbatConfig.defaults(), 60_000_000);
    world.pair.rateBytesPerSecond = 6_250_000;
    world.pair.delayMicros = 25_000;
    world.pair.bufferMicros = 200_000;
    world.connect();
    world.pair.run(2 * SECOND);
    // 50 Mbit/s x 50 ms are 226 segments: eight doublings. One segment per round trip takes 11 s.
    long before = world.server.read;
    world.pair.run(SECOND);
    assertThat(world.server.read - before).isGreaterThan((long) (0.95 * 6_250_000 * 1_380 / 1_428));
    assertThat(stats(world).packetsRetransmitted()).as("no overshoot into loss").isZero();
    assertThat(stats(world).queuingDelayMicros()).isBetween(20_000L, 150_000L);
  }

  @Test
  void theRateBoundHolds() {
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder().maxRateBytesPerSecond(100_000).build();
    World world = world(6, config, 10_000_000);
    world.connect();
    world.pair.run(10 * SECOND);
    long before = world.server.read;
    world.pair.run(20 * SECOND);
    assertThat((world.server.read - before) / 20).isBetween(95_000L, 105_000L);
    world.client.connection.setMaxRateBytesPerSecond(200_000);
    before = world.server.read;
    world.pair.run(20 * SECOND);
    assertThat((world.server.read - before) / 20).isBetween(180_000L, 210_000L);
  }

  @Test
  void burstsStaySmallerThanABufferOfFiftyPackets() {
    World world =
        world(7, LedbatConfig.defaults().toBuilder().slowStart(false).build(), 60_000_000);
    world.pair.rateBytesPerSecond = 6_250_000;
    world.pair.delayMicros = 10_000;
    // 50 packets of 1,428 bytes at 50 Mbit/s take 11.4 ms; TARGET stays below that.
    world.pair.bufferMicros = 11_400;
    world.connect();
    world.client.connection.setTargetDelayMicros(5_000);
    assertThat(world.pair.runUntil(60 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(stats(world).packetsRetransmitted()).isZero();
  }

  @Test
  void aLostTailDoesNotWaitForTheRetransmissionTimer() {
    World world = world(8, LedbatConfig.defaults(), 100_000);
    long[] lastData = {0};
    int[] dropped = {0};
    world.pair.tap =
        (from, datagram) -> {
          // Drop the last two data packets once each: offsets past 97,000 of 100,000.
          boolean data = from.equals(EndpointPair.LEFT) && datagram[0] == 0x01;
          if (data && world.client.connection.stats(0).unsentBytes() == 0 && dropped[0] < 2) {
            dropped[0]++;
            lastData[0] = world.pair.nowMicros;
            return false;
          }
          return true;
        };
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(dropped[0]).isEqualTo(2);
    assertThat(world.pair.nowMicros - lastData[0])
        .as("recovered within a few round trips of 20 ms, not after a second")
        .isLessThan(300_000);
    assertThat(stats(world).timeouts()).isZero();
  }

  @Test
  void aLostSynAckIsAskedForAgain() {
    World world = world(9, LedbatConfig.defaults(), 10_000);
    int[] dropped = {0};
    world.pair.tap = (from, datagram) -> !from.equals(EndpointPair.RIGHT) || dropped[0]++ > 1;
    assertThat(world.runToEnd(30 * SECOND)).isTrue();
    world.assertDelivered();
  }

  @Test
  void anIdleConnectionHoldsNoBuffers() {
    World world = world(10, LedbatConfig.defaults(), 1_000_000);
    world.server = new StreamPeer(() -> world.pair.nowMicros, 0, false);
    world.connect();
    assertThat(world.pair.runUntil(30 * SECOND, () -> world.server.read == 1_000_000)).isTrue();
    world.pair.run(5 * SECOND);
    assertThat(world.pair.left.stats().bufferedBytes()).isZero();
    assertThat(world.pair.right.stats().bufferedBytes()).isZero();
  }
}
