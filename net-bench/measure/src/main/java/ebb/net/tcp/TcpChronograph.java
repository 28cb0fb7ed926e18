package ebb.net.tcp;

import ebb.net.flow.Limits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the kernel's TCP says it waited for: {@code tcpi_busy_time}, {@code tcpi_rwnd_limited} and
 * {@code tcpi_sndbuf_limited} of {@code struct tcp_info} (Linux 4.10), which Netty does not read.
 */
final class TcpChronograph {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;

  /** Offsets in {@code struct tcp_info} of linux/tcp.h, which only ever grows at its end. */
  private static final int BUSY_AT = 168;

  private static final int PEER_WINDOW_AT = 176;
  private static final int SEND_BUFFER_AT = 184;
  private static final int BYTES = 192;

  private static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, BYTES);

  private TcpChronograph() {}

  /**
   * Since the connection began; nothing known where the kernel cannot say. On the channel's loop.
   */
  static Limits of(Channel channel) {
    if (!(channel instanceof EpollSocketChannel)) {
      return Limits.NONE;
    }
    ByteBuffer info;
    try {
      info = channel.config().getOption(OPTION);
    } catch (ChannelException closed) {
      return Limits.NONE;
    }
    if (info == null || info.capacity() < BYTES) {
      return Limits.NONE;
    }
    info.order(ByteOrder.nativeOrder());
    long busy = info.getLong(BUSY_AT);
    long peerWindow = info.getLong(PEER_WINDOW_AT);
    long sendBuffer = info.getLong(SEND_BUFFER_AT);
    Map<String, Long> micros = new LinkedHashMap<>();
    // With data to send and neither bound: what is in flight may not be more, or is being sent.
    micros.put("cwnd", Math.max(0, busy - peerWindow - sendBuffer));
    micros.put("peer window", peerWindow);
    micros.put("send buffer", sendBuffer);
    return new Limits(micros);
  }
}
