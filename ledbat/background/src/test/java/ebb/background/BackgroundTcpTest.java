package ebb.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.Epoll;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The handler on connections over loopback: nothing is lost, and what it says of its way is true.
 */
final class BackgroundTcpTest {
  private static final int AMOUNT = 4 << 20;
  private static final int LONG_SECONDS = Loopback.LONG_SECONDS;

  private final BackgroundGroup group = new BackgroundGroup();
  private Loopback loopback;

  @AfterEach
  void stop() {
    loopback.close();
  }

  private Loopback.Pair connect(boolean epoll, BackgroundOptions options)
      throws InterruptedException {
    loopback = new Loopback(epoll);
    return loopback.connect(options, channel -> {}, channel -> {});
  }

  private static void download(Loopback.Pair pair, int amount) throws Exception {
    pair.server().writeAndFlush(Loopback.bytes(amount)).sync();
    pair.server().close().sync();
    assertThat(pair.sink().ended().get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(amount);
  }

  @Test
  void aDownloadIsWholeAndSteeredByTheWindow() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Loopback.Pair pair = connect(true, BackgroundOptions.in(group));
    download(pair, AMOUNT);
    BackgroundStats stats = pair.background().incoming();
    assertThat(stats.way()).isEqualTo(SteeringWay.WINDOW_CLAMP);
    assertThat(stats.bytes()).isEqualTo(AMOUNT);
    assertThat(stats.baseRttMicros()).isPositive();
    assertThat(stats.connections()).isZero(); // it has left
  }

  @Test
  void aClampThatIsSetOnceIsOverriddenByAutoTuning() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Loopback.Pair pair = connect(true, BackgroundOptions.in(group).outgoingOnly());
    KernelTcp kernel = KernelTcp.of(pair.client());
    assertThat(kernel.clamp(20_000)).isTrue();
    assertThat(kernel.clamp()).isEqualTo(20_000);
    CompletableFuture<Integer> after = new CompletableFuture<>();
    pair.client()
        .pipeline()
        .addFirst(
            new ChannelInboundHandlerAdapter() {
              private long read;

              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                read += ((ByteBuf) message).readableBytes();
                int now = kernel.clamp();
                if (now != 20_000 || read == 8L * AMOUNT) {
                  after.complete(now);
                }
                ctx.fireChannelRead(message);
              }
            });
    download(pair, 8 * AMOUNT);
    assertThat(after.get()).isGreaterThan(20_000);
  }

  @Test
  void theLeastClampIsTheKernels() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Loopback.Pair pair = connect(true, BackgroundOptions.in(group).outgoingOnly());
    KernelTcp kernel = KernelTcp.of(pair.client());
    assertThat(kernel.clamp(1)).isTrue();
    // Half of SOCK_MIN_RCVBUF, about a packet: a smaller window cannot be asked for.
    assertThat(kernel.clamp()).isBetween(1_000, 2_400);
    pair.client().close().sync();
  }

  @Test
  void anUploadIsWholeAndSteeredByTheBytesInFlight() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Loopback.Pair pair = connect(true, BackgroundOptions.in(group));
    Loopback.Sink far = pair.sinkAtServer();
    var small = pair.client().write(Loopback.bytes(1));
    assertThat(
            pair.client()
                .writeAndFlush(Loopback.bytes(AMOUNT).skipBytes(1))
                .await(LONG_SECONDS, TimeUnit.SECONDS))
        .isTrue();
    assertThat(small.isSuccess()).isTrue();
    assertThat(pair.background().outgoing().way()).isEqualTo(SteeringWay.WRITE_WINDOW);
    assertThat(pair.background().outgoing().bytes()).isEqualTo(AMOUNT);
    pair.client().close().sync();
    assertThat(far.ended().get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(AMOUNT);
  }

  @Test
  void whatWaitsIsSentWhenTheHandlerGoes() throws Exception {
    assumeTrue(Epoll.isAvailable());
    group.setOutgoingLimit(1);
    Loopback.Pair pair = connect(true, BackgroundOptions.in(group));
    Loopback.Sink far = pair.sinkAtServer();
    var written = pair.client().writeAndFlush(Loopback.bytes(AMOUNT));
    pair.client().eventLoop().submit(() -> {}).sync();
    assertThat(written.isDone()).isFalse();
    assertThat(pair.client().isWritable()).isFalse();
    pair.background().remove(pair.client());
    assertThat(written.await(LONG_SECONDS, TimeUnit.SECONDS)).isTrue();
    pair.client().close().sync();
    assertThat(far.ended().get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(AMOUNT);
  }

  @Test
  void whatWaitsFailsWhenTheConnectionCloses() throws Exception {
    assumeTrue(Epoll.isAvailable());
    group.setOutgoingLimit(1);
    Loopback.Pair pair = connect(true, BackgroundOptions.in(group));
    ByteBuf data = Loopback.bytes(AMOUNT);
    var written = pair.client().writeAndFlush(data);
    pair.client().close().sync();
    assertThat(written.await(LONG_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(written.isSuccess()).isFalse();
    assertThat(data.refCnt()).isZero();
  }

  @Test
  void withoutTheKernelsViewItReadsAtARateAndSaysSo() throws Exception {
    Loopback.Pair pair = connect(false, BackgroundOptions.in(group));
    assertThat(pair.background().outgoing().way()).isEqualTo(SteeringWay.WRITE_RATE);
    download(pair, 100_000);
    assertThat(pair.background().incoming().way()).isEqualTo(SteeringWay.READ_RATE);
  }

  @Test
  void aLimitHoldsForAllConnectionsTogether() throws Exception {
    assumeTrue(Epoll.isAvailable());
    group.setIncomingLimit(AMOUNT);
    Loopback.Pair pair = connect(true, BackgroundOptions.in(group));
    pair.sink().endAt(AMOUNT);
    long began = System.nanoTime();
    pair.server().writeAndFlush(Loopback.bytes(AMOUNT));
    assertThat(pair.sink().ended().get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(AMOUNT);
    // What may come at once, and what one turn of the loop reads, is less than half of it.
    assertThat((System.nanoTime() - began) / 1e9).isGreaterThan(0.5);
  }
}
