package ebb.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
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
import java.util.function.Consumer;

/** Connections over loopback of which the client's end is a background one. */
final class Loopback implements AutoCloseable {
  static final int LONG_SECONDS = 60;

  private final boolean epoll;
  private final EventLoopGroup loops;

  Loopback(boolean epoll) {
    this.epoll = epoll;
    loops = epoll ? new EpollEventLoopGroup(2) : new NioEventLoopGroup(2);
  }

  record Pair(Channel client, Channel server, Sink sink, BackgroundTcp background) {
    /** Another one; on the loop, for it takes only what is read once it has been added. */
    Sink sinkAtServer() throws InterruptedException {
      Sink far = new Sink();
      server.eventLoop().submit(() -> server.pipeline().addLast(far)).sync();
      return far;
    }
  }

  /** What {@link #bytes} has at that position. */
  private static byte at(long position) {
    return (byte) (position * 31 >> 3);
  }

  /** They repeat after 2,048. */
  static ByteBuf bytes(int amount) {
    byte[] all = new byte[amount];
    for (int i = 0; i < amount; i++) {
      all[i] = at(i);
    }
    return Unpooled.wrappedBuffer(all);
  }

  /** Counts what arrives and compares it with what {@link #bytes} makes. */
  static final class Sink extends ChannelInboundHandlerAdapter {
    private final CompletableFuture<Long> ended = new CompletableFuture<>();
    private volatile long goal = -1;
    private long count;
    private boolean wrong;

    /** The count when the connection ends, or at {@link #endAt}; -1 when a byte was wrong. */
    CompletableFuture<Long> ended() {
      return ended;
    }

    void endAt(long newGoal) {
      goal = newGoal;
    }

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

  /**
   * A connection with a {@link Sink} at the client.
   *
   * @param aboveClient puts what is to stand between the background and the sink
   * @param aboveServer the same at the other end, which has no sink
   */
  Pair connect(
      BackgroundOptions options, Consumer<Channel> aboveClient, Consumer<Channel> aboveServer)
      throws InterruptedException {
    BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    aboveServer.accept(channel);
                    accepted.add(channel);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    Sink sink = new Sink();
    Channel client =
        new Bootstrap()
            .group(loops)
            .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    aboveClient.accept(channel);
                    channel.pipeline().addLast(sink);
                  }
                })
            .register()
            .sync()
            .channel();
    BackgroundTcp background = BackgroundTcp.install(client, options);
    client.connect((InetSocketAddress) listener.localAddress()).sync();
    Channel server = accepted.poll(LONG_SECONDS, TimeUnit.SECONDS);
    assertThat(server).isNotNull();
    client.eventLoop().submit(() -> {}).sync(); // channelActive comes after the promise
    return new Pair(client, server, sink, background);
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
