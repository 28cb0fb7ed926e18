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
  private static final long LONGEST_WAIT_MICROS = 1_000;

  /**
   * RFC 6817, 4.1 wants at least one acknowledgement in a round trip, here 20 ms. Ebb's rule is
   * stricter: whatever arrives in one wake-up is acknowledged in it, by itself or with data; or a
   * millisecond later, when many packets came fast before it and it is not among the last of them.
   */
  private static void assertEveryPacketIsAcknowledgedInTime(World world) {
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
              long wait = now - arrivals.poll();
              assertThat(wait).as("wait for an acknowledgement").isBetween(0L, LONGEST_WAIT_MICROS);
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
  void dataIsAcknowledgedInTheWakeUpInWhichItArrivesOrSoonAfter() {
    // RFC 5681, 4.2: "MUST be generated within 500 ms of the arrival of the first unacknowledged
    // packet."
    // RFC 6817, 4.1: "the receiver MUST transmit at least one ACK in every RTT."
    assertEveryPacketIsAcknowledgedInTime(new World(1, LedbatConfig.defaults(), 1_000_000, 0));
  }

  @Test
  void alsoWhileTheReceiverSendsItself() {
    assertEveryPacketIsAcknowledgedInTime(
        new World(2, LedbatConfig.defaults(), 1_000_000, 1_000_000));
  }
}
