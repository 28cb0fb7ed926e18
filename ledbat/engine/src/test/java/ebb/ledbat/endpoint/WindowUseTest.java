package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** R8 for an application that does not always have something to send: D11. */
class WindowUseTest {
  private static final long SECOND = 1_000_000;
  private static final int MSS_BYTES = 1_380;
  private static final int PERIOD_MICROS = 2_000_000;

  private final LedbatConfig config = LedbatConfig.defaults().toBuilder().slowStart(false).build();
  private final World world = new World(1, config, 0, 0);

  @BeforeEach
  void connect() {
    world.client = new StreamPeer(() -> world.pair.nowMicros, 0, false);
    world.connect();
    world.pair.run(SECOND);
  }

  private void write(int bytes) {
    world.client.connection.write(ByteBuffer.allocate(bytes), world.pair.nowMicros);
    world.pair.flush();
  }

  private long cwndBytes() {
    return world.client.connection.stats(world.pair.nowMicros).cwndBytes();
  }

  /** The last acknowledgements find nearly nothing in flight, which says nothing of the path. */
  @Test
  void theEndOfAMessageLeavesTheWindowAsItIs() {
    // RFC 6817, 2.4.2: "flightsize is the amount of data outstanding before this ACK was received"
    write(1_000_000);
    long whileSending = 0;
    while (world.server.read < 1_000_000) {
      world.pair.run(20_000);
      whileSending = Math.max(whileSending, cwndBytes());
    }
    world.pair.run(SECOND / 2);
    // One segment per round trip: n of them have sent n^2/2 segments.
    assertThat(whileSending).isGreaterThan(30L * MSS_BYTES);
    assertThat(cwndBytes()).isGreaterThanOrEqualTo(whileSending);
  }

  @Test
  void aWindowThatIsNotUsedAnyMoreGoes() {
    // RFC 6817, 2.4.2: "When the sender is application-limited, the sender's cwnd is clamped down"
    write(1_000_000);
    world.pair.run(5 * SECOND);
    assertThat(world.server.read).isEqualTo(1_000_000);
    long before = cwndBytes();
    for (int sent = 0; sent < 2 * PERIOD_MICROS; sent += 20_000) {
      write(100);
      world.pair.run(20_000);
    }
    assertThat(before).isGreaterThan(30L * MSS_BYTES);
    assertThat(cwndBytes()).isLessThanOrEqualTo(2L * MSS_BYTES);
  }
}
