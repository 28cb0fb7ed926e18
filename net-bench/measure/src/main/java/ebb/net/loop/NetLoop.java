package ebb.net.loop;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * One thread for TCP sockets, native epoll where it is to be had, which alone tells and sets what
 * the kernel's TCP does.
 */
public final class NetLoop implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final int MAX_BACKLOG = 1_024;

  /**
   * Linux repeats its answer to a SYN five times by itself, to an address that anybody may have
   * forged; once is enough, for a true client repeats its SYN. (IPPROTO_TCP, TCP_SYNCNT)
   */
  private static final IntegerUnixChannelOption TCP_SYNCNT =
      new IntegerUnixChannelOption("TCP_SYNCNT", 6, 7);

  private static final int REPEATED_ANSWERS = 1;

  private final boolean epoll = Epoll.isAvailable();
  private final AnswerPolling polling = new AnswerPolling();
  private final EventLoopGroup group;

  public NetLoop() {
    DefaultThreadFactory threads = new DefaultThreadFactory("ebb-tcp", true);
    group =
        epoll
            ? new EpollEventLoopGroup(1, threads, () -> polling)
            : new NioEventLoopGroup(1, threads);
  }

  /** The thread. */
  public EventLoop loop() {
    return group.next();
  }

  /** The thread, for other sockets that are to live on it. */
  public EventLoopGroup group() {
    return group;
  }

  /** Whether sockets are native. */
  public boolean epoll() {
    return epoll;
  }

  /**
   * Something was sent that is answered at once: the loop does not sleep for a moment. On the loop.
   */
  public void expectSoon() {
    polling.expectSoon();
  }

  /** What {@link #expectSoon} does here, for the result. */
  public static String expectingText() {
    return Epoll.isAvailable()
        ? "after sending, a loop asks the kernel for up to "
            + AnswerPolling.POLL_MICROS
            + " us again and again before it sleeps, more rarely while that is in vain"
        : "a loop sleeps until an answer wakes it";
  }

  /** For connections to others. */
  public Bootstrap connecting() {
    return new Bootstrap()
        .group(group)
        .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
        .option(ChannelOption.TCP_NODELAY, true);
  }

  /** For connections from others. */
  public ServerBootstrap accepting() {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, MAX_BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true);
    return epoll ? bootstrap.option(TCP_SYNCNT, REPEATED_ANSWERS) : bootstrap;
  }

  /** Ends the thread and every socket on it, soon. */
  @Override
  public void close() {
    var unused = group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
  }
}
