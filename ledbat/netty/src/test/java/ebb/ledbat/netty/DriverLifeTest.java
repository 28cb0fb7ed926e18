package ebb.ledbat.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.ledbat.netty.Drivers.Mode;
import ebb.ledbat.netty.Drivers.Node;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Binding, tasks, timers, failures and closing. */
class DriverLifeTest {
  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void portInUseIsOneClearLine(Mode mode) throws Exception {
    try (Node first = Drivers.start(Drivers.config(mode))) {
      int port = first.address().getPort();
      NettyDriverConfig same =
          NettyDriverConfig.at(first.address())
              .withTransport(mode.transport())
              .withOffloads(mode.gso(), mode.gro());
      assertThatThrownBy(() -> Drivers.start(same))
          .isInstanceOf(BindException.class)
          .hasMessage("cannot bind 127.0.0.1 port " + port + ": the port is in use");
      first.driver().close();
      // The port is free when close returns.
      try (Node second = Drivers.start(same)) {
        assertThat(second.address().getPort()).isEqualTo(port);
      }
    }
  }

  @Test
  void theSelectorHasLetGoOfThePortWhenCloseReturns() throws Exception {
    // On a thread of the driver's own, and on one that goes on for others.
    try (DriverThreads threads = DriverThreads.create(NettyTransport.NIO, 1, "shared", true)) {
      NettyDriverConfig shared = NettyDriverConfig.at(Drivers.loopback(0)).withThreads(threads);
      NettyDriverConfig own =
          NettyDriverConfig.at(Drivers.loopback(0)).withTransport(NettyTransport.NIO);
      for (NettyDriverConfig config : List.of(shared, own)) {
        for (int i = 0; i < 500; i++) {
          Node node = Drivers.start(config);
          node.driver().close();
          try (DatagramSocket same = new DatagramSocket(node.address())) {
            assertThat(same.getLocalPort()).isEqualTo(node.address().getPort());
          }
        }
      }
    }
  }

