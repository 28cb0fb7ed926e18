package ebb.background;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What Linux lets a socket's owner see and set. The only class that names types of Netty's epoll,
 * which is an optional dependency: {@link #of} returns null without it.
 */
final class KernelTcp {
  private static final int IPPROTO_TCP = 6;
  private static final RawUnixChannelOption TCP_INFO =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, 11, TcpSnapshot.BYTES);
  private static final IntegerUnixChannelOption TCP_WINDOW_CLAMP =
      new IntegerUnixChannelOption("TCP_WINDOW_CLAMP", IPPROTO_TCP, 10);
  private static final IntegerUnixChannelOption TCP_QUICKACK =
      new IntegerUnixChannelOption("TCP_QUICKACK", IPPROTO_TCP, 12);
  private static final IntegerUnixChannelOption TCP_NOTSENT_LOWAT =
      new IntegerUnixChannelOption("TCP_NOTSENT_LOWAT", IPPROTO_TCP, 25);

  private final EpollSocketChannel channel;

  private KernelTcp(EpollSocketChannel channel) {
    this.channel = channel;
  }

  /** Null where the kernel's view is out of reach. */
  static @Nullable KernelTcp of(Channel channel) {
    try {
      return Epoll.isAvailable() && channel instanceof EpollSocketChannel tcp
          ? new KernelTcp(tcp)
          : null;
    } catch (NoClassDefFoundError missing) {
      return null;
    }
  }

  /** Null when the kernel does not say. */
  @Nullable TcpSnapshot snapshot() {
    try {
      ByteBuffer info = channel.config().getOption(TCP_INFO);
      return info == null ? null : TcpSnapshot.parse(info);
    } catch (ChannelException e) {
      return null;
    }
  }

  /** Bounds what may be on its way to this host; false when the kernel has no such bound. */
  boolean clamp(int bytes) {
    return set(TCP_WINDOW_CLAMP, bytes);
  }

  /** Has the kernel say now what it would say a little later: what arrived, and the window. */
  void acknowledge() {
    set(TCP_QUICKACK, 1);
  }

  /** What is the bound now, after auto-tuning; 0 when the kernel does not say. */
  int clamp() {
    try {
      Integer found = channel.config().getOption(TCP_WINDOW_CLAMP);
      return found == null ? 0 : found;
    } catch (ChannelException e) {
      return 0;
    }
  }

  /** The socket is writable while less than this waits unsent. */
  boolean unsentLowWater(int bytes) {
    return set(TCP_NOTSENT_LOWAT, bytes);
  }

  private boolean set(IntegerUnixChannelOption option, int value) {
    try {
      return channel.config().setOption(option, value);
    } catch (ChannelException e) {
      return false;
    }
  }
}
