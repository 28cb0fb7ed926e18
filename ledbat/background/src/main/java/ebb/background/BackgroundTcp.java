package ebb.background;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a TCP connection in the background, whatever its other end is: what arrives by the receive
 * window, what is sent by the bytes in flight. Both follow the round trips that the kernel
 * measures, so that the connection uses what others leave and keeps queues short.
 *
 * <p>{@link #install} puts it next to the socket, below TLS and everything else. It needs Linux and
 * Netty's epoll channel ({@code EpollSocketChannel}); with others it reads at a rate, and {@link
 * #incoming} says so. Writes keep their order and their promises; {@code Channel.isWritable} counts
 * what waits here. Whoever shuts down the output or closes waits for the promise of the last write
 * first, or what waits here is lost.
 *
 * <p>It holds back reads now and then: by {@code autoRead}, which it turns off and on again, where
 * that is on. Who turns {@code autoRead} off and on too leaves it off and asks by {@code
 * Channel.read()}.
 *
 * <p>All methods may be called from any thread.
 */
public final class BackgroundTcp extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundTcp.class);
  private static final String NAME = "ebb-background";

  private final BackgroundOptions options;
  private volatile @Nullable Incoming incoming;
  private volatile @Nullable Outgoing outgoing;
  private boolean started;

  private BackgroundTcp(BackgroundOptions options) {
    this.options = options;
  }

  /**
   * Makes a connection a background one from now on.
   *
   * @param channel a TCP channel, connected or not yet
   * @throws IllegalArgumentException when the channel has such a handler already
   */
  public static BackgroundTcp install(Channel channel, BackgroundOptions options) {
    BackgroundTcp handler = new BackgroundTcp(options);
    channel.pipeline().addFirst(NAME, handler);
    return handler;
  }

  /**
   * Makes it an ordinary connection again; what waits is sent. The window opens as the kernel
   * likes.
   */
  public void remove(Channel channel) {
    channel.pipeline().remove(this);
  }

  /** Of what arrives. */
  public BackgroundStats incoming() {
    Incoming in = incoming;
    return in == null ? nothing() : in.stats();
  }

  /** Of what is sent. */
  public BackgroundStats outgoing() {
    Outgoing out = outgoing;
    return out == null ? nothing() : out.stats();
  }

  private static BackgroundStats nothing() {
    return new BackgroundStats(SteeringWay.NONE, 0, 0, 0, 0, 0, 0, false);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    if (ctx.channel().isActive()) {
      start(ctx);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    start(ctx);
    ctx.fireChannelActive();
  }

  private void start(ChannelHandlerContext ctx) {
    if (started) {
      return;
    }
    started = true;
    KernelTcp kernel = KernelTcp.of(ctx.channel());
    Object place = options.place() == null ? addressOf(ctx.channel()) : options.place();
    if (options.incoming()) {
      Incoming in =
          new Incoming(
              ctx,
              options.group().place(place, true, options.targetMicros()),
              options.group().limit(true),
              kernel);
      incoming = in;
      in.start();
    }
    if (options.outgoing()) {
      Outgoing out =
          new Outgoing(
              ctx,
              options.group().place(place, false, options.targetMicros()),
              options.group().limit(false),
              kernel);
      outgoing = out;
      out.start();
    }
    sayWay(incoming(), "what arrives is steered by {}");
    sayWay(outgoing(), "what is sent is steered by {}");
  }

  /** Once for a group, not for each connection. */
  private void sayWay(BackgroundStats stats, String message) {
    if (options.group().firstOf(stats.way())) {
      LOG.info(message, stats.way().words());
    }
  }

  private static Object addressOf(Channel channel) {
    SocketAddress remote = channel.remoteAddress();
    return remote instanceof InetSocketAddress inet && inet.getAddress() != null
        ? inet.getAddress()
        : String.valueOf(remote);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    stop(!ctx.channel().isActive());
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    stop(true);
    ctx.fireChannelInactive();
  }

  private void stop(boolean closed) {
    Incoming in = incoming;
    if (in != null) {
      in.stop(closed);
    }
    Outgoing out = outgoing;
    if (out != null) {
      out.stop(closed);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    Incoming in = incoming;
    if (in != null && message instanceof ByteBuf bytes) {
      in.arrived(bytes.readableBytes());
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void read(ChannelHandlerContext ctx) {
    Incoming in = incoming;
    if (in == null || in.mayRead()) {
      ctx.read();
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // it is the promise's
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    Outgoing out = outgoing;
    if (out == null) {
      ctx.write(message, promise);
    } else {
      out.write(message, promise);
    }
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    Outgoing out = outgoing;
    if (out == null) {
      ctx.flush();
    } else {
      out.flush();
    }
  }
}
