package ebb.proxy.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The kernel's sockets: epoll where it is, and Java's own elsewhere. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class Sockets {
  private Sockets() {}

  /** One thread: all of a proxy's state belongs to it. */
  static EventLoopGroup newLoop() {
    DefaultThreadFactory threads = new DefaultThreadFactory("ebb-proxy", true);
    return Epoll.isAvailable()
        ? new EpollEventLoopGroup(1, threads)
        : new NioEventLoopGroup(1, threads);
  }

  static Class<? extends ServerChannel> server() {
    return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  static Class<? extends Channel> client() {
    return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /** Ends a connection so that the other side sees that it was not done. */
  static void reset(Channel channel) {
    if (channel.isOpen()) {
      try {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
      } catch (ChannelException gone) {
        // The kernel has no connection to this socket any more.
      }
      channel.close();
    }
  }
}
