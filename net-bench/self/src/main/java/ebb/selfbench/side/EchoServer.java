package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.selfbench.process.Meter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/** Sends back what it gets: over LEDBAT, or datagram by datagram. */
final class EchoServer {
  private EchoServer() {}

  /** Arguments: address, mode, datagram size, "ebb" or "udp". */
  public static void main(String[] args) throws IOException, InterruptedException {
    BenchMode mode = BenchMode.valueOf(args[1]);
    Meter meter = new Meter();
    if (args[3].equals("ebb")) {
      AtomicReference<NettyDriver> driver = new AtomicReference<>();
      try (NettyDriver bound =
          NettyDriver.bind(
              mode.config(new InetSocketAddress(args[0], 0)),
              Sides.config(Integer.parseInt(args[2])),
              new UnpredictableRandom(),
              new EndpointListener() {
                @Override
                public void onAccepted(LedbatConnection connection) {
                  connection.setListener(new Echo(driver, meter));
                }
              })) {
        driver.set(bound);
        System.out.println("PORT " + bound.localAddress().getPort());
        meter.serve();
      }
    } else {
      RawSocket socket = new RawSocket(mode);
      Channel channel = socket.bind(socket.bootstrap().handler(new DatagramEcho(meter)), args[0]);
      System.out.println("PORT " + ((InetSocketAddress) channel.localAddress()).getPort());
      meter.serve();
      socket.close();
    }
  }

  private static final class Echo implements ConnectionListener {
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 16);
    private final AtomicReference<NettyDriver> driver;
    private final Meter meter;

    Echo(AtomicReference<NettyDriver> driver, Meter meter) {
      this.driver = driver;
      this.meter = meter;
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      NettyDriver current = driver.get();
      if (current != null) {
        long now = current.nowMicros();
        scratch.clear();
        meter.add(connection.read(scratch, now));
        connection.write(scratch.flip(), now);
      }
    }
  }

  private static final class DatagramEcho extends ChannelInboundHandlerAdapter {
    private final Meter meter;

    DatagramEcho(Meter meter) {
      this.meter = meter;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof DatagramPacket datagram) {
        meter.add(datagram.content().readableBytes());
        var unused =
            context.writeAndFlush(
                new DatagramPacket(datagram.content().retain(), datagram.sender()));
      }
      ReferenceCountUtil.release(message);
    }
  }
}
