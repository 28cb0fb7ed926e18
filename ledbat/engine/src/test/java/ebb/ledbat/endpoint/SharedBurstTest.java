package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What connections with one peer have to send at once goes in one burst, as far as it may. */
class SharedBurstTest {
  private static final InetSocketAddress HERE = new InetSocketAddress("10.0.0.1", 1001);
  private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.2", 1002);
  private static final InetSocketAddress OTHER = new InetSocketAddress("10.0.0.3", 1003);
  private static final long STEP_MICROS = 100_000;

  /** No larger datagrams are tried, for these tries go alone. */
  private static final LedbatConfig CONFIG =
      LedbatConfig.defaults().toBuilder()
          .maxDatagramBytes(LedbatConfig.defaults().initialDatagramBytes())
          .build();

  private static final int HEADER = Packet.HEADER_BYTES;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Map<InetSocketAddress, LedbatEndpoint> world = new LinkedHashMap<>();
  private final LedbatEndpoint here = add(HERE);
  private long nowMicros = 5_000_000;

  SharedBurstTest() {
    add(PEER);
    add(OTHER);
  }

  @Test
  void packetsOfOneSizeToOnePeerAreOneBurst() {
    List<LedbatConnection> connections = connect(PEER, 10);
    connections.forEach(connection -> write(connection, 100));
    Transmit burst = poll(here);
    assertThat(sizes(burst)).hasSize(10).containsOnly(HEADER + 100);
    assertThat(burst.destination).isEqualTo(PEER);
    assertThat(connectionIds(burst)).hasSize(10);
    assertThat(here.pollTransmit(fresh(), nowMicros)).isFalse();
    deliver(HERE, burst);
    settle();
    assertThat(connections)
        .allSatisfy(
            connection -> assertThat(connection.stats(nowMicros).bytesAcked()).isEqualTo(101));
  }

  /** UDP_SEGMENT: all segments have one size, only the last may be shorter. */
  @Test
  void aShorterPacketEndsABurstAndALongerOneBeginsAnother() {
    List<LedbatConnection> connections = connect(PEER, 5);
    int[] bytes = {100, 100, 60, 100, 200};
    for (int i = 0; i < bytes.length; i++) {
      write(connections.get(i), bytes[i]);
    }
    assertThat(sizes(poll(here))).containsExactly(HEADER + 100, HEADER + 100, HEADER + 60);
    assertThat(sizes(poll(here))).containsExactly(HEADER + 100);
    assertThat(sizes(poll(here))).containsExactly(HEADER + 200);
    assertThat(here.pollTransmit(fresh(), nowMicros)).isFalse();
  }

