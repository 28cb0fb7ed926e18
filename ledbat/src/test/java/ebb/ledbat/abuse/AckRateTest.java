package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.World;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** How long a receiver may wait with an acknowledgement. */
class AckRateTest {
  private static final long SECOND = 1_000_000;

  /**
   * RFC 6817, 4.1 wants at least one acknowledgement in a round trip. Ebb's rule is stricter:
   * whatever arrives in one wake-up is acknowledged in it, by itself or with data.
   */
  private static void assertEveryPacketIsAcknowledgedWhenItArrives(World world) {
    ArrayDeque<Long> arrivals = new ArrayDeque<>();
    long[] packets = {0};
    world.pair.tap =
        (from, datagram) -> {
          long now = world.pair.nowMicros;
          if (from.equals(EndpointPair.LEFT) && Forge.kind(datagram) == Forge.DATA) {
            packets[0]++;
            arrivals.add(now + world.pair.delayMicros);
          } else if (from.equals(EndpointPair.RIGHT)) {
            while (!arrivals.isEmpty() && arrivals.peek() <= now) {
              assertThat(now - arrivals.poll()).as("wait for an acknowledgement").isZero();
            }
          }
          return true;
        };
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(packets[0]).isGreaterThan(700);
    assertThat(arrivals).isEmpty();
  }

  @Test
  void rfc6817_4_1_dataIsAcknowledgedInTheWakeUpInWhichItArrives() {
    assertEveryPacketIsAcknowledgedWhenItArrives(
        new World(1, LedbatConfig.defaults(), 1_000_000, 0));
  }

  @Test
  void rfc6817_4_1_alsoWhileTheReceiverSendsItself() {
    assertEveryPacketIsAcknowledgedWhenItArrives(
        new World(2, LedbatConfig.defaults(), 1_000_000, 1_000_000));
  }
}
