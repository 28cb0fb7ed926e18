package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** While bursts are full, connections with one peer take turns of many packets, and equal ones. */
class TurnLengthTest {
  private static final InetSocketAddress HERE = new InetSocketAddress("10.0.0.1", 1001);
  private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.2", 1002);
  private static final InetSocketAddress OTHER = new InetSocketAddress("10.0.0.3", 1003);
  private static final int MSS_BYTES = 1_380;
  private static final int DATAGRAM_BYTES = MSS_BYTES + Packet.HEADER_BYTES;
  private static final int PACKETS_PER_BURST = Transmit.MAX_BURST_BYTES / DATAGRAM_BYTES;
  private static final int BUFFER_BYTES = 128 << 10;

  private record Flight(
      InetSocketAddress to, ByteBuffer bytes, int segmentSizeBytes, long arrivalMicros) {}

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<LedbatConnection> connections = new ArrayList<>();
  private final ByteBuffer content = ByteBuffer.allocate(1 << 16);
  private final ByteBuffer scratch = ByteBuffer.allocate(1 << 16);
  private final ArrayDeque<Flight> wire = new ArrayDeque<>();
  private long nowMicros = 5_000_000;
  private LedbatEndpoint here;
  private LedbatEndpoint peer;
  private long stepMicros = 1_000;
  private long delayMicros;
  private int maxBurstsPerStep = Integer.MAX_VALUE;
  private long packets;
  private long parts;

