package ebb.ledbat.netty;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Event loops that drivers run on; each driver stays on one. Made by a driver for itself, or by an
 * application that has several share them; whoever made it closes it. Thread-safe.
 */
public final class DriverThreads implements AutoCloseable {
  private final NettyTransport transport;
  private final EventLoopGroup group;

  private DriverThreads(NettyTransport transport, EventLoopGroup group) {
    this.transport = transport;
    this.group = group;
  }

  /**
   * Makes loops; their threads start with their first driver.
   *
   * @param threads how many, at least 1
   * @param daemon whether the threads let the JVM exit
   * @throws IllegalStateException when {@code transport} is EPOLL and cannot be had here
   */
  public static DriverThreads create(
      NettyTransport transport, int threads, String name, boolean daemon) {
    NettyTransport resolved = resolve(transport);
    ThreadFactory factory = new DefaultThreadFactory(name, daemon);
    return new DriverThreads(
        resolved,
        resolved == NettyTransport.EPOLL
            ? NativeEpoll.loops(threads, factory)
            : new NioEventLoopGroup(threads, factory));
  }

  /** EPOLL or NIO. */
  static NettyTransport resolve(NettyTransport wanted) {
    if (wanted == NettyTransport.NIO) {
      return NettyTransport.NIO;
    }
    String unavailable = EpollPresence.unavailability();
    if (unavailable == null) {
      return NettyTransport.EPOLL;
    }
    if (wanted == NettyTransport.EPOLL) {
      throw new IllegalStateException("native epoll is not available: " + unavailable);
    }
    return NettyTransport.NIO;
  }

  /**
   * Why {@link NettyTransport#AUTO} takes NIO in this JVM, in a few words; null when it takes
   * epoll.
   */
  public static @Nullable String whyNotEpoll() {
    return EpollPresence.unavailability();
  }

  /** EPOLL or NIO. */
  public NettyTransport transport() {
    return transport;
  }

  EventLoop next() {
    return group.next();
  }

  /** Ends the threads soon; drivers still on them end too. Idempotent. */
  @Override
  public void close() {
    var unused = group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
  }
}
