package ebb.ledbat.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import io.netty.channel.epoll.Epoll;
import java.io.ByteArrayOutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the driver's tests share: loopback drivers with fake engines, in every mode. */
final class Drivers {
  static final long WAIT_SECONDS = 60;

  record Mode(NettyTransport transport, Offload gso, Offload gro) {}

  record Node(NettyDriver driver, FakeEngine engine) implements AutoCloseable {
    InetSocketAddress address() {
      return driver.localAddress();
    }

    /** Has the driver look for something to send. */
    void wake() {
      driver.execute((endpoint, now) -> {});
    }

    @Override
    public void close() {
      driver.close();
    }
  }

  private Drivers() {}

  /** All that this machine can do. */
  static Stream<Mode> modes() {
    List<Mode> all = new ArrayList<>();
    all.add(new Mode(NettyTransport.NIO, Offload.OFF, Offload.OFF));
    if (Epoll.isAvailable()) {
      for (Offload gso : Offload.values()) {
        for (Offload gro : Offload.values()) {
          all.add(new Mode(NettyTransport.EPOLL, gso, gro));
        }
      }
    }
    return all.stream();
  }

  static NettyDriverConfig config(Mode mode) {
    return NettyDriverConfig.at(loopback(0))
        .withTransport(mode.transport)
        .withOffloads(mode.gso, mode.gro);
  }

  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  static Node start(NettyDriverConfig config) throws BindException {
    return start(config, null);
  }

  static Node start(NettyDriverConfig config, @Nullable ForeignDatagramHandler foreign)
      throws BindException {
    FakeEngine engine = new FakeEngine();
    LedbatEndpoint endpoint =
        new LedbatEndpoint(LedbatConfig.defaults(), () -> 0, new EndpointListener() {});
    return new Node(
        NettyDriver.bind(config, MonotonicMicros.CLOCK, endpoint, engine, foreign), engine);
  }

  /** A burst of uTP-looking datagrams, each filled with its own number. */
  static byte[] burst(int datagrams, int segmentBytes, int lastBytes, int firstNumber) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < datagrams; i++) {
      byte[] datagram = new byte[i == datagrams - 1 ? lastBytes : segmentBytes];
      java.util.Arrays.fill(datagram, (byte) (firstNumber + i));
      datagram[0] = 0x01;
      bytes.writeBytes(datagram);
    }
    return bytes.toByteArray();
  }

  /** Takes bursts until {@code count} datagrams came; checks that all are from {@code from}. */
  static List<byte[]> datagrams(FakeEngine engine, InetSocketAddress from, int count)
      throws InterruptedException {
    List<byte[]> all = new ArrayList<>();
    while (all.size() < count) {
      FakeEngine.Burst burst = take(engine.received);
      assertThat(burst.from()).isEqualTo(from);
      all.addAll(burst.datagrams());
    }
    return all;
  }

  static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
    T taken = queue.poll(WAIT_SECONDS, SECONDS);
    assertThat(taken).as("within %s s", WAIT_SECONDS).isNotNull();
    return taken;
  }
}
