package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.StreamPeer;
import ebb.ledbat.endpoint.World;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Selective acks of packets that the receiver does not have, or no longer has. */
class RenegingTest {
  private static final long SECOND = 1_000_000;

  @Test
  void packetsThatWereOnlySelectivelyAckedAreSentAgainAfterATimeout() {
    // RFC 2018, 5: "After a retransmit timeout the data sender SHOULD turn off all of the SACKed
    // bits, since the timeout might indicate that the data receiver has reneged."
    // RFC 2018, 5: "A segment will not be dequeued and its buffer freed until the left window edge
    // is advanced over it."
    World world = new World(1, LedbatConfig.defaults(), 300_000, 0);
    int[] first = {-1};
    Set<Integer> dropped = new HashSet<>();
    int[] toLeft = {0};
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.RIGHT)) {
            toLeft[0] = Forge.connectionId(datagram);
            return true;
          }
          if (Forge.kind(datagram) != Forge.DATA) {
            return true;
          }
          first[0] = first[0] < 0 ? Forge.seqNr(datagram) : first[0];
          int nth = (Forge.seqNr(datagram) - first[0]) & 0xffff;
          return nth < 20 || nth > 30 || !dropped.add(nth);
        };
    world.connect();
    assertThat(world.pair.runUntil(10 * SECOND, () -> dropped.size() == 11)).isTrue();
    // The receiver says that it has numbers 21 to 30, which it has not.
    int ackNr = (first[0] + 19) & 0xffff;
    world.pair.inject(EndpointPair.RIGHT, Forge.selectiveAck(toLeft[0], 1, ackNr, 10));
    assertThat(
            world.pair.runUntil(
                10 * SECOND, () -> world.client.closedCalls > 0 && world.server.closedCalls > 0))
        .isTrue();
    world.assertDelivered();
    assertThat(world.client.connection.stats(0).bytesAcked()).isEqualTo(300_000);
    assertThat(world.client.connection.stats(0).timeouts()).isBetween(1L, 2L);
  }

  @Test
  void aReceiverThatRunsOutOfMemoryKeepsWhatItSelectivelyAcked() {
    // The cap on all buffers is smaller than the window, and the application does not read.
    LedbatConfig tight =
        LedbatConfig.defaults().toBuilder()
            .maxBufferedBytes(400_000)
            .receiveBufferBytes(4 << 20)
            .build();
    for (long seed = 1; seed <= 10; seed++) {
      World world = new World(seed, tight, 1_000_000, 0);
      world.pair.loss = 0.03;
      world.pair.reorder = 0.05;
      world.server.reading = false;
      world.connect();
      world.pair.run(20 * SECOND);
      assertThat(world.pair.right.stats().bufferedBytes()).isLessThanOrEqualTo(400_000);
      world.server.reading = true;
      world.server.drain();
      assertThat(
              world.pair.runUntil(
                  120 * SECOND, () -> world.client.closedCalls > 0 && world.server.closedCalls > 0))
          .as("seed %d", seed)
          .isTrue();
      world.assertDelivered();
    }
  }

  @Test
  void selectiveAcksOfDataNeverSentAcknowledgeNothing() {
    // BEP 29, Selective ACK: "Bits that are outside of the send window are ignored."
    World world = new World(1, LedbatConfig.defaults(), 100_000, 0);
    StreamPeer writer = world.client;
    int[] toLeft = {0};
    int[] newest = {0};
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.RIGHT)) {
            toLeft[0] = Forge.connectionId(datagram);
          } else {
            newest[0] = Forge.seqNr(datagram);
          }
          return true;
        };
    world.server = new StreamPeer(() -> world.pair.nowMicros, 50_000, false);
    world.connect();
    assertThat(
            world.pair.runUntil(
                10 * SECOND, () -> world.server.read == 100_000 && world.client.read == 50_000))
        .isTrue();
    world.pair.run(SECOND);
    long acked = writer.connection.stats(0).bytesAcked();
    for (int bits : new int[] {1, 32, 2_016}) {
      world.pair.inject(EndpointPair.RIGHT, Forge.selectiveAck(toLeft[0], 1, newest[0], bits));
    }
    world.pair.run(SECOND);
    assertThat(writer.connection.stats(0).bytesAcked()).isEqualTo(acked).isEqualTo(100_000);
    world.server.connection.finish(world.pair.nowMicros);
    assertThat(
            world.pair.runUntil(
                10 * SECOND, () -> world.client.closedCalls > 0 && world.server.closedCalls > 0))
        .isTrue();
    world.assertDelivered();
  }
}
