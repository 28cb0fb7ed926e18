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
import java.util.Optional;

/**
 * What the kernel's TCP says that Netty does not read, of {@code struct tcp_info} (Linux 4.10):
 * what it waited for ({@code tcpi_busy_time}, {@code tcpi_rwnd_limited}, {@code
 * tcpi_sndbuf_limited}) and what was acknowledged.
 *
 * @param limits since the connection began
 * @param ackedBytes since the connection began, without a hole
 * @param behindHolesBytes acknowledged besides (SACK), as far as segments are whole ones: in order
 *     they would all count in the moment when the hole is filled
 * @param incoming what came, read by this process or not
 */
record TcpChronograph(Limits limits, long ackedBytes, long behindHolesBytes, Incoming incoming) {
  /**
   * Counts of a receiver since the connection began.
   *
   * @param inOrderBytes bytes in order
   * @param segments 32 bits
   * @param outOfOrder segments that came out of order, 32 bits; 0 before Linux 5.4
   * @param segmentBytes of a whole one
   */
  record Incoming(long inOrderBytes, int segments, int outOfOrder, int segmentBytes) {}

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;

  /** Offsets in {@code struct tcp_info} of linux/tcp.h, which only ever grows at its end. */
  private static final int SEGMENT_AT = 16;

  private static final int PEER_SEGMENT_AT = 20;
  private static final int SACKED_AT = 28;
  private static final int BYTES_ACKED_AT = 120;
  private static final int BYTES_RECEIVED_AT = 128;

  private static final int SEGMENTS_IN_AT = 152;
  private static final int BUSY_AT = 168;

  private static final int PEER_WINDOW_AT = 176;
  private static final int SEND_BUFFER_AT = 184;
  private static final int OUT_OF_ORDER_AT = 224;
  private static final int BYTES = 228;

  private static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, BYTES);

  /** Nothing where the kernel cannot say. On the channel's loop. */
  static Optional<TcpChronograph> of(Channel channel) {
    if (!(channel instanceof EpollSocketChannel)) {
      return Optional.empty();
    }
    ByteBuffer info;
    try {
      info = channel.config().getOption(OPTION);
    } catch (ChannelException closed) {
      return Optional.empty();
    }
    if (info == null || info.capacity() < BYTES) {
      return Optional.empty();
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
    return Optional.of(
        new TcpChronograph(
            new Limits(micros),
            info.getLong(BYTES_ACKED_AT),
            (long) info.getInt(SACKED_AT) * info.getInt(SEGMENT_AT),
            new Incoming(
                info.getLong(BYTES_RECEIVED_AT),
                info.getInt(SEGMENTS_IN_AT),
                info.getInt(OUT_OF_ORDER_AT),
                info.getInt(PEER_SEGMENT_AT))));
  }
}
