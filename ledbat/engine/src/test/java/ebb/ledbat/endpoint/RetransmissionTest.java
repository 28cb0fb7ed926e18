package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is measured on which packets, and what a timeout sends again. */
class RetransmissionTest {
  private static final long SECOND = 1_000_000;
  private static final int ST_DATA = 0x01;
  private static final int SEQ_NR_OFFSET = 16;

  private final World world = new World(1, LedbatConfig.defaults(), 0, 0);
  private final List<Integer> seqNrs = new ArrayList<>();
  private boolean dropping;

  @BeforeEach
  void connect() {
    world.client = new StreamPeer(() -> world.pair.nowMicros, 0, false);
    world.pair.tap =
        (from, datagram) -> {
          if (datagram[0] != ST_DATA) {
            return true;
          }
          seqNrs.add((int) ByteBuffer.wrap(datagram).getShort(SEQ_NR_OFFSET));
          return !dropping;
        };
    world.connect();
    world.pair.run(SECOND);
  }

  private void write(int bytes) {
    world.client.connection.write(ByteBuffer.allocate(bytes), world.pair.nowMicros);
    world.pair.flush();
  }

  private ConnectionStats stats() {
    return world.client.connection.stats(world.pair.nowMicros);
  }

  @Test
  void whatWasSentTwiceGivesNoSample() {
    // BEP 29, timeouts: "The rtt and rtt_var is only updated for packets that were sent only once."
    // RFC 6298, 3: "RTT samples MUST NOT be made using segments that were retransmitted"
    long before = stats().smoothedRttMicros();
    world.pair.delayMicros = 250_000; // Probes of the tail go out before the answer is back.
    write(100);
    world.pair.run(600_000);
    assertThat(seqNrs).hasSizeGreaterThan(1);
    assertThat(stats().bytesAcked()).isEqualTo(100);
    assertThat(stats().smoothedRttMicros()).isEqualTo(before);
  }

  @Test
  void everyRoundTripGivesASample() {
    // BEP 29, timeouts: "should be used to update an rtt (round trip time) and rtt_var (rtt
    // variance) measurement."
    // RFC 6298, 3: "A TCP implementation MUST take at least one RTT measurement per RTT"
    world.pair.delayMicros = 15_000;
    for (int i = 0; i < 10; i++) {
      long before = stats().smoothedRttMicros();
      write(100);
      world.pair.run(40_000);
      assertThat(stats().smoothedRttMicros()).isBetween(before + 1, 30_000L);
    }
  }

  @Test
  void aTimeoutSendsTheEarliestPacketAgain() {
    // RFC 6298, 5.4: "Retransmit the earliest segment that has not been acknowledged by the TCP
    // receiver."
    dropping = true;
    write(3_000);
    assertThat(seqNrs).as("the first flight").hasSize(2);
    int earliest = seqNrs.get(0);
    world.pair.runUntil(SECOND, () -> stats().timeouts() == 1);
    assertThat(stats().timeouts()).isEqualTo(1);
    int probes = seqNrs.size();
    world.pair.runUntil(SECOND, () -> seqNrs.size() > probes);
    assertThat(seqNrs.get(seqNrs.size() - 1)).isEqualTo(earliest);
  }
}
