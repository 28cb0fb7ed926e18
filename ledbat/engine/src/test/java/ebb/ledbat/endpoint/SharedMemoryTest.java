package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections of one endpoint share its memory. */
class SharedMemoryTest {
  private static final int MEMORY_BYTES = 256 << 10;
  private static final long SECOND = 1_000_000;

  private final List<LedbatConnection> accepted = new ArrayList<>();
  private final EndpointPair pair =
      new EndpointPair(
          1,
          LedbatConfig.defaults().toBuilder().maxBufferedBytes(MEMORY_BYTES).build(),
          LedbatConfig.defaults(),
          new EndpointListener() {
            @Override
            public void onAccepted(LedbatConnection connection) {
              accepted.add(connection);
            }
          });

  /** It had nothing in flight, so that no acknowledgement would ever have woken it. */
  @Test
  void aWriterThatFoundNoMemoryIsWokenWhenAnotherConnectionGivesSomeBack() {
    LedbatConnection greedy = connect(new ConnectionListener() {});
    List<Long> wokenMicros = new ArrayList<>();
    LedbatConnection modest =
        connect(
            new ConnectionListener() {
              @Override
              public void onWritable(LedbatConnection connection) {
                wokenMicros.add(pair.nowMicros);
              }
            });
    int taken = greedy.write(ByteBuffer.allocate(1 << 20), pair.nowMicros);
    assertThat(taken).isBetween(MEMORY_BYTES / 2, MEMORY_BYTES);
    assertThat(modest.write(ByteBuffer.allocate(1_000), pair.nowMicros)).isZero();
    assertThat(wokenMicros).isEmpty();
    pair.run(10 * SECOND);
    assertThat(greedy.stats(pair.nowMicros).bytesAcked()).isEqualTo(1 + taken);
    assertThat(wokenMicros).hasSize(1);
    assertThat(modest.write(ByteBuffer.allocate(1_000), pair.nowMicros)).isEqualTo(1_000);
  }

  private LedbatConnection connect(ConnectionListener listener) {
    LedbatConnection connection = pair.left.connect(EndpointPair.RIGHT, listener, pair.nowMicros);
    int before = accepted.size();
    connection.write(ByteBuffer.wrap(new byte[1]), pair.nowMicros);
    assertThat(pair.runUntil(SECOND, () -> accepted.size() > before)).isTrue();
    pair.run(SECOND);
    return connection;
  }
}
