package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.SendLimit;
import ebb.ledbat.trace.ControllerEvent;
import ebb.ledbat.trace.LossCause;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** What a connection's listener is told, against what the connection's own counts say. */
final class TraceTest {
  private static final long SECOND = 1_000_000;

  private final List<RecordingTrace> traces = new ArrayList<>();

  private LedbatConfigBuilder traced() {
    return LedbatConfig.defaults().toBuilder().trace(RecordingTrace.into(traces));
  }

  private RecordingTrace client() {
    return traces.get(0);
  }

  @Test
  void aTransferIsToldFromItsFirstPacketToItsEnd() {
    World world = new World(1, traced().build(), 500_000, 0);

    assertThat(world.runToEnd(60 * SECOND)).isTrue();

    assertThat(traces).hasSize(2);
    RecordingTrace server = traces.get(1);
    assertThat(client().initiator).isTrue();
    assertThat(client().remote).isEqualTo(EndpointPair.RIGHT);
    assertThat(server.initiator).isFalse();
    assertThat(server.receiveId).isEqualTo(client().receiveId + 1 & 0xffff);
    assertThat(client().states).containsExactly("SYN_SENT", "ESTABLISHED", "CLOSED");
    assertThat(server.states).containsExactly("HALF_OPEN", "ESTABLISHED", "CLOSED");
    assertThat(client().closed).isEqualTo("FINISHED");
    assertThat(client().ackedBytes).isEqualTo(500_000);
    assertThat(client().mtus).containsExactly(1_200, 1_400);
    assertThat(client().controllers).containsExactly("ledbat");
    assertThat(client().controllerStates).startsWith("slow_start");
    assertThat(client().lost).isEmpty();
    assertThat(client().spuriousInTime + client().spuriousSentAgain).isZero();
    assertThat(client().limits).contains("HANDSHAKE", "CWND");
    assertThat(client().limitSince).isSorted();
    ConnectionStats stats = world.client.connection.stats(world.pair.nowMicros);
    assertThat(client().sent).isEqualTo(stats.datagramsSent());
    assertThat(client().received).isEqualTo(stats.datagramsReceived());
    assertThat(server.sent).isEqualTo(client().received);
    assertThat(client().metrics).isPositive();
    assertThat(client().cwndBytes).isEqualTo(stats.cwndBytes());
    assertThat(client().smoothedRttMicros).isEqualTo(stats.smoothedRttMicros());
  }

  @Test
  void lossesAndRepetitionsAreThoseThatTheConnectionCounts() {
    for (long seed = 1; seed <= 5; seed++) {
      traces.clear();
      World world = new World(seed, traced().build(), 2_000_000, 0);
      world.pair.loss = 0.02;

      assertThat(world.runToEnd(120 * SECOND)).isTrue();

      ConnectionStats stats = world.client.connection.stats(world.pair.nowMicros);
      int syns = client().decisions.getOrDefault(ControllerEvent.LOST_SYN, 0);
      assertThat(client().lost).as("seed %d", seed).containsKey(LossCause.LATER_ACKED);
      assertThat(client().sentAgain - syns).isEqualTo((int) stats.packetsRetransmitted());
      assertThat(client().decisions.get(ControllerEvent.LOSS))
          .isGreaterThanOrEqualTo((int) stats.losses());
      assertThat(client().reducedBytes).isPositive();
      assertThat(client().ackedBytes).isEqualTo(2_000_000);
      assertThat(client().lostNow).as("what was lost was sent again").isEmpty();
    }
  }

  @Test
  void aPathThatHoldsPacketsBackShowsThatRepetitionsWereNotNeeded() {
    World world = new World(1, traced().build(), 3_000_000, 0);
    world.pair.reorder = 0.02;
    world.pair.delayMicros = 1_000;

    assertThat(world.runToEnd(120 * SECOND)).isTrue();

    int lost = client().lost.getOrDefault(LossCause.LATER_ACKED, 0);
    assertThat(lost).isPositive();
    assertThat(client().spuriousInTime + client().spuriousSentAgain).isBetween(1, lost);
  }

