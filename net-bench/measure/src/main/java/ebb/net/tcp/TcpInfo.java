package ebb.net.tcp;

import ebb.background.BackgroundStats;
import ebb.background.BackgroundTcp;
import ebb.background.SteeringWay;
import ebb.net.flow.Column;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.Limits;
import ebb.net.ledbat.LedbatColumns;
import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What the kernel says of a TCP connection: {@code TCP_INFO} of tcp(7). */
final class TcpInfo {
  private TcpInfo() {}

  /** What a receiver that steers knows: its window, and the path's round trips. */
  private static Map<Column, Long> seen(BackgroundStats incoming) {
    return Map.of(
        Column.CWND,
        incoming.windowBytes(),
        Column.RTT,
        incoming.rttMicros(),
        LedbatColumns.BASE_DELAY,
        incoming.baseRttMicros(),
        LedbatColumns.QUEUING_DELAY,
        incoming.queueMicros(),
        LedbatColumns.MIN_RTT,
        incoming.baseRttMicros());
  }

  private static long arrived(TcpChronograph.Incoming now, BehindHoles holes) {
    return holes.arrived(now.inOrderBytes(), now.segments(), now.outOfOrder(), now.segmentBytes());
  }

  /** The flow begins: what came before were words about it. On the channel's loop. */
  static void begin(Channel channel, BehindHoles holes) {
    TcpChronograph.of(channel)
        .map(TcpChronograph::incoming)
        .ifPresent(now -> holes.begin(now.inOrderBytes(), now.segments(), now.outOfOrder()));
  }

  /** Now; nothing where the kernel cannot be asked. On the channel's loop. */
  static Optional<FlowFigures> of(Channel channel, boolean receiving, BehindHoles holes) {
    if (!(channel instanceof EpollSocketChannel epoll) || !epoll.isActive()) {
      return Optional.empty();
    }
    EpollTcpInfo info = epoll.tcpInfo();
    BackgroundTcp background = channel.pipeline().get(BackgroundTcp.class);
    BackgroundStats incoming = background == null ? null : background.incoming();
    if (incoming != null && incoming.way() == SteeringWay.WINDOW_CLAMP && receiving) {
      Map<Column, Long> values = new LinkedHashMap<>(seen(incoming));
      TcpChronograph.of(channel)
          .ifPresent(known -> values.put(Column.RECEIVED, arrived(known.incoming(), holes)));
      return Optional.of(new FlowFigures(values, Limits.NONE, null));
    }
    Map<Column, Long> values = new LinkedHashMap<>();
    if (!receiving) {
      // Who only takes data has a window and a round trip of its own, which nothing ever measured.
      values.put(Column.CWND, info.sndCwnd() * info.sndMss());
      values.put(Column.RTT, info.rtt());
      values.put(Column.RETRANSMITTED, info.totalRetrans());
    }
    Optional<TcpChronograph> more = TcpChronograph.of(channel);
    more.ifPresent(
        known ->
            values.put(
                receiving ? Column.RECEIVED : Column.ACKED,
                receiving
                    ? arrived(known.incoming(), holes)
                    : known.ackedBytes() + known.behindHolesBytes()));
    Limits limits = more.map(TcpChronograph::limits).orElse(Limits.NONE);
    return Optional.of(new FlowFigures(values, limits, "application"));
  }
}
