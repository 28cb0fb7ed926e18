package ebb.net.tcp;

import ebb.net.flow.Column;
import ebb.net.flow.FlowFigures;
import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.util.Map;
import java.util.Optional;

/** What the kernel says of a TCP connection: {@code TCP_INFO} of tcp(7). */
final class TcpInfo {
  private TcpInfo() {}

  /** Now; nothing where the kernel cannot be asked. On the channel's loop. */
  static Optional<FlowFigures> of(Channel channel) {
    if (!(channel instanceof EpollSocketChannel epoll) || !epoll.isActive()) {
      return Optional.empty();
    }
    EpollTcpInfo info = epoll.tcpInfo();
    return Optional.of(
        new FlowFigures(
            Map.of(
                Column.CWND,
                info.sndCwnd() * info.sndMss(),
                Column.RTT,
                info.rtt(),
                Column.RETRANSMITTED,
                info.totalRetrans()),
            TcpChronograph.of(channel),
            "application"));
  }
}
