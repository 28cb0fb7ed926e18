package ebb.ledbat.netty;

import io.netty.channel.ChannelException;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An unbound UDP channel with the options that the driver wants, and what the kernel granted of
 * them. SO_REUSEADDR is never set: with it another process could take the port's datagrams.
 * SO_REUSEPORT, which only the same user's processes can share, is set where it is asked for.
 */
final class UdpSocket {
  private static final Logger LOG = LoggerFactory.getLogger(UdpSocket.class);

  private final NettyTransport transport;
  private final DatagramChannel channel;
  private final java.nio.channels.@Nullable DatagramChannel nio;
  private final DontFragment dontFragment;
  private final boolean gso;
  private final boolean gro;
  private final int receiveBufferBytes;
  private final int sendBufferBytes;

  UdpSocket(
      NettyTransport transport,
      DatagramChannel channel,
      java.nio.channels.@Nullable DatagramChannel nio,
      DontFragment dontFragment,
      boolean gso,
      boolean gro,
      int receiveBufferBytes,
      int sendBufferBytes) {
    this.transport = transport;
    this.channel = channel;
    this.nio = nio;
    this.dontFragment = dontFragment;
    this.gso = gso;
    this.gro = gro;
    this.receiveBufferBytes = receiveBufferBytes;
    this.sendBufferBytes = sendBufferBytes;
  }

  /**
   * Opens a socket for {@code transport}, EPOLL or NIO.
   *
   * @throws IOException when there can be no socket
   */
  static UdpSocket open(NettyTransport transport, NettyDriverConfig config) throws IOException {
    InetAddress local = config.local().getAddress();
    // The wildcard stands for every address of the machine, as in the JDK: one dual-stack socket.
    boolean anyFamily = local.isAnyLocalAddress();
    boolean ipv4 = !anyFamily && local instanceof Inet4Address;
    try {
      return transport == NettyTransport.EPOLL
          ? NativeEpoll.open(config, family(anyFamily, ipv4))
          : openNio(config, anyFamily, ipv4);
    } catch (ChannelException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static @Nullable InternetProtocolFamily family(boolean any, boolean ipv4) {
    if (any) {
      return null;
    }
    return ipv4 ? InternetProtocolFamily.IPv4 : InternetProtocolFamily.IPv6;
  }

  private static UdpSocket openNio(NettyDriverConfig config, boolean anyFamily, boolean ipv4)
      throws IOException {
    SelectorProvider provider = SelectorProvider.provider();
    java.nio.channels.DatagramChannel nio =
        anyFamily
            ? provider.openDatagramChannel()
            : provider.openDatagramChannel(
                ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
    nio.setOption(StandardSocketOptions.SO_RCVBUF, config.socket().receiveBufferBytes());
    nio.setOption(StandardSocketOptions.SO_SNDBUF, config.socket().sendBufferBytes());
    return new UdpSocket(
        NettyTransport.NIO,
        new NioDatagramChannel(nio),
        nio,
        DontFragment.ofNio(nio),
        false,
        false,
        nio.getOption(StandardSocketOptions.SO_RCVBUF),
        nio.getOption(StandardSocketOptions.SO_SNDBUF));
  }

  /** Says once when the kernel granted far less than was asked for. */
  void logGrants(NettyDriverConfig config) {
    if (receiveBufferBytes < config.socket().receiveBufferBytes() / 2) {
      LOG.warn(
          "{}: the receive buffer is {} bytes instead of {}; bursts may be lost (raise"
              + " net.core.rmem_max)",
          channel.localAddress(),
          receiveBufferBytes,
          config.socket().receiveBufferBytes());
    }
    if (sendBufferBytes < config.socket().sendBufferBytes() / 2) {
      LOG.info(
          "{}: the send buffer is {} bytes instead of {} (see net.core.wmem_max)",
          channel.localAddress(),
          sendBufferBytes,
          config.socket().sendBufferBytes());
    }
  }

  /** Closes a socket that could not be bound. Any thread. */
  void discard() {
    if (channel.isRegistered()) {
      var unused = channel.close();
    } else {
      channel.unsafe().closeForcibly();
    }
  }

  /**
   * Whether the JDK's selector knows it: then closing it does not yet free the port. For the loop.
   */
  boolean isHeldBySelector() {
    return nio != null && nio.isRegistered();
  }

  NettyTransport transport() {
    return transport;
  }

  DatagramChannel channel() {
    return channel;
  }

  DontFragment dontFragment() {
    return dontFragment;
  }

  boolean gso() {
    return gso;
  }

  boolean gro() {
    return gro;
  }

  int receiveBufferBytes() {
    return receiveBufferBytes;
  }

  int sendBufferBytes() {
    return sendBufferBytes;
  }
}
