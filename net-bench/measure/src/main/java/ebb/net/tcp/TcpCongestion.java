package ebb.net.tcp;

import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The kernel's congestion control of one TCP socket: {@code TCP_CONGESTION} of tcp(7). */
public final class TcpCongestion {
  /** The name for "whatever this kernel takes". */
  public static final String KERNELS_OWN = "default";

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_CONGESTION = 13;

  /** {@code TCP_CA_NAME_MAX}, with the NUL at the end. */
  private static final int NAME_BYTES = 16;

  private static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, NAME_BYTES);

  private TcpCongestion() {}

  /**
   * Chooses it, before the connection or later.
   *
   * @throws IllegalArgumentException when the kernel does not have it or may not give it; the
   *     message is one line
   */
  public static void set(Channel channel, String name) {
    if (name.equals(KERNELS_OWN)) {
      return;
    }
    byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
    if (ascii.length == 0 || ascii.length >= NAME_BYTES) {
      throw new IllegalArgumentException("no TCP congestion control is named \"" + name + "\"");
    }
    if (!(channel instanceof EpollSocketChannel)) {
      throw new IllegalArgumentException(
          "TCP congestion control can be chosen on Linux only; \"default\" takes the system's own");
    }
    ByteBuffer value = ByteBuffer.allocate(NAME_BYTES).put(ascii);
    value.clear();
    try {
      channel.config().setOption(OPTION, value);
    } catch (RuntimeException refused) {
      throw new IllegalArgumentException(
          "this kernel has no TCP congestion control \""
              + name
              + "\" or does not let this user have it (sysctl"
              + " net.ipv4.tcp_available_congestion_control, tcp_allowed_congestion_control)",
          refused);
    }
  }

  /** Which one sockets have that choose none; unknown where the system cannot tell. */
  public static Optional<String> kernelsOwn() {
    if (!Epoll.isAvailable()) {
      return Optional.empty();
    }
    EpollSocketChannel channel = new EpollSocketChannel();
    try {
      return of(channel);
    } finally {
      channel.unsafe().closeForcibly();
    }
  }

  /** Which one the socket has; unknown where the system cannot tell. */
  public static Optional<String> of(Channel channel) {
    if (!(channel instanceof EpollSocketChannel)) {
      return Optional.empty();
    }
    ByteBuffer value = channel.config().getOption(OPTION);
    if (value == null) {
      return Optional.empty();
    }
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return Optional.of(new String(bytes, 0, end, StandardCharsets.US_ASCII));
  }

  /**
   * Tries a name on a socket that goes nowhere.
   *
   * @throws IllegalArgumentException as {@link #set}
   */
  public static void check(String name) {
    if (name.equals(KERNELS_OWN)) {
      return;
    }
    if (!Epoll.isAvailable()) {
      throw new IllegalArgumentException(
          "TCP congestion control can be chosen on Linux with native epoll only; \"default\" takes"
              + " the system's own");
    }
    EpollSocketChannel channel = new EpollSocketChannel();
    try {
      set(channel, name);
    } finally {
      channel.unsafe().closeForcibly();
    }
  }
}
