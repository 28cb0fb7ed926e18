package ebb.selfbench.side;

import ebb.selfbench.process.Meter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * The sending process of the raw ceiling: as many datagrams as the loop can send, with no protocol
 * at all. What counts is what arrives; the rest is lost where the receiver is the slower side.
 */
final class RawSource {
  private static final int MAX_SEGMENTS = 64;
  private static final int MAX_BURST_BYTES = 65_000;
  private static final int BURSTS_PER_TURN = 16;

  private final Meter meter = new Meter();
  private final RawSocket socket;
  private final Channel channel;
  private final InetSocketAddress to;
  private final int datagramBytes;
  private final ByteBuf burst;

  private RawSource(RawSocket socket, Channel channel, InetSocketAddress to, int datagramBytes) {
    this.socket = socket;
    this.channel = channel;
    this.to = to;
    this.datagramBytes = datagramBytes;
    int segments = Math.min(MAX_SEGMENTS, MAX_BURST_BYTES / datagramBytes);
    burst =
        channel.alloc().directBuffer(segments * datagramBytes).writeZero(segments * datagramBytes);
  }

  /** Arguments: address, mode, datagram size, the receiver's address and port. */
  public static void main(String[] args) throws IOException, InterruptedException {
    RawSocket socket = new RawSocket(BenchMode.valueOf(args[1]));
    Channel channel =
        socket.bind(socket.bootstrap().handler(new ChannelInboundHandlerAdapter()), args[0]);
    RawSource source =
        new RawSource(
            socket,
            channel,
            new InetSocketAddress(args[3], Integer.parseInt(args[4])),
            Integer.parseInt(args[2]));
    System.out.println("CONNECTED");
    channel.eventLoop().execute(source::sendForEver);
    source.meter.serve();
    socket.close();
  }

  /** A turn at a time, so that the loop sees to its channel in between. */
  private void sendForEver() {
    sendSome();
    if (!channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().execute(this::sendForEver);
    }
  }

  private void sendSome() {
    for (int i = 0; i < BURSTS_PER_TURN && channel.isWritable(); i++) {
      if (socket.offload()) {
        var unused =
            channel.writeAndFlush(
                new SegmentedDatagramPacket(burst.retainedDuplicate(), datagramBytes, to),
                channel.voidPromise());
      } else {
        for (int at = 0; at < burst.readableBytes(); at += datagramBytes) {
          var unused =
              channel.write(
                  new DatagramPacket(burst.retainedSlice(at, datagramBytes), to),
                  channel.voidPromise());
        }
        channel.flush();
      }
      meter.add(burst.readableBytes());
    }
  }
}