  private void start(LedbatConfigBuilder builder, int count) {
    LedbatConfig config =
        builder
            .minDatagramBytes(DATAGRAM_BYTES)
            .initialDatagramBytes(DATAGRAM_BYTES)
            .maxDatagramBytes(DATAGRAM_BYTES)
            .sendBufferBytes(BUFFER_BYTES)
            .build();
    here = new LedbatEndpoint(config, random::nextLong, new EndpointListener() {});
    peer =
        new LedbatEndpoint(
            config,
            random::nextLong,
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                connection.setListener(new Reader());
              }
            });
    for (int i = 0; i < count; i++) {
      connections.add(here.connect(PEER, new Writer(), nowMicros));
      run(10);
    }
  }

  private final class Reader implements ConnectionListener {
    @Override
    public void onReadable(LedbatConnection connection) {
      while (connection.read(scratch.clear(), nowMicros) > 0) {}
    }
  }

  private final class Writer implements ConnectionListener {
    @Override
    public void onConnected(LedbatConnection connection) {
      onWritable(connection);
    }

    @Override
    public void onWritable(LedbatConnection connection) {
      while (connection.write(content.clear(), nowMicros) > 0) {}
    }
  }

  /** So many steps; what is sent in one arrives in the next, or when it is read. */
  private void run(int steps) {
    for (int step = 0; step < steps; step++) {
      nowMicros += stepMicros;
      int read = 0;
      for (int i = wire.size(); i > 0; i--) {
        Flight flight = wire.remove();
        boolean toPeer = flight.to.equals(PEER);
        if (flight.arrivalMicros > nowMicros || (!toPeer && read++ >= maxBurstsPerStep)) {
          wire.add(flight);
          continue;
        }
        (toPeer ? peer : here)
            .receive(toPeer ? HERE : PEER, flight.bytes, flight.segmentSizeBytes, nowMicros);
      }
      send(here, maxBurstsPerStep);
      send(peer, Integer.MAX_VALUE);
    }
  }

  private void send(LedbatEndpoint from, int maxBursts) {
    from.onTimeout(nowMicros);
    from.endOfBurst(nowMicros);
    for (int left = maxBursts; left > 0; left--) {
      Transmit transmit =
          new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), Transmit.MAX_SEGMENTS);
      if (!from.pollTransmit(transmit, nowMicros)) {
        return;
      }
      count(transmit);
      wire.add(
          new Flight(
              transmit.destination,
              transmit.buffer,
              transmit.segmentSizeBytes,
              nowMicros + delayMicros));
    }
  }

  private void count(Transmit burst) {
    Packet packet = new Packet();
    int previous = -1;
    for (int at = 0; at < burst.buffer.limit(); at += burst.segmentSizeBytes) {
      int size = Math.min(burst.segmentSizeBytes, burst.buffer.limit() - at);
      assertThat(packet.decode(burst.buffer, at, size)).isNull();
      if (packet.type() == PacketType.ST_DATA) {
        packets++;
        parts += packet.connectionId() == previous ? 0 : 1;
        previous = packet.connectionId();
      }
    }
  }

  private double packetsPerPart(int steps) {
    packets = 0;
    parts = 0;
    run(steps);
    return (double) packets / parts;
  }

  private long[] acked() {
    return connections.stream().mapToLong(c -> c.stats(nowMicros).bytesAcked()).toArray();
  }

  private void assertAllProgress(long[] before) {
    long[] after = acked();
    long sum = 0;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < after.length; i++) {
      sum += after[i] - before[i];
      least = Math.min(least, after[i] - before[i]);
    }
    assertThat(least).isGreaterThan(sum / after.length / 2);
  }

  /** The driver reads a burst and sends one in 250 microseconds; together they want more. */
  @Test
  void connectionsThatShareFullBurstsTakeTurnsOfManyPackets() {
    start(LedbatConfig.defaults().toBuilder().controller("ledbat").slowStart(false), 100);
    stepMicros = 250;
    maxBurstsPerStep = 1;
    run(4_000);
    long[] before = acked();
    assertThat(packetsPerPart(4_000)).isBetween(8.0, (double) TurnLength.LONG_TURN_PACKETS);
    assertThat(packets).isGreaterThan(4_000L * PACKETS_PER_BURST * 9 / 10);
    assertAllProgress(before);
  }

  /** Two turns in flight are enough where the round trip is short, and nowhere else. */
  @Test
  void turnsDoNotKeepALongPathFromBeingFilled() {
    delayMicros = 25_000;
    start(LedbatConfig.defaults().toBuilder(), 60);
    run(1_000);
    long[] before = acked();
    packetsPerPart(1_000);
    assertThat(packets).isGreaterThan(1_000 / 50 * 60L * 2 * TurnLength.LONG_TURN_PACKETS);
    assertAllProgress(before);
  }

  /** Few connections with a bound on their rate: two packets are what the pacer lets go at once. */
  @Test
  void connectionsThatDoNotFillBurstsSendWhenTheyMay() {
    start(LedbatConfig.defaults().toBuilder().maxRateBytesPerSecond(1_000_000), 10);
    run(2_000);
    long[] before = acked();
    assertThat(packetsPerPart(1_000)).isLessThan(2.5);
    assertAllProgress(before);
  }

  /** The pacer's bucket of a slow connection is smaller than a turn. */
  @Test
  void aBoundOnTheRateHoldsAmongOthersToo() {
    assertABoundOnTheRateHoldsAmong(80);
  }

  @Test
  @Tag("long")
  void aBoundOnTheRateHoldsAmongManyToo() {
    assertABoundOnTheRateHoldsAmong(300);
  }

  private void assertABoundOnTheRateHoldsAmong(int count) {
    maxBurstsPerStep = 4;
    start(LedbatConfig.defaults().toBuilder().maxRateBytesPerSecond(1_000_000), count);
    run(2_000);
    long[] before = acked();
    assertThat(packetsPerPart(1_000)).isLessThan(2.5);
    assertAllProgress(before);
    for (LedbatConnection connection : connections) {
      assertThat(connection.stats(nowMicros).timeouts()).isZero();
    }
  }

  @Test
  void onlyFullSharedBurstsToOnePeerMakeTurnsLonger() {
    TurnLength turns = new TurnLength();
    for (int i = 0; i < 100; i++) {
      turns.onBurst(PEER, i % 2 == 0, true);
      turns.onBurst(PEER, true, i % 2 == 0);
      turns.onBurst(i % 2 == 0 ? PEER : OTHER, true, true);
      assertThat(turns.packets(PEER)).isZero();
      assertThat(turns.packets(OTHER)).isZero();
    }
    for (int i = 0; i < 100; i++) {
      turns.onBurst(PEER, true, true);
    }
    assertThat(turns.packets(PEER)).isEqualTo(TurnLength.LONG_TURN_PACKETS);
    assertThat(turns.packets(OTHER)).isZero();
    for (int i = 0; i < 10; i++) {
      turns.onBurst(PEER, false, false);
    }
    assertThat(turns.packets(PEER)).isZero();
  }
}
