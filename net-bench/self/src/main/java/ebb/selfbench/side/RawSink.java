package ebb.selfbench.side;

import ebb.selfbench.process.Meter;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The receiving process of the raw ceiling: counts the bytes that Netty hands over. */
final class RawSink extends ChannelInboundHandlerAdapter {
  private final Meter meter = new Meter();

  private RawSink() {}

  /** Arguments: address, mode. */
  public static void main(String[] args) throws IOException, InterruptedException {
    BenchMode mode = BenchMode.valueOf(args[1]);
    RawSink sink = new RawSink();
    RawSocket socket = new RawSocket(mode);
    int buffer = mode == BenchMode.EPOLL ? 64 * RawSocket.PLAIN_DATAGRAM_BYTES : 1 << 16;
    Bootstrap bootstrap =
        socket
            .bootstrap()
            .option(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(buffer))
            .handler(sink);
    Channel channel = socket.bind(bootstrap, args[0]);
    System.out.println("PORT " + ((InetSocketAddress) channel.localAddress()).getPort());
    sink.meter.serve();
    socket.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof DatagramPacket datagram) {
      meter.add(datagram.content().readableBytes());
    }
    ReferenceCountUtil.release(message);
  }
}
