package ebb.ledbat.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A writer whose peer takes nothing. */
class WriteTimeoutTest {
  static final StreamCommands NOBODY =
      new StreamCommands() {
        @Override
        public void write(ByteBuffer bytes) {}

        @Override
        public void demand(long bytes) {}

        @Override
        public void finish() {}

        @Override
        public void abort() {}
      };

  private final BlockingStream stream =
      new BlockingStream(new InetSocketAddress("127.0.0.1", 1), 10, 10, NOBODY);

  @Test
  void itIsNotWaitedForForEver() throws Exception {
    stream.setWriteTimeout(1, TimeUnit.MILLISECONDS);
    stream.write(ByteBuffer.allocate(10), () -> {});
    assertThat(stream.writeBlockedNanos()).isZero();

    assertThatThrownBy(() -> stream.write(ByteBuffer.allocate(1), () -> {}))
        .isInstanceOf(StreamBrokenException.class)
        .hasMessageContaining("nothing was taken for");
    assertThat(stream.writeBlockedNanos()).isZero();
  }

  @Test
  void creditThatComesBackLetsItGoOn() throws Exception {
    stream.setWriteTimeout(1, TimeUnit.MINUTES);
    stream.write(ByteBuffer.allocate(10), () -> {});
    Thread taker =
        new Thread(
            () -> {
              while (stream.writeBlockedNanos() == 0) {
                Thread.onSpinWait();
              }
              stream.onWritten(10);
            });
    taker.start();
    stream.write(ByteBuffer.allocate(10), () -> {});
    taker.join();
  }
}
