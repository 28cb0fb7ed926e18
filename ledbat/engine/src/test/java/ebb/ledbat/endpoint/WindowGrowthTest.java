package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.SendLimit;
import org.junit.jupiter.api.Test;

/** A receiver offers a large window to those who fill a smaller one, and to nobody else. */
final class WindowGrowthTest {
  private static final long SECOND = 1_000_000;
  private static final long ENDLESS = 1L << 40;

  /** The largest window that Wireshark takes for one of uTP. */
  private static final long PLAUSIBLE_BYTES = 0x380000;

  private static World world(long delayMicros, LedbatConfig config) {
    World world = new World(1, config, ENDLESS, 0);
    world.pair.delayMicros = delayMicros;
    world.connect();
    return world;
  }

  private static long windowBytes(World world) {
    return world.client.connection.stats(world.pair.nowMicros).window().peerWindowBytes();
  }

  @Test
  void aSenderThatNeedsLittleIsNotOfferedMore() {
    LedbatConfig slow =
        LedbatConfig.defaults().toBuilder().maxRateBytesPerSecond(1_000_000).build();
    World world = world(100_000, slow);
    world.pair.run(20 * SECOND);
    assertThat(windowBytes(world)).isBetween(PLAUSIBLE_BYTES - 100_000, PLAUSIBLE_BYTES);
  }

  /** Without a queue slow start goes on until the send buffer ends it, at 8 MiB in flight. */
  @Test
  void aSenderThatDoublesEachRoundTripIsNeverHeldBackByTheOffer() {
    World world = world(50_000, LedbatConfig.defaults());
    world.pair.run(5 * SECOND);
    var stats = world.client.connection.stats(world.pair.nowMicros);
    assertThat(stats.window().peerWindowBytes()).isGreaterThan(2 * PLAUSIBLE_BYTES);
    assertThat(stats.limits().micros(SendLimit.PEER_WINDOW)).isZero();
  }
}
