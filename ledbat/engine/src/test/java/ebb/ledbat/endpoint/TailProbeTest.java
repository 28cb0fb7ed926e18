package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What happens when the end of what was sent is lost, and its repetitions too. */
class TailProbeTest {
  private static final long SECOND = 1_000_000;
  private static final int ST_DATA = 0x01;
  private static final int ST_FIN = 0x11;
  private static final int SEQ_NR_OFFSET = 16;

  @Test
  void probesOfTheTailFollowAtDoublingDistanceBeforeTheTimeout() {
    // RFC 8985, 7.2: "The sender SHOULD start or restart a loss probe PTO timer after transmitting
    // new data"
    // RFC 8985, 7.2: "First, the default PTO interval is 2*SRTT."
    // RFC 8985, 7.3: "then the sender SHOULD retransmit the highest-sequence segment sent so far"
    // RFC 9002, 6.2.1: "When a PTO timer expires, the PTO backoff MUST be increased, resulting in
    // the PTO period being set to twice its current value."
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
  void aReceiverThatIsSilentOnRepetitionsAnswersTheOldestPacket() {
    // libutp: of two packets the first is lost, and the acknowledgement of the second; the second
    // comes again, but it is held already and so not answered.
    World world = new World(1, LedbatConfig.defaults(), 2_000, 0);
    Set<Integer> held = new HashSet<>();
    AtomicBoolean firstLost = new AtomicBoolean();
    AtomicBoolean answerLost = new AtomicBoolean();
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.LEFT) && datagram[0] == ST_DATA) {
            return firstLost.getAndSet(true)
                && held.add((int) ByteBuffer.wrap(datagram).getShort(SEQ_NR_OFFSET));
          }
          return from.equals(EndpointPair.LEFT) || held.isEmpty() || answerLost.getAndSet(true);
        };
    world.connect();

    // The first flight at 20 ms, the first probe 40 ms later, the second after another 80, and half
    // a round trip for it to arrive: 150 ms, where the timeout would take a second.
    assertThat(world.pair.runUntil(150_000, () -> world.server.read == 2_000)).isTrue();
    assertThat(world.client.connection.stats(0).timeouts()).isZero();
  }

  @Test
  void lossOnAShortPathCostsNoTimeouts() {
    // RFC 8985, 7.3: "Note that the FlightSize could be one packet greater than the congestion
    // window temporarily" 5% each way: a probe and its answer get through with 0.9. What is lost so
    // that nothing else shows it happens a few times in a megabyte; that four probes fail then,
    // once in ten thousand.
    for (long seed = 1; seed <= 5; seed++) {
      World world = new World(seed, LedbatConfig.defaults(), 3_000_000, 0);
      world.pair.delayMicros = 1_000;
      world.connect();
      assertThat(world.pair.runUntil(SECOND, () -> world.client.connected > 0)).isTrue();
      world.pair.loss = 0.05;
      world.pair.runUntil(60 * SECOND, () -> world.server.read == 3_000_000);
      assertThat(world.client.connection.stats(0).timeouts()).as("seed %d", seed).isZero();
      assertThat(world.server.read).isEqualTo(3_000_000);
    }
  }

  @Test
  void aTailThatIsNeverAnsweredEndsInTheTimeout() {
    // RFC 6817, 2.4.2: "the CTO would be the same as the retransmission timeout (RTO)."
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
    // RTO of one second, which doubles. The timer runs since that acknowledgement.
    assertThat(finMicros).hasSize(7);
    assertThat(finMicros.get(4) - finMicros.get(0)).isEqualTo(20_000 + 600_000);
    assertThat(finMicros.get(5) - finMicros.get(0)).isEqualTo(20_000 + SECOND);
    assertThat(finMicros.get(6) - finMicros.get(5)).isEqualTo(2 * SECOND);
    assertThat(world.client.connection.stats(0).timeouts()).isEqualTo(2);
  }

  @Test
  void aPathThatHasBecomeSlowerIsMeasuredAgainInsteadOfProbedForEver() {
    // RFC 8985, 7.3: "Second, the sender has obtained an RTT measurement since the last loss probe
    // transmission"
    World world = new World(1, LedbatConfig.defaults(), 200_000, 0);
    world.connect();
    assertThat(world.pair.runUntil(SECOND, () -> world.server.read >= 10_000)).isTrue();
    long before = world.client.connection.stats(0).packetsRetransmitted();

    world.pair.delayMicros = 250_000;

    assertThat(world.pair.runUntil(120 * SECOND, () -> world.server.read == 200_000)).isTrue();
    // LEDBAT sends two packets a round trip by then. Probed after 40, 80 and 160 ms each, they
    // would be sent more than twice on average, and no sample could ever come of that.
    long packets = 200_000 / 1_180;
    assertThat(world.client.connection.stats(0).packetsRetransmitted() - before)
        .isLessThan(packets / 4);
    assertThat(world.client.connection.stats(0).smoothedRttMicros()).isGreaterThan(250_000);
  }
}
