package ebb.selfbench.side;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;

/** A plain Netty UDP channel on loopback, set up the way the mode says. */
final class RawSocket {
  /** Room for one datagram where several are received in one call. */
  static final int PLAIN_DATAGRAM_BYTES = 2_048;

  private static final int SOCKET_BUFFER_BYTES = 4 << 20;

  private final boolean epoll;
  private final boolean offload;
  private final EventLoopGroup group;

  RawSocket(BenchMode mode) {
    epoll = mode == BenchMode.AUTO ? Epoll.isAvailable() : mode != BenchMode.NIO;
    offload = epoll && mode != BenchMode.EPOLL;
    group = epoll ? new EpollEventLoopGroup(1) : new NioEventLoopGroup(1);
  }

  boolean offload() {
    return offload;
  }

  Bootstrap bootstrap() {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(group)
            .channelFactory(
                () ->
                    epoll
                        ? new EpollDatagramChannel(InternetProtocolFamily.IPv4)
                        : new NioDatagramChannel(InternetProtocolFamily.IPv4))
            .option(ChannelOption.SO_RCVBUF, SOCKET_BUFFER_BYTES)
            .option(ChannelOption.SO_SNDBUF, SOCKET_BUFFER_BYTES);
    if (epoll) {
      bootstrap.option(
          EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, offload ? 65_535 : PLAIN_DATAGRAM_BYTES);
      bootstrap.option(EpollChannelOption.UDP_GRO, offload);
    }
    return bootstrap;
  }

  Channel bind(Bootstrap bootstrap, String address) throws InterruptedException {
    return bootstrap.bind(address, 0).sync().channel();
  }

  void close() {
    var unused = group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS);
  }
}
