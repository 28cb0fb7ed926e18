package ebb.ledbat.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Everything that needs Netty's epoll, which is an optional dependency: nothing here may be called
 * unless {@link EpollPresence#unavailability} returned null. No other classes but that one and
 * {@link SteeringFilter} name its types.
 */
final class NativeEpoll {
  private static final int SOL_SOCKET = 1;
  private static final int IPPROTO_IP = 0;
  private static final int IPPROTO_IPV6 = 41;

  /** IP_PMTUDISC_PROBE: sets DF and ignores the path MTU that the kernel believes in. */
  private static final int PROBE = 3;

  /** IP_PMTUDISC_DONT: never sets DF. */
  private static final int DONT = 0;

  private static final IntegerUnixChannelOption SO_SNDBUFFORCE =
      new IntegerUnixChannelOption("SO_SNDBUFFORCE", SOL_SOCKET, 32);
  private static final IntegerUnixChannelOption SO_RCVBUFFORCE =
      new IntegerUnixChannelOption("SO_RCVBUFFORCE", SOL_SOCKET, 33);
  private static final IntegerUnixChannelOption IP_MTU_DISCOVER =
      new IntegerUnixChannelOption("IP_MTU_DISCOVER", IPPROTO_IP, 10);
  private static final IntegerUnixChannelOption IPV6_MTU_DISCOVER =
      new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", IPPROTO_IPV6, 23);

  private NativeEpoll() {}

  static EventLoopGroup loops(int threads, ThreadFactory factory) {
    return new EpollEventLoopGroup(threads, factory);
  }

  /** An unbound socket; {@code family} null for both. */
  static UdpSocket open(NettyDriverConfig config, @Nullable InternetProtocolFamily family) {
    EpollDatagramChannel channel =
        family == null ? new EpollDatagramChannel() : new EpollDatagramChannel(family);
    if (config.socket().sharedPort()) {
      channel.config().setReusePort(true);
    }
    boolean gro = config.socket().gro() == Offload.AUTO && enableGro(channel);
    int receive =
        force(
            channel, SO_RCVBUFFORCE, ChannelOption.SO_RCVBUF, config.socket().receiveBufferBytes());
    int send =
        force(channel, SO_SNDBUFFORCE, ChannelOption.SO_SNDBUF, config.socket().sendBufferBytes());
    channel.config().setMaxDatagramPayloadSize(ReceiveBuffers.MAX_DATAGRAM_BYTES);
    return new UdpSocket(
        NettyTransport.EPOLL,
        channel,
        null,
        dontFragment(channel),
        config.socket().gso() == Offload.AUTO
            && EpollDatagramChannel.isSegmentedDatagramPacketSupported(),
        gro,
        receive,
        send);
  }

  /** Lets more sockets of this user bind the port of one that is bound. */
  static void sharePort(Channel channel) {
    ((EpollDatagramChannel) channel).config().setReusePort(true);
  }

  /** Has the kernel give each datagram to its loop; false where it cannot. */
  static boolean steer(Channel channel, int loops) {
    return SteeringFilter.attach(channel, loops);
  }

  /** The burst as one datagram that the kernel cuts up. */
  static Object segmented(Outgoing burst) {
    return new SegmentedDatagramPacket(
        burst.whole(), burst.transmit().segmentSizeBytes, burst.transmit().destination);
  }

  /** The negative errno of a failed system call; 0 when the cause is something else. */
  static int errno(Throwable cause) {
    return cause instanceof Errors.NativeIoException e ? e.expectedErr() : 0;
  }

  private static boolean enableGro(EpollDatagramChannel channel) {
    try {
      return channel.config().setOption(EpollChannelOption.UDP_GRO, true);
    } catch (ChannelException e) {
      return false;
    }
  }

  private static int force(
      EpollDatagramChannel channel,
      IntegerUnixChannelOption forced,
      ChannelOption<Integer> plain,
      int bytes) {
    try {
      // Goes beyond net.core.[rw]mem_max where CAP_NET_ADMIN allows it.
      channel.config().setOption(forced, bytes);
    } catch (ChannelException e) {
      channel.config().setOption(plain, bytes);
    }
    // Linux doubles what is asked for, for its own bookkeeping, and says so when asked.
    return channel.config().getOption(plain) / 2;
  }

  private static DontFragment dontFragment(EpollDatagramChannel channel) {
    return new DontFragment(
        value -> {
          // An IPv6 socket that also speaks IPv4 needs both, an IPv4 one refuses the second.
          boolean v4 = setInt(channel, IP_MTU_DISCOVER, value ? PROBE : DONT);
          boolean v6 = setInt(channel, IPV6_MTU_DISCOVER, value ? PROBE : DONT);
          return v4 || v6;
        });
  }

  private static boolean setInt(
      EpollDatagramChannel channel, IntegerUnixChannelOption option, int value) {
    try {
      return channel.config().setOption(option, value);
    } catch (ChannelException e) {
      return false;
    }
  }
}
