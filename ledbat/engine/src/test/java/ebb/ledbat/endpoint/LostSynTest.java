package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a lost handshake packet means for the first flight: RFC 5681, 3.1 and RFC 6298, 5.7. */
class LostSynTest {
  private static final long SECOND = 1_000_000;
  private static final int ST_DATA = 0x01;
  private static final int ST_STATE = 0x21;
  private static final int ST_SYN = 0x41;

  /** When each ST_DATA of the observed side was sent. */
  private final List<Long> dataMicros = new ArrayList<>();

  @Test
  void afterAHandshakeWithoutLossTheFirstFlightIsTwoSegments() {
    // RFC 5681, 3.1: "the SYN/ACK and the acknowledgment of the SYN/ACK MUST NOT increase the size
    // of the congestion window."
    World world = new World(1, LedbatConfig.defaults(), 100_000, 0);
    observe(world, EndpointPair.LEFT, 0, 0);
    assertThat(firstFlight(world)).isEqualTo(2);
  }

  @Test
  void afterALostSynTheFirstFlightIsOneSegment() {
    // RFC 5681, 3.1: "if the SYN or SYN/ACK is lost, the initial window used by a sender after a
    // correctly transmitted SYN MUST be one segment"
    World world = new World(1, LedbatConfig.defaults(), 100_000, 0);
    observe(world, EndpointPair.LEFT, ST_SYN, 0);
    assertThat(firstFlight(world)).isEqualTo(1);
  }

  @Test
  void afterALostAnswerTheRespondersFirstFlightIsOneSegment() {
    // RFC 5681, 3.1: "if the SYN or SYN/ACK is lost, the initial window used by a sender after a
    // correctly transmitted SYN MUST be one segment"
    World world = new World(1, LedbatConfig.defaults(), 0, 100_000);
    observe(world, EndpointPair.RIGHT, ST_STATE, 0);
    assertThat(firstFlight(world)).isEqualTo(1);
  }

  @Test
  void afterALostSynTheFirstDataIsRepeatedAfterThreeSeconds() {
    // RFC 6298, 5.7: "the RTO MUST be re-initialized to 3 seconds when data transmission begins
    // (i.e., after the three-way handshake completes)."
    World world = new World(1, LedbatConfig.defaults(), 100_000, 0);
    observe(world, EndpointPair.LEFT, ST_SYN, ST_DATA);
    world.connect();
    assertThat(world.pair.runUntil(20 * SECOND, () -> dataMicros.size() >= 2)).isTrue();
    assertThat(dataMicros.get(1) - dataMicros.get(0)).isEqualTo(3 * SECOND);
  }

  private int firstFlight(World world) {
    world.connect();
    assertThat(world.pair.runUntil(20 * SECOND, () -> !dataMicros.isEmpty())).isTrue();
    // The link delays by 10 ms each way: no acknowledgement can be back within 15 ms.
    world.pair.run(15_000);
    return dataMicros.size();
  }

  /**
   * Drops the first packet of each of two kinds (first byte, 0 for none), from either side, and
   * notes when {@code side} sends ST_DATA.
   */
  private void observe(World world, InetSocketAddress side, int firstKind, int secondKind) {
    List<Integer> toDrop = new ArrayList<>(List.of(firstKind, secondKind));
    world.pair.tap =
        (from, datagram) -> {
          int kind = datagram[0];
          if (kind == ST_DATA && from.equals(side)) {
            dataMicros.add(world.pair.nowMicros);
          }
          return kind == 0 || !toDrop.remove((Integer) kind);
        };
  }
}
