package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.selfbench.process.Meter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Sends small messages at a pace to an {@link EchoServer}, and times their return. */
final class EchoClient {
  private EchoClient() {}

  /** Arguments: address, mode, datagram size, "ebb" or "udp", messages a second, the server's. */
  public static void main(String[] args) throws IOException, InterruptedException {
    BenchMode mode = BenchMode.valueOf(args[1]);
    int perSecond = Integer.parseInt(args[4]);
    InetSocketAddress to = new InetSocketAddress(args[5], Integer.parseInt(args[6]));
    Meter meter = new Meter();
    RoundTrips trips = new RoundTrips();
    trips.tell(meter);
    if (args[3].equals("ebb")) {
      try (NettyDriver driver =
          NettyDriver.bind(
              mode.config(new InetSocketAddress(args[0], 0)),
              Sides.config(Integer.parseInt(args[2])),
              new UnpredictableRandom(),
              new EndpointListener() {})) {
        Stream stream = new Stream(driver, trips, meter, perSecond);
        driver.execute((endpoint, now) -> endpoint.connect(to, stream, now));
        meter.serve();
      }
    } else {
      RawSocket socket = new RawSocket(mode);
      Channel channel =
          socket.bind(socket.bootstrap().handler(new Datagrams(trips, meter)), args[0]);
      System.out.println("CONNECTED");
      ByteBuf message =
          channel
              .alloc()
              .directBuffer(RoundTrips.MESSAGE_BYTES)
              .writeZero(RoundTrips.MESSAGE_BYTES);
      Runnable send =
          () -> {
            var unused =
                channel.writeAndFlush(
                    new DatagramPacket(message.retainedDuplicate(), to), channel.voidPromise());
          };
      trips.start(perSecond, () -> channel.eventLoop().execute(send));
      meter.serve();
      socket.close();
    }
  }

  /** Messages are so many bytes of the stream each. */
  private static final class Stream implements ConnectionListener {
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 16);
    private final ByteBuffer message = ByteBuffer.allocateDirect(RoundTrips.MESSAGE_BYTES);
    private final NettyDriver driver;
    private final RoundTrips trips;
    private final Meter meter;
    private final int perSecond;
    private int rest;

    Stream(NettyDriver driver, RoundTrips trips, Meter meter, int perSecond) {
      this.driver = driver;
      this.trips = trips;
      this.meter = meter;
      this.perSecond = perSecond;
    }

    @Override
    public void onConnected(LedbatConnection connection) {
      System.out.println("CONNECTED");
      trips.start(
          perSecond,
          () ->
              driver.execute(
                  (endpoint, now) -> {
                    message.clear();
                    connection.write(message, now);
                  }));
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      scratch.clear();
      int n = connection.read(scratch, driver.nowMicros());
      meter.add(n);
      for (rest += n; rest >= RoundTrips.MESSAGE_BYTES; rest -= RoundTrips.MESSAGE_BYTES) {
        trips.returned();
      }
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      System.out.println("FAILED connection ended: " + reason);
    }
  }

  private static final class Datagrams extends ChannelInboundHandlerAdapter {
    private final RoundTrips trips;
    private final Meter meter;

    Datagrams(RoundTrips trips, Meter meter) {
      this.trips = trips;
      this.meter = meter;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof DatagramPacket datagram) {
        meter.add(datagram.content().readableBytes());
        trips.returned();
      }
      ReferenceCountUtil.release(message);
    }
  }
}
