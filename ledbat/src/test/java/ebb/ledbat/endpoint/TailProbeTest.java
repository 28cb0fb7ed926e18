package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens when the end of what was sent is lost, and its repetitions too. */
class TailProbeTest {
  private static final long SECOND = 1_000_000;
  private static final int ST_FIN = 0x11;

  @Test
  void probesOfTheTailFollowAtDoublingDistanceBeforeTheTimeout() {
    World world = new World(1, LedbatConfig.defaults(), 1_000, 0);
    List<Long> finMicros = new ArrayList<>();
    world.pair.tap =
        (from, datagram) -> {
          if (!from.equals(EndpointPair.LEFT) || datagram[0] != ST_FIN) {
            return true;
          }
          finMicros.add(world.pair.nowMicros);
          return finMicros.size() > 3;
        };

    assertThat(world.runToEnd(20 * SECOND)).isTrue();

    world.assertDelivered();
    assertThat(finMicros).hasSize(4);
    // The link's round trip is 20 ms. The FIN left with the data, which was acknowledged after one:
    // the first probe two later, then four, then eight.
    assertThat(finMicros.get(1) - finMicros.get(0)).isEqualTo(20_000 + 40_000);
    assertThat(finMicros.get(2) - finMicros.get(1)).isEqualTo(80_000);
    assertThat(finMicros.get(3) - finMicros.get(2)).isEqualTo(160_000);
    assertThat(world.client.connection.stats(0).timeouts()).isZero();
  }

  @Test
  void aTailThatIsNeverAnsweredEndsInTheTimeout() {
    World world = new World(1, LedbatConfig.defaults(), 1_000, 0);
    List<Long> finMicros = new ArrayList<>();
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.LEFT) && datagram[0] == ST_FIN) {
            finMicros.add(world.pair.nowMicros);
            return finMicros.size() > 6;
          }
          return true;
        };

    assertThat(world.runToEnd(20 * SECOND)).isTrue();

    world.assertDelivered();
    // Four probes, the last 40 + 80 + 160 + 320 ms after the data was acknowledged; then RFC 6298's
    // RTO of one
    // second, which doubles. The timer runs since that acknowledgement.
    assertThat(finMicros).hasSize(7);
    assertThat(finMicros.get(4) - finMicros.get(0)).isEqualTo(20_000 + 600_000);
    assertThat(finMicros.get(5) - finMicros.get(0)).isEqualTo(20_000 + SECOND);
    assertThat(finMicros.get(6) - finMicros.get(5)).isEqualTo(2 * SECOND);
    assertThat(world.client.connection.stats(0).timeouts()).isEqualTo(2);
  }
}
