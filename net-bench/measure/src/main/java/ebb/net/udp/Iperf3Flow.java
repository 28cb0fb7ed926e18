package ebb.net.udp;

import ebb.net.flow.FlowEnd;
import ebb.net.flow.Latencies;
import ebb.net.mechanism.ServerSession;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The server's end of one iperf3 client's flow of datagrams, on a socket of its own. */
final class Iperf3Flow {
  private final ServerSession session;
  private final InetSocketAddress from;
  private final boolean down;
  private final UdpFormat.Iperf3Format format;
  private @Nullable UdpReceiverEnd receiver;

  Iperf3Flow(ServerSession session, InetSocketAddress from, boolean down) {
    this.session = session;
    this.from = from;
    this.down = down;
    format = UdpFormat.iperf3(session.spec());
  }

  FlowEnd begin(UdpSocket socket) {
    if (down) {
      return new UdpSenderEnd(
          socket,
          session.spec(),
          format,
          from,
          session.clock(),
          LongUnaryOperator.identity(),
          new Latencies());
    }
    UdpReceiverEnd made =
        new UdpReceiverEnd(
            socket, session.spec(), 0, from, session.clock(), LongUnaryOperator.identity());
    receiver = made;
    return made;
  }

  void onDatagram(ByteBuf in, int at, int length, InetSocketAddress sender) {
    UdpReceiverEnd taking = receiver;
    if (taking != null && sender.equals(from)) {
      taking.onIperf3(in, at, length, format);
    }
  }
}
