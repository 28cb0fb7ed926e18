package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.netty.Drivers.Mode;
import ebb.ledbat.netty.Drivers.Node;
import io.netty.util.ResourceLeakDetector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kernel refuses reaches the engine, and nothing else is lost by it. */
class SendingTest {
  static {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void datagramLargerThanTheLinkIsReported(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      // 65,507 is the largest UDP payload over IPv4, and IP's own limit: loopback's MTU of 65,536
      // takes it, so that what is refused here has to be made by breaking the segment size.
      int size = 65_507;
      byte[] whole = Drivers.burst(1, size, size, 1);
      a.engine().send(b.address(), whole, size);
      a.engine().send(b.address(), Drivers.burst(2, 300, 300, 1), 300);
      a.wake();
      List<byte[]> got = Drivers.datagrams(b.engine(), a.address(), 3);
      assertThat(got.get(0)).isEqualTo(whole);
      assertThat(a.engine().tooLarge).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void burstsThatMayBeFragmentedKeepTheirPlace(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      for (int i = 0; i < 10; i++) {
        a.engine()
            .toSend
            .add(
                new FakeEngine.ToSend(
                    b.address(), Drivers.burst(3, 1_400, 1_400, 3 * i), 1_400, i % 2 == 0));
      }
      a.wake();
      List<byte[]> got = Drivers.datagrams(b.engine(), a.address(), 30);
      for (int i = 0; i < 30; i++) {
        assertThat(got.get(i)[1]).isEqualTo((byte) i);
      }
      if (mode.transport() == NettyTransport.EPOLL) {
        assertThat(a.driver().pathMtuProbing()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void destinationThatCannotBeReachedIsReported(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      // From a socket bound to 127.0.0.1 Linux sends nothing to another machine: EINVAL.
      InetSocketAddress elsewhere =
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 9);
      a.engine().send(elsewhere, Drivers.burst(1, 100, 100, 1), 100);
      a.engine().send(b.address(), Drivers.burst(2, 300, 300, 1), 300);
      a.wake();
      assertThat(Drivers.take(a.engine().unreachable)).isEqualTo(elsewhere);
      Drivers.datagrams(b.engine(), a.address(), 2);
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void manyBurstsPassWithoutPilingUp(Mode mode) throws Exception {
    try (Node a =
            Drivers.start(
                Drivers.config(mode).withWakeUpLimits(4, 2).withSocketBuffers(4_096, 4_096));
        Node b = Drivers.start(Drivers.config(mode))) {
      for (int i = 0; i < 200; i++) {
        a.engine().send(b.address(), Drivers.burst(16, 1_000, 1_000, i), 1_000);
      }
      a.wake();
      a.engine().whenClosed.clear();
      // b may drop when its buffer is full; what a took from its engine is all sent, in the end.
      long deadline = System.nanoTime() + Drivers.WAIT_SECONDS * 1_000_000_000;
      while (a.engine().polled.get() < 200 && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      assertThat(a.engine().polled).hasValue(200);
      a.driver().close();
      assertThat(a.driver().stats().datagramsOut()).isEqualTo(3_200);
      assertThat(a.driver().stats().sendFailed()).isZero();
    }
  }
}
