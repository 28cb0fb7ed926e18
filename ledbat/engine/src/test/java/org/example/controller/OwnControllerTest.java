package org.example.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.endpoint.World;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Adding a congestion controller from outside, with what is public; docs/controllers.md. */
class OwnControllerTest {
  private static final long SECOND = 1_000_000;

  private static World world(LedbatConfig config) {
    World world = new World(1, config, 3_000_000, 10_000);
    world.pair.rateBytesPerSecond = 1_250_000;
    return world;
  }

  private static ConnectionStats client(World world) {
    return world.client.connection.stats(world.pair.nowMicros);
  }

  @Test
  void byInstanceItCarriesATransferFromEndToEnd() {
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder().controller(FixedWindow.FACTORY).build();
    World world = world(config);
    world.connect();
    world.pair.run(SECOND);
    ConnectionStats stats = client(world);
    assertThat(stats.cwndBytes()).isEqualTo(20L * stats.mssBytes());
    assertThat(stats.targetDelayMicros()).isEqualTo(100_000);
    // 28 kB on a way of 25 kB: a short queue, and the link full.
    assertThat(stats.queuingDelayMicros()).isBetween(1L, 10_000L);
    assertThat(world.pair.runUntil(10 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    world.assertDelivered();
  }

  @Test
  void byNameItStandsBesideEbbsOwn() {
    List<ControllerFactory> known = CongestionControllers.and(FixedWindow.FACTORY);
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder()
            .controller(CongestionControllers.byName("fixed:5", known))
            .targetDelayMicros(30_000)
            .build();
    assertThat(config.controller()).isEqualTo("fixed:5");
    World world = world(config);
    world.connect();
    world.pair.run(SECOND);
    assertThat(client(world).cwndBytes()).isEqualTo(5L * client(world).mssBytes());
    assertThat(client(world).targetDelayMicros()).isEqualTo(30_000);
    assertThat(CongestionControllers.byName("dtl:2", known))
        .isEqualTo(CongestionControllers.byName("dtl:2"));
  }

  @Test
  void aConnectionThatRunsTakesItAndItsOtherWeights() {
    World world = world(LedbatConfig.defaults());
    world.connect();
    world.pair.run(SECOND);
    world.client.connection.setController(FixedWindow.FACTORY, world.pair.nowMicros);
    assertThat(client(world).cwndBytes()).isEqualTo(20L * client(world).mssBytes());
    world.client.connection.setController(
        CongestionControllers.byName("fixed:30", List.of(FixedWindow.FACTORY)),
        world.pair.nowMicros);
    assertThat(client(world).cwndBytes()).isEqualTo(30L * client(world).mssBytes());
    world.client.connection.setController("ledbat", world.pair.nowMicros);
    assertThat(world.pair.runUntil(10 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    world.assertDelivered();
  }

  @Test
  void whatIsNoneIsRefusedAtOnce() {
    List<ControllerFactory> known = CongestionControllers.and(FixedWindow.FACTORY);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CongestionControllers.byName("fixed:0.5", known))
        .withMessage("the weight of fixed must be a whole number of packets, 1 to 1000: 0.5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CongestionControllers.byName("steady", known))
        .withMessageEndingWith("there is ledbat, ledbat++, dtl, scavenger, fixed");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CongestionControllers.and(FixedWindow.FACTORY, FixedWindow.FACTORY));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ControllerFactory.of("a:b", "x", 100_000, (parameters, mss) -> null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ControllerFactory.of("a", "x\ny", 100_000, (parameters, mss) -> null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ControllerFactory.of("a", "x", 100_001, (parameters, mss) -> null));
  }
}
