package ebb.ledbat.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.netty.DriverStarter;
import ebb.ledbat.netty.SecureStarter;
import ebb.ledbat.secure.PresharedKey;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking streams over real sockets, without Kompics. */
@Timeout(60)
final class StreamSocketTest {
  private static final int BYTES = 20_000_000;
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void carriesBytesBothWaysToTheirEnds() throws Exception {
    exchange(DriverStarter.netty(), DriverStarter.netty());
  }

  @Test
  void carriesThemEncryptedToWhoHasTheKey() throws Exception {
    exchange(keyed((byte) 1), keyed((byte) 1));
  }

  @Test
  void refusesWhoHasAnotherKey() throws Exception {
    try (StreamSocket server =
            StreamSocket.bind(ANY_PORT, LedbatConfig.defaults(), keyed((byte) 1));
        StreamSocket client =
            StreamSocket.bind(ANY_PORT, LedbatConfig.defaults(), keyed((byte) 2))) {
      assertThatThrownBy(() -> client.connect(server.local()))
          .isInstanceOf(StreamBrokenException.class)
          .extracting(e -> ((StreamBrokenException) e).reason())
          .isEqualTo(CloseReason.KEY_REFUSED);
    }
  }

  @Test
  void saysThatNobodyListens() throws Exception {
    InetSocketAddress nobody;
    try (DatagramSocket socket = new DatagramSocket(ANY_PORT)) {
      nobody = (InetSocketAddress) socket.getLocalSocketAddress();
    }
    LedbatConfig hasty = LedbatConfig.defaults().toBuilder().connectTimeoutMicros(300_000).build();
    try (StreamSocket client = StreamSocket.bind(ANY_PORT, hasty)) {
      assertThatThrownBy(() -> client.connect(nobody)).isInstanceOf(StreamBrokenException.class);
    }
  }

  @Test
  void closingWakesWhoAcceptsAndWhoReads() throws Exception {
    StreamSocket server = StreamSocket.bind(ANY_PORT, LedbatConfig.defaults());
    try (StreamSocket client = StreamSocket.bind(ANY_PORT, LedbatConfig.defaults())) {
      BlockingStream stream = client.connect(server.local());
      assertThat(server.accept()).isNotNull();
      CompletableFuture<Boolean> accepting = async(() -> server.accept() == null);
      CompletableFuture<Boolean> reading = async(() -> stream.read() == null);
      server.close();
      assertThat(accepting.get(30, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> reading.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(StreamBrokenException.class);
    }
  }

  private interface Asked {
    boolean get() throws IOException, InterruptedException;
  }

  private static CompletableFuture<Boolean> async(Asked asked) {
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                future.complete(asked.get());
              } catch (IOException | InterruptedException e) {
                future.completeExceptionally(e);
              }
            })
        .start();
    return future;
  }

  private static DriverStarter keyed(byte filling) {
    byte[] key = new byte[PresharedKey.BYTES];
    java.util.Arrays.fill(key, filling);
    return new SecureStarter(DriverStarter.netty(), new PresharedKey(key), "test");
  }

  /** One side sends everything, the other sends it back; both see each other's end. */
  private static void exchange(DriverStarter serving, DriverStarter asking) throws Exception {
    try (StreamSocket server = StreamSocket.bind(ANY_PORT, LedbatConfig.defaults(), serving);
        StreamSocket client = StreamSocket.bind(ANY_PORT, LedbatConfig.defaults(), asking)) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread echo = new Thread(() -> echo(server, failure));
      echo.start();
      BlockingStream stream = client.connect(server.local());
      Thread writer = new Thread(() -> write(stream, failure));
      writer.start();
      int at = 0;
      for (ByteBuffer bytes = stream.read(); bytes != null; bytes = stream.read()) {
        while (bytes.hasRemaining()) {
          assertThat(bytes.get()).isEqualTo((byte) (at * 31));
          at++;
        }
      }
      writer.join();
      echo.join();
      assertThat(failure.get()).isNull();
      assertThat(at).isEqualTo(BYTES);
      assertThat(stream.awaitClosed(30, TimeUnit.SECONDS)).isEqualTo(CloseReason.FINISHED);
    }
  }

  private static void echo(StreamSocket server, AtomicReference<Throwable> failure) {
    try {
      BlockingStream peer = server.accept();
      for (ByteBuffer bytes = peer.read(); bytes != null; bytes = peer.read()) {
        peer.write(bytes, () -> {});
      }
      peer.finish();
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure.set(e);
    }
  }

  private static void write(BlockingStream stream, AtomicReference<Throwable> failure) {
    try {
      byte[] content = new byte[BYTES];
      for (int i = 0; i < BYTES; i++) {
        content[i] = (byte) (i * 31);
      }
      stream.write(ByteBuffer.wrap(content), () -> {});
      stream.finish();
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure.set(e);
    }
  }
}