  @Test
  void silenceOfThePeerIsATimeout() {
    World world = new World(1, traced().build(), 5_000_000, 0);
    world.connect();
    assertThat(world.pair.runUntil(10 * SECOND, () -> world.server.read > 500_000)).isTrue();
    long silentUntil = world.pair.nowMicros + 5 * SECOND;
    world.pair.tap = (from, datagram) -> world.pair.nowMicros > silentUntil;

    assertThat(world.pair.runUntil(60 * SECOND, () -> world.client.closedCalls > 0)).isTrue();

    assertThat(client().lost).containsKey(LossCause.TIMEOUT);
    assertThat(client().decisions).containsKey(ControllerEvent.TIMEOUT);
    assertThat(client().limits).contains(SendLimit.RECOVERY.name());
    assertThat(client().closed).isEqualTo("FINISHED");
  }

  @Test
  void controllersSayWhatTheyAreDoing() {
    World world = new World(1, traced().controller("ledbat++").build(), 20_000_000, 0);
    world.pair.rateBytesPerSecond = 500_000;
    world.connect();
    world.pair.run(20 * SECOND);
    assertThat(client().controllerStates)
        .startsWith("slow_start", "avoidance", "slowdown", "ramp", "avoidance");

    world.client.connection.setController("scavenger", world.pair.nowMicros);
    world.pair.run(10 * SECOND);

    assertThat(client().controllers).containsExactly("ledbat++", "scavenger");
    assertThat(client().controllerStates).contains("steering", "draining");
    assertThat(client().controllerTriggers).containsSequence("due", "queue_empty");
    assertThat(client().queuingDelayMicros).isPositive();
  }

  @Test
  void aPeerThatIsNotThereIsACloseReason() {
    World world = new World(1, traced().build(), 1_000, 0);
    world.pair.tap = (from, datagram) -> false;

    assertThat(world.pair.runUntil(0, () -> true)).isTrue();
    world.connect();
    assertThat(world.pair.runUntil(60 * SECOND, () -> world.client.closedCalls > 0)).isTrue();

    assertThat(client().states).containsExactly("SYN_SENT", "CLOSED");
    assertThat(client().closed).isEqualTo("CONNECT_TIMEOUT");
    assertThat(client().sentAgain).isPositive().isEqualTo(client().sent - 1);
  }

  @Test
  void aForgedPacketIsIgnored() {
    World world = new World(1, traced().build(), 100_000, 0);
    world.connect();
    assertThat(world.pair.runUntil(SECOND, () -> world.server.read > 0)).isTrue();
    RecordingTrace server = traces.get(1);
    byte[] forged = new byte[20];
    forged[0] = 0x21;
    forged[2] = (byte) (server.receiveId >>> 8);
    forged[3] = (byte) server.receiveId;
    forged[18] = 0x40;

    world.pair.inject(EndpointPair.LEFT, forged);
    world.pair.run(SECOND);

    assertThat(server.ignored).isEqualTo(1);
    assertThat(world.pair.right.stats().dropped().implausible()).isEqualTo(1);
  }

  @Test
  void watchingChangesNothing() {
    for (String controller : List.of("ledbat", "ledbat++", "scavenger", "dtl:0", "dtl:2")) {
      LedbatConfig config = LedbatConfig.defaults().toBuilder().controller(controller).build();
      assertThat(digest(config.toBuilder().trace(RecordingTrace.into(traces)).build()))
          .as(controller)
          .isEqualTo(digest(config));
    }
    assertThat(traces).hasSize(10);
  }

  private static long digest(LedbatConfig config) {
    World world = new World(7, config, 1_000_000, 300_000);
    world.pair.loss = 0.01;
    world.pair.reorder = 0.01;
    world.pair.rateBytesPerSecond = 1_000_000;
    CRC32C crc = new CRC32C();
    world.pair.tap =
        (from, datagram) -> {
          crc.update(datagram);
          return true;
        };
    assertThat(world.runToEnd(120 * SECOND)).isTrue();
    return crc.getValue();
  }

  @Test
  void whoWatchesMayChooseConnections() {
    InetSocketAddress[] asked = new InetSocketAddress[1];
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder()
            .trace(
                (remote, initiator, id, now) -> {
                  asked[0] = remote;
                  return null;
                })
            .build();
    EndpointPair pair = new EndpointPair(1, config, new EndpointListener() {});
    pair.left.connect(EndpointPair.RIGHT, new ConnectionListener() {}, pair.nowMicros);
    assertThat(asked[0]).isEqualTo(EndpointPair.RIGHT);
    pair.run(SECOND);
    assertThat(pair.left.connectionCount()).isEqualTo(1);
  }
}
