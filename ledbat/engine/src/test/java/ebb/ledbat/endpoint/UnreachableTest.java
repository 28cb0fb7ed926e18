package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import org.junit.jupiter.api.Test;

/** What an endpoint makes of "cannot be reached", which ICMP says and anybody can forge. */
final class UnreachableTest {
  private static final long SECOND = 1_000_000;

  @Test
  void anEstablishedConnectionIgnoresIt() {
    World world = new World(1, LedbatConfig.defaults(), 2_000_000, 2_000_000);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.connect();
    world.pair.run(SECOND / 10);
    assertThat(world.client.connected).isEqualTo(1);
    for (int i = 0; i < 400 && world.client.closedCalls == 0; i++) {
      world.pair.left.onUnreachable(EndpointPair.RIGHT, world.pair.nowMicros);
      world.pair.right.onUnreachable(EndpointPair.LEFT, world.pair.nowMicros);
      world.pair.run(SECOND / 100);
    }
    assertThat(
            world.pair.runUntil(
                30 * SECOND, () -> world.client.closedCalls > 0 && world.server.closedCalls > 0))
        .isTrue();
    world.assertDelivered();
  }

  @Test
  void aConnectionAttemptEndsByIt() {
    World world = new World(2, LedbatConfig.defaults(), 1_000, 0);
    world.pair.loss = 1;
    world.connect();
    world.pair.run(SECOND / 10);
    world.pair.left.onUnreachable(EndpointPair.RIGHT, world.pair.nowMicros);
    world.pair.run(SECOND / 10);
    assertThat(world.client.closed).isEqualTo(CloseReason.UNREACHABLE);
    assertThat(world.pair.left.connectionCount()).isZero();
  }
}
