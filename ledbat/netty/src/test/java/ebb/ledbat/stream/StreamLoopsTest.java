package ebb.ledbat.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.netty.DriverStarter;
import ebb.ledbat.netty.SecureStarter;
import ebb.ledbat.secure.PresharedKey;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking streams of sockets with several loops. */
@Timeout(60)
final class StreamLoopsTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int STREAMS = 12;
  private static final int BYTES = 300_000;

  @BeforeEach
  void thereIsEpoll() {
    assumeTrue(Epoll.isAvailable(), "several loops need epoll");
  }

  private static StreamSocket bind(int loops, DriverStarter starter) throws IOException {
    LedbatConfig config = LedbatConfig.defaults().toBuilder().loops(loops).build();
    return StreamSocket.bind(ANY_PORT, config, starter);
  }

  private static DriverStarter starter(boolean keyed, int key) {
    byte[] bytes = new byte[PresharedKey.BYTES];
    bytes[0] = (byte) key;
    return keyed
        ? new SecureStarter(DriverStarter.netty(), new PresharedKey(bytes), "test")
        : DriverStarter.netty();
  }

  @ParameterizedTest(name = "{0} and {1} loops, with a key: {2}")
  @CsvSource({
    "1, 2, false",
    "2, 2, false",
    "4, 4, false",
    "1, 4, true",
    "2, 2, true",
    "4, 2, true"
  })
  void manyStreamsAreServedWhole(int here, int there, boolean keyed) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (StreamSocket client = bind(here, starter(keyed, 1));
        StreamSocket server = bind(there, starter(keyed, 1))) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        int seed = i;
        done.add(threads.submit(() -> echo(server.accept())));
        done.add(threads.submit(() -> exchange(client.connect(server.local()), seed)));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void echo(BlockingStream stream) throws Exception {
    for (ByteBuffer bytes = stream.read(); bytes != null; bytes = stream.read()) {
      stream.write(bytes);
    }
    stream.finish();
    return null;
  }

  private static Void exchange(BlockingStream stream, int seed) throws Exception {
    byte[] content = new byte[BYTES];
    new SplittableRandom(seed).nextBytes(content);
    stream.write(ByteBuffer.wrap(content));
    stream.finish();
    ByteBuffer back = ByteBuffer.allocate(BYTES);
    for (ByteBuffer bytes = stream.read(); bytes != null; bytes = stream.read()) {
      back.put(bytes);
    }
    assertThat(back.array()).isEqualTo(content);
    return null;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void nobodyIsLetInWithoutTheKey(int loops) throws Exception {
    try (StreamSocket server = bind(loops, starter(true, 1));
        StreamSocket stranger = bind(loops, starter(true, 2));
        StreamSocket friend = bind(loops, starter(true, 1))) {
      for (int i = 0; i < 2 * loops; i++) {
        assertThatThrownBy(() -> stranger.connect(server.local()))
            .isInstanceOf(StreamBrokenException.class);
      }
      friend.connect(server.local()).abort();
      assertThat(server.accept()).isNotNull();
    }
  }
}
