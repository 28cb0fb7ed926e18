package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ebb.ledbat.netty.Drivers.Mode;
import ebb.ledbat.netty.Drivers.Node;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.netty.util.ResourceLeakDetector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel refuses reaches the engine, and nothing else is lost by it. */
class SendingTest {
  private static final int EPERM = -1;
  private static final int EIO = -5;
  private static final int EACCES = -13;
  private static final int EINVAL = -22;
  private static final int EMSGSIZE = -90;
  private static final int ENETDOWN = -100;
  private static final int ENETUNREACH = -101;
  private static final int ENOBUFS = -105;
  private static final int ECONNREFUSED = -111;
  private static final int EHOSTUNREACH = -113;

  static {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  /** Stands in for a device: refuses what the test says, as the kernel would. */
  private static void refuse(Node node, Predicate<DatagramPacket> which, int errno) {
    node.driver()
        .channel()
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(
                  ChannelHandlerContext context, Object message, ChannelPromise promise) {
                if (message instanceof DatagramPacket datagram && which.test(datagram)) {
                  datagram.release();
                  promise.setFailure(new Errors.NativeIoException("sendmmsg", errno));
                } else {
                  context.write(message, promise);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void tooLargeIsToldOncePerBurstAndLosesNothingElse(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      refuse(
          a,
          datagram ->
              datagram instanceof SegmentedDatagramPacket segmented
                  ? segmented.segmentSize() > 1_000
                  : datagram.content().readableBytes() > 1_000,
          EMSGSIZE);
      a.engine().send(b.address(), Drivers.burst(5, 1_400, 1_400, 1), 1_400);
      a.engine().send(b.address(), Drivers.burst(2, 1_000, 1_000, 1), 1_000);
      a.engine().send(b.address(), Drivers.burst(1, 1_200, 1_200, 1), 1_200);
      a.wake();
      Drivers.datagrams(b.engine(), a.address(), 2);
      assertThat(Drivers.take(a.engine().tooLarge))
          .isEqualTo(new FakeEngine.TooLarge(b.address(), 1_400));
      assertThat(Drivers.take(a.engine().tooLarge))
          .isEqualTo(new FakeEngine.TooLarge(b.address(), 1_200));
      a.driver().close();
      assertThat(a.engine().tooLarge).isEmpty();
      // A size that is refused says nothing against segmenting.
      assertThat(a.driver().stats().gsoInUse()).isEqualTo(mode.gso() == Offload.AUTO);
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void packetsHaveTheMarkOfTheirPeerHoweverTheyAreMixed(Mode mode) throws Exception {
    List<Boolean> right = new CopyOnWriteArrayList<>();
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode));
        Node c = Drivers.start(Drivers.config(mode))) {
      a.driver()
          .channel()
          .pipeline()
          .addFirst(
              new ChannelOutboundHandlerAdapter() {
                @Override
                public void write(
                    ChannelHandlerContext context, Object message, ChannelPromise promise) {
                  boolean marked =
                      message instanceof DatagramPacket datagram
                          && datagram.recipient().equals(b.address());
                  int mark = context.channel().config().getOption(ChannelOption.IP_TOS);
                  right.add(mark == (marked ? 0x20 : 0));
                  context.write(message, promise);
                }
              });
      a.driver().execute((endpoint, now) -> a.driver().mark(b.address(), 0x20));
      a.driver().execute((endpoint, now) -> a.driver().mark(b.address(), 0x20));
      a.driver().execute((endpoint, now) -> a.driver().unmark(b.address()));
      for (int i = 0; i < 20; i++) {
        a.engine().send((i % 3 == 0 ? c : b).address(), Drivers.burst(3, 900, 900, i), 900);
      }
      a.wake();
      Drivers.datagrams(b.engine(), a.address(), 39);
      Drivers.datagrams(c.engine(), a.address(), 21);
      assertThat(right).isNotEmpty().containsOnly(true);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {EIO, EINVAL})
  void deviceThatCannotSegmentLosesNothing(int errno) throws Exception {
    assumeTrue(Epoll.isAvailable(), "no native epoll here");
    Mode gso = new Mode(NettyTransport.EPOLL, Offload.AUTO, Offload.OFF);
    try (Node a = Drivers.start(Drivers.config(gso));
        Node b = Drivers.start(Drivers.config(gso))) {
      refuse(a, datagram -> datagram instanceof SegmentedDatagramPacket, errno);
      byte[] first = Drivers.burst(40, 1_400, 700, 1);
      a.engine().send(b.address(), first, 1_400);
      a.engine().send(b.address(), Drivers.burst(20, 500, 500, 50), 500);
      a.wake();
      List<byte[]> got = Drivers.datagrams(b.engine(), a.address(), 60);
      for (int i = 0; i < 40; i++) {
        assertThat(got.get(i)[1]).isEqualTo((byte) (1 + i));
      }
      a.driver().close();
      assertThat(a.driver().stats().gsoInUse()).isFalse();
      assertThat(a.driver().stats().refused().gsoFallbacks()).isEqualTo(1);
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
      assertThat(a.driver().stats().out().datagrams()).isEqualTo(3_200);
      assertThat(a.driver().stats().refused().failed()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {EPERM, EACCES, EINVAL, ENETDOWN, ENETUNREACH, ENOBUFS, EHOSTUNREACH, ECONNREFUSED})
  void anInterfaceOrFirewallThatRefusesForAWhileStopsNothing(int errno) throws Exception {
    assumeTrue(Epoll.isAvailable(), "no native epoll here");
    Mode best = new Mode(NettyTransport.EPOLL, Offload.AUTO, Offload.AUTO);
    try (Node a = Drivers.start(Drivers.config(best));
        Node b = Drivers.start(Drivers.config(best))) {
      refuse(
          a,
          datagram -> datagram.content().getByte(datagram.content().readerIndex() + 1) < 100,
          errno);
      for (int i = 0; i < 20; i++) {
        a.engine().send(b.address(), Drivers.burst(4, 1_000, 1_000, 4 * i), 1_000);
      }
      a.engine().send(b.address(), Drivers.burst(4, 1_000, 1_000, 100), 1_000);
      a.wake();
      // All that were refused are gone, as if the network had lost them; what follows arrives.
      List<byte[]> got = Drivers.datagrams(b.engine(), a.address(), 4);
      assertThat(got)
          .extracting(datagram -> datagram[1])
          .containsExactly((byte) 100, (byte) 101, (byte) 102, (byte) 103);
      a.driver().close();
      DriverStats stats = a.driver().stats();
      assertThat(stats.refused().failed() + stats.refused().unreachable())
          .isGreaterThanOrEqualTo(20);
      assertThat(stats.engineFailures()).isZero();
      assertThat(stats.gsoInUse()).as("segmenting is not to blame").isTrue();
    }
  }
}
