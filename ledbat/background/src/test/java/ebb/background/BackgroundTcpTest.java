package ebb.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The handler on connections over loopback: nothing is lost, and what it says of its way is true.
 */
final class BackgroundTcpTest {
  private static final int AMOUNT = 4 << 20;
  private static final int LONG_SECONDS = 60;

  private final BackgroundGroup group = new BackgroundGroup();
  private EventLoopGroup loops;

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** Counts what arrives and compares it with what {@link #bytes} makes. */
  private static final class Sink extends ChannelInboundHandlerAdapter {
    private final CompletableFuture<Long> ended = new CompletableFuture<>();
    private volatile long goal = -1;
    private long count;
    private boolean wrong;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf in = (ByteBuf) message;
      while (in.isReadable()) {
        wrong |= in.readByte() != at(count++);
      }
      in.release();
      if (count == goal) {
        ended.complete(wrong ? -1 : count);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      ended.complete(wrong ? -1 : count);
    }
  }

  private static byte at(long position) {
    return (byte) (position * 31 >> 3);
  }

  private static ByteBuf bytes(int amount) {
    byte[] all = new byte[amount];
    for (int i = 0; i < amount; i++) {
      all[i] = at(i);
    }
    return Unpooled.wrappedBuffer(all);
  }

  /** Hands on the server's side of each connection. */
  @Sharable
  private static final class Accepted extends ChannelInboundHandlerAdapter {
    private final BlockingQueue<Channel> channels = new LinkedBlockingQueue<>();

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      channels.add(ctx.channel());
    }
  }

  private record Pair(Channel client, Channel server, Sink sink, BackgroundTcp background) {}

  private Pair connect(boolean epoll, BackgroundOptions options) throws InterruptedException {
    loops = epoll ? new EpollEventLoopGroup(2) : new NioEventLoopGroup(2);
    Accepted accepted = new Accepted();
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .childHandler(accepted)
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    Sink sink = new Sink();
    Channel client =
        new Bootstrap()
            .group(loops)
            .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
            .handler(sink)
            .register()
            .sync()
            .channel();
    BackgroundTcp background = BackgroundTcp.install(client, options);
    client.connect((InetSocketAddress) listener.localAddress()).sync();
    Channel server = accepted.channels.poll(LONG_SECONDS, TimeUnit.SECONDS);
    assertThat(server).isNotNull();
    client.eventLoop().submit(() -> {}).sync(); // channelActive comes after the promise
    return new Pair(client, server, sink, background);
  }

  private static void download(Pair pair, int amount) throws Exception {
    pair.server.writeAndFlush(bytes(amount)).sync();
    pair.server.close().sync();
    assertThat(pair.sink.ended.get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(amount);
  }

  @Test
  void aDownloadIsWholeAndSteeredByTheWindow() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Pair pair = connect(true, BackgroundOptions.in(group));
    download(pair, AMOUNT);
    BackgroundStats stats = pair.background.incoming();
    assertThat(stats.way()).isEqualTo(SteeringWay.WINDOW_CLAMP);
    assertThat(stats.bytes()).isEqualTo(AMOUNT);
    assertThat(stats.baseRttMicros()).isPositive();
    assertThat(stats.connections()).isZero(); // it has left
  }

  @Test
  void aClampThatIsSetOnceIsOverriddenByAutoTuning() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Pair pair = connect(true, BackgroundOptions.in(group).outgoingOnly());
    KernelTcp kernel = KernelTcp.of(pair.client);
    assertThat(kernel.clamp(20_000)).isTrue();
    assertThat(kernel.clamp()).isEqualTo(20_000);
    CompletableFuture<Integer> after = new CompletableFuture<>();
    pair.client
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
    Pair pair = connect(true, BackgroundOptions.in(group).outgoingOnly());
    KernelTcp kernel = KernelTcp.of(pair.client);
    assertThat(kernel.clamp(1)).isTrue();
    // Half of SOCK_MIN_RCVBUF, about a packet: a smaller window cannot be asked for.
    assertThat(kernel.clamp()).isBetween(1_000, 2_400);
    pair.client.close().sync();
  }

  @Test
  void anUploadIsWholeAndSteeredByTheBytesInFlight() throws Exception {
    assumeTrue(Epoll.isAvailable());
    Pair pair = connect(true, BackgroundOptions.in(group));
    Sink far = new Sink();
    pair.server.pipeline().addLast(far);
    var small = pair.client.write(bytes(1));
    assertThat(
            pair.client
                .writeAndFlush(bytes(AMOUNT).skipBytes(1))
                .await(LONG_SECONDS, TimeUnit.SECONDS))
        .isTrue();
    assertThat(small.isSuccess()).isTrue();
    assertThat(pair.background.outgoing().way()).isEqualTo(SteeringWay.WRITE_WINDOW);
    assertThat(pair.background.outgoing().bytes()).isEqualTo(AMOUNT);
    pair.client.close().sync();
    assertThat(far.ended.get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(AMOUNT);
  }

  @Test
  void whatWaitsIsSentWhenTheHandlerGoes() throws Exception {
    assumeTrue(Epoll.isAvailable());
    group.setOutgoingLimit(1);
    Pair pair = connect(true, BackgroundOptions.in(group));
    Sink far = new Sink();
    pair.server.pipeline().addLast(far);
    var written = pair.client.writeAndFlush(bytes(AMOUNT));
    pair.client.eventLoop().submit(() -> {}).sync();
    assertThat(written.isDone()).isFalse();
    assertThat(pair.client.isWritable()).isFalse();
    pair.background.remove(pair.client);
    assertThat(written.await(LONG_SECONDS, TimeUnit.SECONDS)).isTrue();
    pair.client.close().sync();
    assertThat(far.ended.get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(AMOUNT);
  }

  @Test
  void whatWaitsFailsWhenTheConnectionCloses() throws Exception {
    assumeTrue(Epoll.isAvailable());
    group.setOutgoingLimit(1);
    Pair pair = connect(true, BackgroundOptions.in(group));
    ByteBuf data = bytes(AMOUNT);
    var written = pair.client.writeAndFlush(data);
    pair.client.close().sync();
    assertThat(written.await(LONG_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(written.isSuccess()).isFalse();
    assertThat(data.refCnt()).isZero();
  }

  @Test
  void withoutTheKernelsViewItReadsAtARateAndSaysSo() throws Exception {
    Pair pair = connect(false, BackgroundOptions.in(group));
    assertThat(pair.background.outgoing().way()).isEqualTo(SteeringWay.WRITE_RATE);
    download(pair, 100_000);
    assertThat(pair.background.incoming().way()).isEqualTo(SteeringWay.READ_RATE);
  }

  @Test
  void aLimitHoldsForAllConnectionsTogether() throws Exception {
    assumeTrue(Epoll.isAvailable());
    group.setIncomingLimit(AMOUNT);
    Pair pair = connect(true, BackgroundOptions.in(group));
    pair.sink.goal = AMOUNT;
    long began = System.nanoTime();
    pair.server.writeAndFlush(bytes(AMOUNT));
    assertThat(pair.sink.ended.get(LONG_SECONDS, TimeUnit.SECONDS)).isEqualTo(AMOUNT);
    // What may come at once, and what one turn of the loop reads, is less than half of it.
    assertThat((System.nanoTime() - began) / 1e9).isGreaterThan(0.5);
  }
}