  @Test
  void addressOfAnotherMachineIsOneClearLine() throws Exception {
    // 192.0.2.0/24 is for documentation (RFC 5737): no machine has it.
    InetAddress other = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
    NettyDriverConfig config = NettyDriverConfig.at(new InetSocketAddress(other, 4_444));
    assertThatThrownBy(() -> Drivers.start(config))
        .isInstanceOf(BindException.class)
        .hasMessage("cannot bind 192.0.2.1 port 4444: this machine does not have the address");
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void wildcardSocketKnowsAPeerByOneAddress(Mode mode) throws Exception {
    NettyDriverConfig wildcard =
        NettyDriverConfig.at(new InetSocketAddress(0))
            .withTransport(mode.transport())
            .withOffloads(mode.gso(), mode.gro());
    try (Node any = Drivers.start(wildcard);
        Node peer = Drivers.start(Drivers.config(mode))) {
      InetSocketAddress anyOnLoopback = Drivers.loopback(any.address().getPort());
      peer.engine().send(anyOnLoopback, Drivers.burst(3, 100, 100, 1), 100);
      peer.wake();
      Drivers.datagrams(any.engine(), peer.address(), 3);
      any.engine().send(peer.address(), Drivers.burst(3, 100, 100, 1), 100);
      any.wake();
      Drivers.datagrams(peer.engine(), anyOnLoopback, 3);
    }
  }

  @Test
  void tasksRunInOrderAlsoThoseFromInside() throws Exception {
    try (Node node = Drivers.start(NettyDriverConfig.at(Drivers.loopback(0)))) {
      BlockingQueue<Integer> ran = new LinkedBlockingQueue<>();
      CompletableFuture<Void> hold = new CompletableFuture<>();
      node.driver()
          .execute(
              (endpoint, now) -> {
                hold.join();
                node.driver().execute((inner, innerNow) -> ran.add(3_000));
                ran.add(-1);
              });
      for (int i = 0; i < 3_000; i++) {
        int number = i;
        node.driver().execute((endpoint, now) -> ran.add(number));
      }
      hold.complete(null);

      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < 3_002; i++) {
        order.add(Drivers.take(ran));
      }
      assertThat(order).containsExactlyElementsOf(IntStream.range(-1, 3_001).boxed().toList());
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void deadlinesFireInOrderAndNotEarly(Mode mode) throws Exception {
    try (Node node = Drivers.start(Drivers.config(mode))) {
      node.driver()
          .execute(
              (endpoint, now) -> {
                for (long delay : new long[] {30_000, 500, 9_000, 2_000, 2_500, 80_000}) {
                  node.engine().deadlines.add(now + delay);
                }
              });
      long last = 0;
      for (int i = 0; i < 6; i++) {
        FakeEngine.Fired fired = Drivers.take(node.engine().fired);
        assertThat(fired.deadlineMicros()).isGreaterThan(last);
        assertThat(fired.nowMicros()).isGreaterThanOrEqualTo(fired.deadlineMicros());
        last = fired.deadlineMicros();
      }
      CompletableFuture<Long> late = new CompletableFuture<>();
      long asked = node.driver().nowMicros();
      node.driver().schedule(3_000, (endpoint, now) -> late.complete(now));
      assertThat(late.get(60, SECONDS)).isGreaterThanOrEqualTo(asked + 3_000);
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void failuresOfEngineAndTasksEndNothing(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      b.engine().failReceives.set(1);
      b.engine().failTimeouts.set(1);
      b.engine().failTransmits.set(1);
      b.driver()
          .execute(
              (endpoint, now) -> {
                b.engine().deadlines.add(now + 1);
                throw new IllegalStateException("a test's failure in a task");
              });
      // The deadline comes again although its first handling threw.
      Drivers.take(b.engine().fired);
      a.engine().send(b.address(), Drivers.burst(1, 100, 100, 1), 100);
      a.engine().send(b.address(), Drivers.burst(2, 200, 200, 1), 200);
      a.wake();

      List<byte[]> got = Drivers.datagrams(b.engine(), a.address(), 2);
      assertThat(got).allSatisfy(datagram -> assertThat(datagram).hasSize(200));
      b.engine().send(a.address(), Drivers.burst(1, 50, 50, 1), 50);
      b.wake();
      Drivers.datagrams(a.engine(), b.address(), 1);
      b.driver().close();
      assertThat(b.driver().stats().engineFailures()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void closeSendsTheLastWordAndIsIdempotent(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode))) {
      a.engine()
          .whenClosed
          .add(new FakeEngine.ToSend(b.address(), Drivers.burst(2, 20, 20, 7), 20, true));
      a.driver().close();
      a.driver().close();
      assertThat(Drivers.datagrams(b.engine(), a.address(), 2)).hasSize(2);
      assertThat(a.engine().closes).hasValue(1);
      a.driver()
          .execute(
              (endpoint, now) -> {
                throw new AssertionError("ran after close");
              });
      assertThat(a.driver().stats().engineFailures()).isZero();
      assertThat(
              a.driver().sendDatagram(b.address(), io.netty.buffer.Unpooled.buffer().writeByte(1)))
          .isCompletedExceptionally();
    }
  }

  @Test
  void closeFromTheLoopFollowsTheTasksBefore() throws Exception {
    try (Node node = Drivers.start(NettyDriverConfig.at(Drivers.loopback(0)))) {
      CompletableFuture<Void> ran = new CompletableFuture<>();
      node.driver()
          .execute(
              (endpoint, now) -> {
                node.driver().execute((inner, innerNow) -> ran.complete(null));
                node.driver().close();
              });
      ran.get(60, SECONDS);
      // From here it waits for the closing that the task began.
      node.driver().close();
      assertThat(node.engine().closes).hasValue(1);
    }
  }

  @Test
  void driversShareThreads() throws Exception {
    try (DriverThreads threads = DriverThreads.create(NettyTransport.AUTO, 1, "shared", true);
        Node a = Drivers.start(NettyDriverConfig.at(Drivers.loopback(0)).withThreads(threads));
        Node b = Drivers.start(NettyDriverConfig.at(Drivers.loopback(0)).withThreads(threads))) {
      CompletableFuture<Thread> onA = new CompletableFuture<>();
      CompletableFuture<Thread> onB = new CompletableFuture<>();
      a.driver().execute((endpoint, now) -> onA.complete(Thread.currentThread()));
      b.driver().execute((endpoint, now) -> onB.complete(Thread.currentThread()));
      assertThat(onA.get(60, SECONDS)).isSameAs(onB.get(60, SECONDS));
      assertThat(onA.get().getName()).startsWith("shared");
      assertThat(onA.get().isDaemon()).isTrue();
      a.driver().close();
      // The other one goes on.
      CompletableFuture<Void> still = new CompletableFuture<>();
      b.driver().execute((endpoint, now) -> still.complete(null));
      still.get(60, SECONDS);
    }
  }
}