  @Test
  void noMoreThanTheDriverCanSendAtOnce() {
    connect(PEER, 10).forEach(connection -> write(connection, 100));
    Transmit four = new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), 4);
    List<Integer> segments = new ArrayList<>();
    while (here.pollTransmit(four, nowMicros)) {
      segments.add(sizes(four).size());
    }
    assertThat(segments).containsExactly(4, 4, 2);
  }

  @Test
  void packetsToDifferentPeersAreDifferentBursts() {
    LedbatConnection toPeer = connect(PEER, 1).get(0);
    LedbatConnection toOther = connect(OTHER, 1).get(0);
    write(toPeer, 100);
    write(toOther, 100);
    Transmit first = poll(here);
    assertThat(sizes(first)).containsExactly(HEADER + 100);
    assertThat(first.destination).isEqualTo(PEER);
    Transmit second = poll(here);
    assertThat(sizes(second)).containsExactly(HEADER + 100);
    assertThat(second.destination).isEqualTo(OTHER);
  }

  @Test
  void acknowledgementsToOnePeerAreOneBurst() {
    List<LedbatConnection> connections = connect(PEER, 10);
    connections.forEach(connection -> write(connection, 100));
    deliver(HERE, poll(here));
    LedbatEndpoint peer = endpoint(PEER);
    nowMicros += STEP_MICROS;
    peer.onTimeout(nowMicros);
    peer.endOfBurst(nowMicros);
    Transmit acks = poll(peer);
    assertThat(sizes(acks)).hasSize(10).containsOnly(HEADER);
    assertThat(connectionIds(acks)).hasSize(10);
    assertThat(types(acks)).containsOnly(PacketType.ST_STATE);
    assertThat(peer.pollTransmit(fresh(), nowMicros)).isFalse();
  }

  /** One connection's own bursts stay within half of its window, so that it gets answers. */
  @Test
  void aConnectionComesOnceInABurst() {
    List<LedbatConnection> connections = connect(PEER, 2);
    int initialWindowPackets = burstsOfOne(connections.get(0));
    write(connections.get(0), 100_000);
    write(connections.get(1), 100_000);
    Transmit both = poll(here);
    assertThat(sizes(both)).hasSize(2 * initialWindowPackets);
    assertThat(connectionIds(both)).hasSize(2);
  }

  /** How many packets a connection's first burst of bulk data has when it is alone. */
  private int burstsOfOne(LedbatConnection like) {
    LedbatConnection alone = connect(OTHER, 1).get(0);
    assertThat(alone.stats(nowMicros).cwndBytes()).isEqualTo(like.stats(nowMicros).cwndBytes());
    write(alone, 100_000);
    int packets = sizes(poll(here)).size();
    settle();
    return packets;
  }

  private LedbatEndpoint add(InetSocketAddress address) {
    LedbatEndpoint endpoint =
        new LedbatEndpoint(CONFIG, random::nextLong, new EndpointListener() {});
    world.put(address, endpoint);
    return endpoint;
  }

  private LedbatEndpoint endpoint(InetSocketAddress address) {
    LedbatEndpoint endpoint = world.get(address);
    assertThat(endpoint).isNotNull();
    return endpoint;
  }

  private List<LedbatConnection> connect(InetSocketAddress to, int count) {
    List<LedbatConnection> connections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LedbatConnection connection = here.connect(to, new ConnectionListener() {}, nowMicros);
      write(connection, 1);
      connections.add(connection);
      settle();
    }
    return connections;
  }

  private void write(LedbatConnection connection, int bytes) {
    assertThat(connection.write(ByteBuffer.allocate(bytes), nowMicros)).isEqualTo(bytes);
  }

  private static Transmit fresh() {
    return new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), Transmit.MAX_SEGMENTS);
  }

  private Transmit poll(LedbatEndpoint endpoint) {
    Transmit transmit = fresh();
    assertThat(endpoint.pollTransmit(transmit, nowMicros)).isTrue();
    return transmit;
  }

  private void deliver(InetSocketAddress from, Transmit burst) {
    endpoint(burst.destination).receive(from, burst.buffer, burst.segmentSizeBytes, nowMicros);
    endpoint(burst.destination).endOfBurst(nowMicros);
  }

  /** Lets time pass until everything that was on its way has been answered. */
  private void settle() {
    for (int step = 0; step < 20; step++) {
      nowMicros += STEP_MICROS;
      world.forEach(
          (address, endpoint) -> {
            endpoint.onTimeout(nowMicros);
            endpoint.endOfBurst(nowMicros);
            Transmit burst = fresh();
            while (endpoint.pollTransmit(burst, nowMicros)) {
              deliver(address, burst);
            }
          });
    }
  }

  private static List<Integer> sizes(Transmit burst) {
    List<Integer> sizes = new ArrayList<>();
    int limit = burst.buffer.limit();
    for (int at = 0; at < limit; at += burst.segmentSizeBytes) {
      sizes.add(Math.min(burst.segmentSizeBytes, limit - at));
    }
    return sizes;
  }

  private static List<Packet> packets(Transmit burst) {
    List<Packet> packets = new ArrayList<>();
    int at = 0;
    for (int size : sizes(burst)) {
      Packet packet = new Packet();
      assertThat(packet.decode(burst.buffer, at, size)).isNull();
      packets.add(packet);
      at += size;
    }
    return packets;
  }

  private static HashSet<Integer> connectionIds(Transmit burst) {
    HashSet<Integer> ids = new HashSet<>();
    packets(burst).forEach(packet -> ids.add(packet.connectionId()));
    return ids;
  }

  private static HashSet<PacketType> types(Transmit burst) {
    HashSet<PacketType> types = new HashSet<>();
    packets(burst).forEach(packet -> types.add(packet.type()));
    return types;
  }
}
