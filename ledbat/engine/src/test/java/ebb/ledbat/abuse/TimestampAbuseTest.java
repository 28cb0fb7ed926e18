package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.World;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Clocks that are wrong, and peers that report delays that are none, on 10 Mbit/s with a round trip
 * of 50 ms and a buffer of 100 ms.
 */
class TimestampAbuseTest {
  private static final long SECOND = 1_000_000;
  private static final double LINK_BYTES_PER_SECOND = 1_250_000 * 1_380.0 / 1_428;

  /** 2 segments of the size before probing, in a round trip with a packet's time each way. */
  private static final double FLOOR_BYTES_PER_SECOND = 2 * 1_180 / 0.055;

  private World world;
  private long startMicros;

  /**
   * Runs for a time; what the sender hears of its one-way delay is {@code error} of the time off.
   */
  private void run(long micros, LongUnaryOperator error) {
    run(micros, error, LedbatConfig.defaults());
  }

  private void run(long micros, LongUnaryOperator error, LedbatConfig config) {
    world = new World(1, config, 1_000_000_000, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.pair.delayMicros = 25_000;
    world.pair.bufferMicros = 100_000;
    startMicros = world.pair.nowMicros;
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.RIGHT)) {
            long off = error.applyAsLong(world.pair.nowMicros - startMicros);
            Forge.setDifference(datagram, (int) (Forge.difference(datagram) + off));
          }
          return true;
        };
    world.connect();
    for (long at = 0; at < micros; at += SECOND / 10) {
      world.pair.run(SECOND / 10);
      if (at > SECOND) {
        assertThat(stats().queuingDelayMicros()).isNotNegative();
        assertThat(stats().cwndBytes()).isGreaterThanOrEqualTo(1_180);
      }
    }
    assertThat(world.client.closedCalls).isZero();
    assertThat(world.server.mismatches).isZero();
  }

  private ConnectionStats stats() {
    return world.client.connection.stats(world.pair.nowMicros);
  }

  /** Over the next seconds. */
  private double bytesPerSecond(int seconds) {
    long before = world.server.read;
    world.pair.run(seconds * SECOND);
    return (double) (world.server.read - before) / seconds;
  }

  /** Ends the transfer early and in order: what was sent by now must arrive. */
  private void assertAllArrives() {
    world.pair.tap = (from, datagram) -> true;
    world.client.connection.finish(world.pair.nowMicros);
    assertThat(
            world.pair.runUntil(
                600 * SECOND, () -> world.client.closedCalls > 0 && world.server.closedCalls > 0))
        .isTrue();
    assertThat(world.server.read).isEqualTo(world.client.written);
    assertThat(world.server.mismatches).isZero();
  }

  @Test
  void aDelayThatIsAlwaysTheSameLeavesTheLinkToLosses() {
    run(10 * SECOND, at -> 0);
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.RIGHT)) {
            Forge.setDifference(datagram, 12_345);
          }
          return true;
        };
    // Reno with a buffer of two round trips' worth keeps a link full.
    assertThat(bytesPerSecond(30)).isGreaterThan(0.8 * LINK_BYTES_PER_SECOND);
    assertThat(stats().queuingDelayMicros()).isZero();
    assertAllArrives();
  }

  @Test
  void aSendersTimestampThatStandsStillLeavesTheFloor() {
    // The receiver's difference then grows by a second every second: a queue without end.
    run(10 * SECOND, at -> at);
    assertThat(bytesPerSecond(20)).isGreaterThan(FLOOR_BYTES_PER_SECOND);
    assertThat(stats().queuingDelayMicros()).isBetween(25 * SECOND, 31 * SECOND);
    assertAllArrives();
  }

  @Test
  void aClockThatJumpsAheadLeavesTheFloorUntilTheHistoryIsOver() {
    // A history of 2 minutes for one of 10, which would only take longer.
    LedbatConfig shorter = LedbatConfig.defaults().toBuilder().baseHistoryMinutes(2).build();
    run(20 * SECOND, at -> at < 10 * SECOND ? 0 : 1_800 * SECOND - 7, shorter);
    assertThat(bytesPerSecond(20)).isGreaterThan(FLOOR_BYTES_PER_SECOND);
    world.pair.run(120 * SECOND);
    assertThat(bytesPerSecond(10)).isGreaterThan(0.9 * LINK_BYTES_PER_SECOND);
    assertAllArrives();
  }

  @Test
  void aClockThatJumpsBackCostsNothing() {
    run(20 * SECOND, at -> at < 10 * SECOND ? 0 : -1_800 * SECOND);
    assertThat(bytesPerSecond(20)).isGreaterThan(0.9 * LINK_BYTES_PER_SECOND);
    assertAllArrives();
  }

  @Test
  void aClockThatRunsBackwardsHidesTheQueueAndNoMore() {
    run(10 * SECOND, at -> -2 * at);
    assertThat(bytesPerSecond(20)).isGreaterThan(0.8 * LINK_BYTES_PER_SECOND);
    assertAllArrives();
  }

  @Test
  void aReceiversClockThatIsFastBy1000PpmLeavesTheFloor() {
    run(30 * SECOND, at -> at / 1_000);
    // 30 ms of 100 are drift by now.
    assertThat(bytesPerSecond(20)).isGreaterThan(0.9 * LINK_BYTES_PER_SECOND);
    world.pair.run(250 * SECOND);
    assertThat(bytesPerSecond(20)).isGreaterThan(FLOOR_BYTES_PER_SECOND);
    assertAllArrives();
  }

  @Test
  void aReceiversClockThatIsSlowBy1000PpmHidesTheQueueAndNoMore() {
    run(60 * SECOND, at -> -at / 1_000);
    assertThat(bytesPerSecond(60)).isGreaterThan(0.8 * LINK_BYTES_PER_SECOND);
    assertAllArrives();
  }

  @Test
  void delaysThatAreRandomNumbersLeaveTheFloor() {
    SplittableRandom random = new SplittableRandom(3);
    run(30 * SECOND, at -> random.nextLong());
    // 600 acknowledgements in 30 s at the floor, each at most 2^31 us from the one before; even a
    // 1,000 times as many stay within 2^51.
    assertThat(stats().queuingDelayMicros()).isBetween(0L, 1L << 51);
    assertThat(bytesPerSecond(30)).isGreaterThan(FLOOR_BYTES_PER_SECOND);
    assertAllArrives();
  }

  @Test
  void delaysAtTheEdgesOf32BitsLeaveTheFloor() {
    int[] edges = {Integer.MIN_VALUE, -1, 1, Integer.MAX_VALUE - 1, Integer.MIN_VALUE + 1, 0};
    int[] turn = {0};
    run(1, at -> 0);
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.RIGHT)) {
            Forge.setDifference(datagram, edges[turn[0]++ % edges.length]);
          }
          return true;
        };
    assertThat(bytesPerSecond(30)).isGreaterThan(FLOOR_BYTES_PER_SECOND);
    assertThat(stats().queuingDelayMicros()).isNotNegative();
    assertAllArrives();
  }

  @Test
  void clocksThatWrapInTheMiddleOfATransferMakeNoDifference() {
    long[] ends = new long[3];
    long wrap = 1L << 32;
    for (int i = 0; i < 3; i++) {
      World wrapping = new World(5, LedbatConfig.defaults(), 3_000_000, 0);
      wrapping.pair.rateBytesPerSecond = 1_250_000;
      // Minutes of the base history begin at the same times.
      wrapping.pair.nowMicros =
          i == 1 ? wrap - SECOND : 60 * SECOND + wrap % (60 * SECOND) - SECOND;
      wrapping.pair.rightClockOffsetMicros = i == 2 ? wrap - 59 * SECOND : 0;
      long start = wrapping.pair.nowMicros;
      assertThat(wrapping.runToEnd(60 * SECOND)).isTrue();
      wrapping.assertDelivered();
      ends[i] = wrapping.pair.nowMicros - start;
    }
    assertThat(ends[0]).isGreaterThan(SECOND);
    assertThat(ends[1]).as("the sender's clock").isEqualTo(ends[0]);
    assertThat(ends[2]).as("the receiver's clock").isEqualTo(ends[0]);
  }
}
