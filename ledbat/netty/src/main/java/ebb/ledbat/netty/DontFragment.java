package ebb.ledbat.netty;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket's "don't fragment" state. Path MTU probing needs it on: without it a probe that is too
 * large arrives in pieces and proves nothing. Used on the loop.
 */
final class DontFragment {
  private static final int IPPROTO_IP = 0;
  private static final int IPPROTO_IPV6 = 41;
  private static final IntegerUnixChannelOption IP_MTU_DISCOVER =
      new IntegerUnixChannelOption("IP_MTU_DISCOVER", IPPROTO_IP, 10);
  private static final IntegerUnixChannelOption IPV6_MTU_DISCOVER =
      new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", IPPROTO_IPV6, 23);

  /** IP_PMTUDISC_PROBE: sets DF and ignores the path MTU that the kernel believes in. */
  private static final int PROBE = 3;

  /** IP_PMTUDISC_DONT: never sets DF. */
  private static final int DONT = 0;

  /** Sets the socket's option; false when it has none. */
  @FunctionalInterface
  private interface Setter {
    boolean set(boolean on);
  }

  private final Setter setter;
  private final boolean supported;
  private boolean on;

  private DontFragment(Setter setter) {
    this.setter = setter;
    supported = setter.set(true);
    on = supported;
  }

  static DontFragment ofEpoll(EpollDatagramChannel channel) {
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

  static DontFragment ofNio(DatagramChannel channel) {
    SocketOption<Boolean> option = jdkOption();
    return new DontFragment(
        value -> {
          if (option == null) {
            return false;
          }
          try {
            channel.setOption(option, value);
            return true;
          } catch (IOException | UnsupportedOperationException e) {
            return false;
          }
        });
  }

  /** IP_DONTFRAGMENT came with JDK 19, and this code is compiled for 17. */
  @SuppressWarnings("unchecked") // jdk.net documents its type
  private static @Nullable SocketOption<Boolean> jdkOption() {
    try {
      Class<?> options = Class.forName("jdk.net.ExtendedSocketOptions");
      return (SocketOption<Boolean>) options.getField("IP_DONTFRAGMENT").get(null);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Whether this socket can set DF at all. */
  boolean supported() {
    return supported;
  }

  boolean isOn() {
    return on;
  }

  /** Whether {@link #set} would have to change anything. */
  boolean needsChange(boolean wanted) {
    return supported && wanted != on;
  }

  void set(boolean wanted) {
    if (needsChange(wanted) && setter.set(wanted)) {
      on = wanted;
    }
  }
}
