package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.World;
import org.junit.jupiter.api.Test;

/** seq_nr and ack_nr pass 65,535 in every state of a connection, with loss. */
class SequenceWrapTest {
  private static final long SECOND = 1_000_000;

  private static World world(int firstNumber, LedbatConfig config, long up, long down) {
    // RandomGenerator.nextInt(65,536) of this is firstNumber: ids and numbers alike.
    return new World(firstNumber, config, up, down, () -> (long) firstNumber << 1);
  }

  @Test
  void transfersThatStartJustBelowTheWrap() {
    for (int first = 65_500; first <= 65_535; first++) {
      World world = world(first, LedbatConfig.defaults(), 150_000, 150_000);
      world.pair.loss = 0.05;
      world.pair.duplicate = 0.02;
      world.pair.reorder = 0.05;
      assertThat(world.runToEnd(600 * SECOND)).as("first number %d", first).isTrue();
      world.assertDelivered();
    }
  }

  @Test
  void everythingWithoutLossJustBelowTheWrap() {
    for (int first = 65_520; first <= 65_535; first++) {
      for (int bytes = 0; bytes <= 4_000; bytes += 1_000) {
        World world = world(first, LedbatConfig.defaults(), bytes, bytes);
        assertThat(world.runToEnd(10 * SECOND)).as("%d, %d bytes", first, bytes).isTrue();
        world.assertDelivered();
        assertThat(world.client.connection.stats(0).timeouts()).isZero();
      }
    }
  }

  @Test
  void aTransferThatPassesZeroFourTimesWithLoss() {
    LedbatConfig small =
        LedbatConfig.defaults().toBuilder()
            .minDatagramBytes(150)
            .initialDatagramBytes(150)
            .maxDatagramBytes(150)
            .build();
    long packets = 3 * 65_536 + 1_000;
    World world = world(65_000, small, packets * 130, 0);
    world.pair.delayMicros = 500;
    world.pair.loss = 0.005;
    assertThat(world.runToEnd(3_000 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(world.client.connection.stats(0).packetsRetransmitted())
        .isGreaterThan(packets / 400);
  }
}
