package ebb.ledbat.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.ledbat.netty.Drivers.Mode;
import ebb.ledbat.netty.Drivers.Node;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Other protocols share the driver's socket without disturbing it. */
class ForeignDatagramTest {
  private record Got(InetSocketAddress from, byte[] bytes) {}

  private final BlockingQueue<Got> got = new LinkedBlockingQueue<>();
  private final ForeignDatagramHandler collect =
      (from, datagram) -> got.add(new Got(from, ByteBufUtil.getBytes(datagram)));

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void datagramsOfAnySizeReachTheHandler(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode), collect)) {
      for (int size : new int[] {1, 20, 1_500, 9_000, 65_507}) {
        byte[] sent = filled(size, 0xff);
        a.driver().sendDatagram(b.address(), Unpooled.copiedBuffer(sent)).get(60, SECONDS);
        Got arrived = Drivers.take(got);
        assertThat(arrived.from()).isEqualTo(a.address());
        assertThat(arrived.bytes()).isEqualTo(sent);
      }
      assertThat(b.engine().received).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void burstOfBothKindsIsSorted(Mode mode) throws Exception {
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b = Drivers.start(Drivers.config(mode), collect)) {
      byte[] burst = Drivers.burst(6, 100, 100, 1);
      burst[200] = (byte) 0xff;
      burst[500] = (byte) 0xfe;
      a.engine().send(b.address(), burst, 100);
      a.wake();

      assertThat(Drivers.take(got).bytes()).hasSize(100).startsWith(0xff);
      assertThat(Drivers.take(got).bytes()).hasSize(100).startsWith(0xfe);
      assertThat(Drivers.datagrams(b.engine(), a.address(), 4))
          .extracting(datagram -> (int) datagram[1])
          .containsExactly(1, 2, 4, 5);
    }
  }

  @ParameterizedTest
  @MethodSource("ebb.ledbat.netty.Drivers#modes")
  void keptDatagramStaysWhatItWas(Mode mode) throws Exception {
    BlockingQueue<io.netty.buffer.ByteBuf> kept = new LinkedBlockingQueue<>();
    try (Node a = Drivers.start(Drivers.config(mode));
        Node b =
            Drivers.start(Drivers.config(mode), (from, datagram) -> kept.add(datagram.retain()))) {
      a.driver().sendDatagram(b.address(), Unpooled.copiedBuffer(filled(500, 0xfa)));
      var first = Drivers.take(kept);
      a.driver().sendDatagram(b.address(), Unpooled.copiedBuffer(filled(500, 0xfb)));
      var second = Drivers.take(kept);

      assertThat(ByteBufUtil.getBytes(first)).isEqualTo(filled(500, 0xfa));
      assertThat(ByteBufUtil.getBytes(second)).isEqualTo(filled(500, 0xfb));
      first.release();
      second.release();
    }
  }

  @Test
  void throwingHandlerCostsOneDatagram() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ForeignDatagramHandler failing =
        (from, datagram) -> {
          if (calls.getAndIncrement() == 0) {
            throw new IllegalStateException("a test's failure in a handler");
          }
          collect.onDatagram(from, datagram);
        };
    try (Node a = Drivers.start(NettyDriverConfig.at(Drivers.loopback(0)));
        Node b = Drivers.start(NettyDriverConfig.at(Drivers.loopback(0)), failing)) {
      a.driver().sendDatagram(b.address(), Unpooled.copiedBuffer(filled(10, 0xfa)));
      a.driver().sendDatagram(b.address(), Unpooled.copiedBuffer(filled(11, 0xfb)));

      assertThat(Drivers.take(got).bytes()).isEqualTo(filled(11, 0xfb));
      b.driver().close();
      assertThat(b.driver().stats().engineFailures()).isEqualTo(1);
    }
  }

  @Test
  void tooManyWaitingAreRefused() throws Exception {
    try (Node a =
        Drivers.start(
            NettyDriverConfig.at(Drivers.loopback(0)).withMaxForeignQueueBytes(1 << 16))) {
      // With the loop held, nothing leaves the queue: 65,536 bytes hold one datagram of 60,000.
      CompletableFuture<Void> hold = new CompletableFuture<>();
      a.driver().execute((endpoint, now) -> hold.join());
      var first = a.driver().sendDatagram(a.address(), Unpooled.copiedBuffer(filled(60_000, 0xff)));
      var second = a.driver().sendDatagram(a.address(), Unpooled.copiedBuffer(filled(6_000, 0xff)));

      assertThat(second).isCompletedExceptionally();
      assertThatThrownBy(second::get).hasRootCauseInstanceOf(IOException.class);
      hold.complete(null);
      first.get(60, SECONDS);
      assertThat(a.driver().stats().foreign().refused()).isEqualTo(1);
    }
  }

  @Test
  void impossibleDatagramsFailWithOneLine() throws Exception {
    try (Node a = Drivers.start(NettyDriverConfig.at(Drivers.loopback(0)))) {
      var large = a.driver().sendDatagram(a.address(), Unpooled.copiedBuffer(filled(65_508, 0xff)));
      var empty = a.driver().sendDatagram(a.address(), Unpooled.EMPTY_BUFFER);

      assertThatThrownBy(() -> large.get(60, SECONDS))
          .hasMessageContaining("a datagram of 65508 bytes is too large");
      assertThatThrownBy(() -> empty.get(60, SECONDS)).hasMessageContaining("empty datagram");
    }
  }

  private static byte[] filled(int size, int value) {
    byte[] bytes = new byte[size];
    java.util.Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
