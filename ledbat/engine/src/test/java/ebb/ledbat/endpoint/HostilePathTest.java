package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.seeds.Seeds;
import ebb.ledbat.seeds.Seeds.SeedTest;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Two real endpoints over random paths that lose, double, delay and reorder packets, go dark and
 * damage headers, with little memory and applications that read when they like. Both streams arrive
 * complete, or both sides end and neither believes that all is well when it is not. One seed:
 * {@code -Debb.seed=...}.
 *
 * <p>Damage is to the version, the connection id, both timestamps and wnd_size. What UDP's checksum
 * lets through in the other fields, and in the payload, nothing in uTP can tell from the truth.
 */
final class HostilePathTest {
  private static final long SECOND = 1_000_000;
  private static final int SEEDS = 150;

  /** First bytes and lengths of the header fields that are damaged; the first is the version. */
  private static final int[][] FIELDS = {{0, 1}, {4, 4}, {8, 4}, {12, 4}};

  private static final int[] CONNECTION_ID = {2, 2};

  @Test
  void streamsArriveCompleteOrEndAtBothSides() {
    AtomicInteger finished = new AtomicInteger();
    SeedTest test = seed -> finished.addAndGet(run(seed) ? 1 : 0);
    Long only = Seeds.only();
    if (only != null) {
      Seeds.run(HostilePathTest.class, only, test);
      return;
    }
    for (long seed = 1; seed <= SEEDS; seed++) {
      Seeds.run(HostilePathTest.class, seed, test);
    }
    assertThat(finished.get()).as("most paths are not that bad").isGreaterThan(SEEDS / 2);
  }

  /** Send buffers took all memory at both ends, and neither could receive any more. */
  @Test
  void memoryFullOfDataToSendLeavesRoomToReceive() {
    for (int chunks = 4; chunks <= 16; chunks++) {
      LedbatConfig config =
          LedbatConfig.defaults().toBuilder().maxBufferedBytes(chunks * 16_384L).build();
      World world = new World(chunks, config, 400_000, 400_000);
      assertThat(world.runToEnd(600 * SECOND)).as("%d chunks", chunks).isTrue();
      world.assertDelivered();
    }
  }

  private static boolean run(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    World world = new World(seed, config(random), random.nextInt(300_000), random.nextInt(300_000));
    EndpointPair pair = world.pair;
    pair.loss = random.nextDouble() * 0.05;
    pair.duplicate = random.nextDouble() * 0.05;
    pair.reorder = random.nextDouble() * 0.3;
    pair.delayMicros = 100 + random.nextInt(150_000);
    pair.rateBytesPerSecond = random.nextBoolean() ? 0 : 50_000 + random.nextInt(2_000_000);
    pair.bufferMicros = 20_000 + random.nextInt(500_000);
    pair.rightClockOffsetMicros = random.nextLong(1L << 33);
    double damage = random.nextInt(3) == 0 ? random.nextDouble() * 0.05 : 0;
    boolean damagesIds = random.nextInt(4) == 0;
    boolean goesDark = random.nextInt(4) == 0;
    long[] darkUntilMicros = {0};
    pair.tap =
        (from, datagram) -> {
          if (random.nextDouble() < damage) {
            int[] field =
                damagesIds && random.nextBoolean()
                    ? CONNECTION_ID
                    : FIELDS[random.nextInt(FIELDS.length)];
            damage(datagram, field, random);
          }
          return pair.nowMicros >= darkUntilMicros[0];
        };
    world.connect();
    long end = pair.nowMicros + 3_600 * SECOND;
    while (pair.nowMicros < end && !(world.client.closedCalls > 0 && serverIsDone(world))) {
      pair.run(1_000 + random.nextInt(1_000_000));
      if (goesDark && random.nextInt(20) == 0) {
        darkUntilMicros[0] = pair.nowMicros + random.nextInt(200) * SECOND;
      }
      for (StreamPeer peer : new StreamPeer[] {world.client, world.server}) {
        peer.reading = random.nextInt(3) > 0;
        if (peer.connection != null && peer.closedCalls == 0) {
          peer.drain();
        }
      }
      pair.flush();
    }
    check(world, !goesDark && !damagesIds);
    return world.client.closed == CloseReason.FINISHED;
  }

  /** A server that never heard of the client has nothing to end. */
  private static boolean serverIsDone(World world) {
    return world.server.connection == null || world.server.closedCalls > 0;
  }

  private static void check(World world, boolean mustArrive) {
    assertThat(world.client.closedCalls).as("the client's end").isEqualTo(1);
    assertThat(serverIsDone(world)).as("the server's end").isTrue();
    assertThat(world.client.mismatches + world.server.mismatches).isZero();
    assertThat(world.client.read).isLessThanOrEqualTo(world.server.written);
    assertThat(world.server.read).isLessThanOrEqualTo(world.client.written);
    if (mustArrive) {
      assertThat(world.client.closed).isEqualTo(CloseReason.FINISHED);
      assertThat(world.server.closed).isEqualTo(CloseReason.FINISHED);
    }
    if (world.client.closed == CloseReason.FINISHED
        || world.server.closed == CloseReason.FINISHED) {
      assertThat(world.server.read).isEqualTo(world.client.toWrite);
      assertThat(world.client.read).isEqualTo(world.server.toWrite);
    }
    world.pair.run(11 * SECOND); // Finished connections answer repeated FINs for up to 10 s.
    for (LedbatEndpoint endpoint : new LedbatEndpoint[] {world.pair.left, world.pair.right}) {
      assertThat(endpoint.connectionCount()).isZero();
      assertThat(endpoint.stats().bufferedBytes()).isZero();
      assertThat(endpoint.stats().listenerFailures()).isZero();
    }
  }

  private static void damage(byte[] datagram, int[] field, SplittableRandom random) {
    int at = field[0] + random.nextInt(field[1]);
    // The upper half of the first byte is the type, which is left alone.
    datagram[at] ^= (byte) (1 << random.nextInt(at == 0 ? 4 : 8));
  }

  private static LedbatConfig config(SplittableRandom random) {
    int initialDatagram = 576 + random.nextInt(700);
    return LedbatConfig.defaults().toBuilder()
        .receiveBufferBytes(1 << (14 + random.nextInt(6)))
        .sendBufferBytes(1 << (14 + random.nextInt(6)))
        .maxBufferedBytes(1L << (17 + random.nextInt(5)))
        .initialDatagramBytes(initialDatagram)
        .maxDatagramBytes(initialDatagram + random.nextInt(200))
        .build();
  }
}
