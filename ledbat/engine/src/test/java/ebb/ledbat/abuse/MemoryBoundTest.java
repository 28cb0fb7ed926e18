package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a peer can make an endpoint keep in memory. */
class MemoryBoundTest {
  private static final int WINDOW_BYTES = LedbatConfig.defaults().receiveBufferBytes();
  private static final int REORDER_PACKETS = 16_383;
  private static final int CHUNK_BYTES = 16 << 10;

  /**
   * 24 bytes for a packet's array and 8 for its slot, of which there is a power of two; the first
   * 64 slots are part of the connection.
   */
  private static final int REORDER_OVERHEAD_BYTES = REORDER_PACKETS * 24 + (16_384 - 64) * 8;

  private LoneEndpoint endpoint =
      new LoneEndpoint(LedbatConfig.defaults(), new EndpointListener() {});

  /** Opens a connection from a peer; gives the ack_nr of one that has received nothing. */
  private int open(InetSocketAddress peer, int id) {
    endpoint.give(peer, Forge.packet(PacketType.ST_SYN, id, 100, 0, 0));
    List<byte[]> answer = endpoint.take();
    int ackNr = (Forge.seqNr(answer.get(0)) - 1) & 0xffff;
    endpoint.give(peer, Forge.packet(PacketType.ST_STATE, id + 1, 101, ackNr, 0));
    endpoint.take();
    return ackNr;
  }

  private void sendAhead(InetSocketAddress peer, int id, int ackNr, int payloadBytes) {
    // 101 never comes.
    for (int seqNr = 102; seqNr < 102 + 40_000; seqNr++) {
      endpoint.give(
          peer, Forge.packet(PacketType.ST_DATA, id + 1, seqNr & 0xffff, ackNr, payloadBytes));
      endpoint.sent.clear();
    }
  }

  @Test
  void packetsOfOneByteOutOfOrderCostWhatIsCountedForThem() {
    int ackNr = open(LoneEndpoint.PEER, 7);
    long before = usedBytes();
    sendAhead(LoneEndpoint.PEER, 7, ackNr, 1);
    long counted = endpoint.endpoint.stats().bufferedBytes();
    assertThat(counted).isEqualTo(REORDER_PACKETS + REORDER_OVERHEAD_BYTES);
    // Another 100 KB for what the test itself leaves behind.
    assertThat(usedBytes() - before).as("heap").isLessThan(counted + 100_000);
    assertThat(endpoint.endpoint.connectionCount()).isEqualTo(1);
  }

  @Test
  void fullPacketsOutOfOrderTakeNoMoreThanTheWindow() {
    int ackNr = open(LoneEndpoint.PEER, 7);
    sendAhead(LoneEndpoint.PEER, 7, ackNr, 1_380);
    assertThat(endpoint.endpoint.stats().bufferedBytes())
        .isBetween(WINDOW_BYTES - 1_380L, (long) WINDOW_BYTES + REORDER_OVERHEAD_BYTES);
  }

  @Test
  void packetsOfOneByteInOrderTakeTheirBytesAndOneChunk() {
    int ackNr = open(LoneEndpoint.PEER, 7);
    for (int i = 0; i < 100_000; i++) {
      int seqNr = (101 + i) & 0xffff;
      endpoint.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_DATA, 8, seqNr, ackNr, 1));
      endpoint.sent.clear();
    }
    assertThat(endpoint.endpoint.stats().bufferedBytes())
        .isBetween(100_000L, 100_000L + CHUNK_BYTES);
  }

  @Test
  void manyPeersOutOfOrderTogetherStayBelowHalfOfTheCapOfTheEndpoint() {
    int cap = 2 << 20;
    endpoint =
        new LoneEndpoint(
            LedbatConfig.defaults().toBuilder().maxBufferedBytes(cap).build(),
            new EndpointListener() {});
    for (int id = 10; id < 50; id += 2) {
      int ackNr = open(LoneEndpoint.PEER, id);
      for (int seqNr = 102; seqNr < 16_000; seqNr += 3) {
        byte[] ahead = Forge.packet(PacketType.ST_DATA, id + 1, seqNr, ackNr, seqNr % 64);
        endpoint.give(LoneEndpoint.PEER, ahead);
        endpoint.sent.clear();
      }
      assertThat(endpoint.endpoint.stats().bufferedBytes()).isLessThanOrEqualTo(cap / 2);
    }
    // Each takes what it leaves to the next, so 20 leave a 21st part of the half, and less than a
    // packet's worth of rounding each.
    assertThat(endpoint.endpoint.stats().bufferedBytes()).isGreaterThan(cap / 20 * 9);
    endpoint.endpoint.close(endpoint.nowMicros);
    assertThat(endpoint.endpoint.stats().bufferedBytes()).isZero();
  }

  @Test
  void peersThatSendNothingInOrderLeaveMemoryForThoseWhoDo() {
    int cap = 2 << 20;
    endpoint =
        new LoneEndpoint(
            LedbatConfig.defaults().toBuilder().maxBufferedBytes(cap).build(),
            new EndpointListener() {});
    for (int id = 10; id < 10 + 2 * 100; id += 2) {
      int ackNr = open(LoneEndpoint.PEER, id);
      for (int seqNr = 102; seqNr < 300; seqNr++) {
        byte[] ahead = Forge.packet(PacketType.ST_DATA, id + 1, seqNr, ackNr, 1_380);
        endpoint.give(LoneEndpoint.PEER, ahead);
        endpoint.sent.clear();
      }
    }
    InetSocketAddress honest = new InetSocketAddress("10.0.0.9", 1009);
    int ackNr = open(honest, 7);
    long before = endpoint.endpoint.stats().bufferedBytes();
    for (int seqNr = 101; seqNr < 101 + 600; seqNr++) {
      endpoint.give(honest, Forge.packet(PacketType.ST_DATA, 8, seqNr, ackNr, 1_380));
      endpoint.sent.clear();
    }
    assertThat(endpoint.endpoint.stats().bufferedBytes() - before)
        .as("828,000 bytes in order that nobody has read yet")
        .isGreaterThanOrEqualTo(600 * 1_380);
  }

  @Test
  void halfOpenConnectionsAre1000AtMostAndCostLessThan8KiBEach() {
    long before = usedBytes();
    for (int i = 0; i < 50_000; i++) {
      InetSocketAddress from = new InetSocketAddress("10.2." + i / 250 + "." + i % 250, 1 + i);
      endpoint.give(from, Forge.packet(PacketType.ST_SYN, i & 0xffff, i & 0xffff, 0, 0));
      endpoint.sent.clear();
      assertThat(endpoint.endpoint.connectionCount()).isLessThanOrEqualTo(1_000);
    }
    assertThat(endpoint.endpoint.stats().halfOpen()).isEqualTo(1_000);
    assertThat(endpoint.endpoint.stats().bufferedBytes()).isZero();
    assertThat((usedBytes() - before) / 1_000).isLessThan(8 << 10);
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }
}
