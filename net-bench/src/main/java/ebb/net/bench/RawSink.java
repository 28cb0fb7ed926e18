package ebb.net.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/** The receiving process of the raw ceiling: counts the bytes that Netty hands over. */
final class RawSink extends ChannelInboundHandlerAdapter {
  private long bytes;
  private long firstNanos;
  private long lastNanos;
  private long cpuAtStart;

  private RawSink() {}

  /** Argument: mode. */
  public static void main(String[] args) throws IOException, InterruptedException {
    BenchMode mode = BenchMode.valueOf(args[0]);
    RawSink sink = new RawSink();
    RawSocket socket = new RawSocket(mode);
    int buffer = mode == BenchMode.EPOLL ? 64 * RawSocket.PLAIN_DATAGRAM_BYTES : 1 << 16;
    Bootstrap bootstrap =
        socket
            .bootstrap()
            .option(
                io.netty.channel.ChannelOption.RCVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(buffer))
            .handler(sink);
    Channel channel = socket.bind(bootstrap);
    System.out.println("PORT " + ((java.net.InetSocketAddress) channel.localAddress()).getPort());
    while (System.in.read() >= 0) {
      // Until the sender has sent enough.
    }
    channel.eventLoop().submit(sink::report).sync();
    socket.close();
  }

  private void report() {
    System.out.println(
        "RECEIVED " + bytes + " " + (lastNanos - firstNanos) + " " + (Cpu.nanos() - cpuAtStart));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof DatagramPacket datagram) {
      if (bytes == 0) {
        firstNanos = System.nanoTime();
        cpuAtStart = Cpu.nanos();
      }
      bytes += datagram.content().readableBytes();
    }
    ReferenceCountUtil.release(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    lastNanos = System.nanoTime();
  }
}
