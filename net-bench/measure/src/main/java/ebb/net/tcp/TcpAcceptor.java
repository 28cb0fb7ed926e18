package ebb.net.tcp;

import ebb.net.flow.Latencies;
import ebb.net.mechanism.FlowAcceptor;
import ebb.net.mechanism.ServerPlace;
import ebb.net.mechanism.ServerSession;
import ebb.net.mechanism.ServiceMark;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/** Takes the connections to the server's port that belong to sessions of TCP. */
final class TcpAcceptor implements FlowAcceptor {
  private final ServerPlace place;

  TcpAcceptor(ServerPlace place) {
    this.place = place;
  }

  @Override
  public int port() {
    return place.local().getPort();
  }

  @Override
  public boolean accept(Channel channel, ServerSession session, boolean down) {
    TcpEnd end =
        new TcpEnd(
            channel,
            session.spec(),
            down,
            session.clock(),
            new Latencies(),
            place.loop(),
            StreamEnding.atServer(session.spec()));
    if (!session.add(end, down)) {
      return false;
    }
    ServiceMark.of(session.spec())
        .ifPresent(tos -> channel.config().setOption(ChannelOption.IP_TOS, tos));
    channel.pipeline().addLast(end);
    return true;
  }
}
