package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What connections cost that have spoken and are silent now. */
final class IdleMemoryTest {
  private static final int CONNECTIONS = 2_000;
  private static final long SECOND = 1_000_000;

  @Test
  void anIdleConnectionCostsLessThan32KiB() {
    List<LedbatConnection> accepted = new ArrayList<>();
    EndpointPair pair =
        new EndpointPair(
            1,
            LedbatConfig.defaults(),
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                accepted.add(connection);
                connection.setListener(
                    new ConnectionListener() {
                      @Override
                      public void onReadable(LedbatConnection c) {
                        c.read(ByteBuffer.allocate(1_000), 0);
                      }
                    });
              }
            });
    long before = usedBytes();
    List<LedbatConnection> opened = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      LedbatConnection connection =
          pair.left.connect(EndpointPair.RIGHT, new ConnectionListener() {}, pair.nowMicros);
      connection.write(ByteBuffer.allocate(1_000), pair.nowMicros);
      opened.add(connection);
      pair.run(10_000);
    }
    pair.run(60 * SECOND);
    assertThat(accepted).hasSize(CONNECTIONS);
    assertThat(opened).noneMatch(LedbatConnection::isClosed);
    assertThat(pair.right.stats().bufferedBytes()).isZero();
    long each = (usedBytes() - before) / (2L * CONNECTIONS);
    assertThat(each).as("heap bytes of one idle connection").isLessThan(32 << 10);
    assertThat(pair.left.connectionCount()).isEqualTo(CONNECTIONS);
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }
}
