package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import org.junit.jupiter.api.Test;

/**
 * The whole engine over a link on virtual time: what is written arrives, whatever the link does.
 */
final class TransferTest {
  private static final long SECOND = 1_000_000;

  private static World world(long seed, long clientBytes, long serverBytes) {
    return new World(seed, LedbatConfig.defaults(), clientBytes, serverBytes);
  }

  @Test
  void nothingIsAlsoATransfer() {
    World world = world(1, 0, 0);
    assertThat(world.runToEnd(10 * SECOND)).isTrue();
    world.assertDelivered();
  }

  @Test
  void aMegabyteArrivesInOrder() {
    World world = world(2, 1_000_000, 0);
    assertThat(world.runToEnd(30 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(world.client.connection.stats(0).packetsRetransmitted()).isZero();
  }

  @Test
  void bothDirectionsAtOnce() {
    World world = world(3, 3_000_000, 2_000_000);
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
  }

  @Test
  void theServerMaySpeakFirst() {
    World world = world(4, 0, 100_000);
    assertThat(world.runToEnd(30 * SECOND)).isTrue();
    world.assertDelivered();
  }

  @Test
  void lossDuplicationAndReorderingCostTimeNotBytes() {
    // BEP 29, seq_nr: "The sequence number tells the other end in which order packets should be
    // served back to the application layer."
    for (long seed = 10; seed < 30; seed++) {
      World world = world(seed, 700_000, 300_000);
      world.pair.loss = 0.05;
      world.pair.duplicate = 0.02;
      world.pair.reorder = 0.05;
      assertThat(world.runToEnd(600 * SECOND)).as("seed %d", seed).isTrue();
      world.assertDelivered();
    }
  }

  @Test
  void whatIsNotCopiedArrivesToo() {
    for (long seed = 10; seed < 20; seed++) {
      World world = world(seed, 700_000, 300_000);
      world.client.sharing = true;
      world.server.sharing = true;
      world.pair.loss = 0.05;
      world.pair.duplicate = 0.02;
      world.pair.reorder = 0.05;
      assertThat(world.runToEnd(600 * SECOND)).as("seed %d", seed).isTrue();
      world.assertDelivered();
    }
  }

  @Test
  void aThirdLostStillArrives() {
    // This also held a keepalive to account whose selective ack was off by one.
    // With back-off to 60 s, patience is what it takes: eight tries in a row fail now and then.
    LedbatConfig patient = LedbatConfig.defaults().toBuilder().giveUpMicros(1_800 * SECOND).build();
    World world = new World(31, patient, 100_000, 0);
    world.pair.loss = 0.33;
    assertThat(world.runToEnd(3_000 * SECOND)).isTrue();
    world.assertDelivered();
  }

  @Test
  void clockOffsetsDoNotMatter() {
    for (long offset : new long[] {-4_000_000, 1L << 31, (1L << 32) - 5_100_000, 1L << 40}) {
      World world = world(40, 500_000, 500_000);
      world.pair.rightClockOffsetMicros = offset;
      assertThat(world.runToEnd(60 * SECOND)).as("offset %d", offset).isTrue();
      world.assertDelivered();
    }
  }

  @Test
  void aSlowReaderClosesTheWindowAndNothingIsLost() {
    LedbatConfig config = LedbatConfig.defaults().toBuilder().receiveBufferBytes(50_000).build();
    World world = new World(50, config, 400_000, 0);
    world.server.reading = false;
    world.connect();
    world.pair.run(20 * SECOND);
    assertThat(world.server.connection.readableBytes()).isBetween(40_000, 50_000);
    world.server.reading = true;
    world.server.drain();
    assertThat(
            world.pair.runUntil(
                60 * SECOND, () -> world.server.closedCalls > 0 && world.client.closedCalls > 0))
        .isTrue();
    world.assertDelivered();
  }

  @Test
  void aReaderThatIsBackAfterMinutesIsNotGivenUp() {
    LedbatConfig config = LedbatConfig.defaults().toBuilder().receiveBufferBytes(50_000).build();
    World world = new World(51, config, 400_000, 0);
    world.server.reading = false;
    world.connect();
    // Twice the time after which a peer that says nothing is given up; probes are unanswered then.
    world.pair.run(180 * SECOND);
    assertThat(world.client.closedCalls).isZero();
    world.server.reading = true;
    world.server.drain();
    assertThat(
            world.pair.runUntil(
                60 * SECOND, () -> world.server.closedCalls > 0 && world.client.closedCalls > 0))
        .isTrue();
    world.assertDelivered();
  }

  @Test
  void aLinkOfTenMegabitIsFilled() {
    World world = world(60, 30_000_000, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.pair.delayMicros = 25_000;
    world.pair.bufferMicros = 300_000;
    long start = world.pair.nowMicros;
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
    double seconds = (world.pair.nowMicros - start) / 1e6;
    assertThat(30_000_000 / seconds).isGreaterThan(0.85 * 1_250_000);
    assertThat(world.client.connection.stats(0).packetsRetransmitted()).isZero();
  }

  @Test
  void nobodyAnswersAConnectAttempt() {
    World world = world(70, 10, 10);
    world.pair.loss = 1;
    world.connect();
    assertThat(world.pair.runUntil(20 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.client.closed).isEqualTo(CloseReason.CONNECT_TIMEOUT);
    assertThat(world.pair.nowMicros).isEqualTo(5 * SECOND + 15 * SECOND);
    assertThat(world.pair.left.connectionCount()).isZero();
  }

  @Test
  void aSilentPeerIsGivenUp() {
    World world = world(71, 50_000_000, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.connect();
    world.pair.run(SECOND);
    world.pair.loss = 1;
    long vanished = world.pair.nowMicros;
    assertThat(world.pair.runUntil(100 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.client.closed).isEqualTo(CloseReason.TIMED_OUT);
    // After the time that was configured, and not at the first timeout after it: those are 63 and
    // 123 s after the last sign of life. Acknowledgements that were on their way are such signs.
    assertThat(world.pair.nowMicros - vanished).isBetween(90 * SECOND, 92 * SECOND);
  }

  @Test
  void aRefusingEndpointAnswersWithReset() {
    LedbatConfig deaf = LedbatConfig.defaults().toBuilder().accepting(false).build();
    World world = new World(72, deaf, 10, 0);
    world.connect();
    assertThat(world.pair.runUntil(SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.client.closed).isEqualTo(CloseReason.REFUSED);
  }

  @Test
  void abortReachesThePeer() {
    // BEP 29, type: "The remote host does not have any state for this connection. It is stale and
    // should be terminated."
    World world = world(73, 50_000_000, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.connect();
    world.pair.run(SECOND);
    world.client.connection.abort(world.pair.nowMicros);
    assertThat(world.pair.runUntil(SECOND, () -> world.server.closedCalls > 0)).isTrue();
    assertThat(world.server.closed).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(world.client.closed).isEqualTo(CloseReason.ABORTED);
    assertThat(world.pair.left.stats().bufferedBytes()).isZero();
    assertThat(world.pair.right.stats().bufferedBytes()).isZero();
  }

  @Test
  void finishedConnectionsLeaveNothingBehind() {
    World world = world(74, 100_000, 100_000);
    assertThat(world.runToEnd(30 * SECOND)).isTrue();
    world.pair.run(30 * SECOND);
    assertThat(world.pair.left.connectionCount()).isZero();
    assertThat(world.pair.right.connectionCount()).isZero();
    assertThat(world.pair.left.stats().bufferedBytes()).isZero();
    assertThat(world.pair.right.stats().bufferedBytes()).isZero();
  }

  @Test
  void halfClosedStreamsStayOpenTheOtherWay() {
    World world = world(75, 1_000, 0);
    world.server = new StreamPeer(() -> world.pair.nowMicros, 200_000, false);
    world.connect();
    assertThat(world.pair.runUntil(30 * SECOND, () -> world.client.read == 200_000)).isTrue();
    world.pair.run(30 * SECOND);
    assertThat(world.client.closedCalls).isZero();
    assertThat(world.server.peerFinished).isEqualTo(1);
    world.server.connection.finish(world.pair.nowMicros);
    assertThat(world.pair.runUntil(5 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.client.closed).isEqualTo(CloseReason.FINISHED);
  }

  @Test
  void idleConnectionsLiveOnByKeepalives() {
    World world = world(76, 1_000, 0);
    world.server = new StreamPeer(() -> world.pair.nowMicros, 1_000, false);
    world.connect();
    world.pair.run(3_600 * SECOND);
    assertThat(world.client.closedCalls).isZero();
    assertThat(world.server.closedCalls).isZero();
    world.pair.loss = 1;
    assertThat(world.pair.runUntil(300 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.client.closed).isEqualTo(CloseReason.TIMED_OUT);
  }
}
