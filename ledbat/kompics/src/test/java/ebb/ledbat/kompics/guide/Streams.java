package ebb.ledbat.kompics.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import ebb.core.kompics.KompicsSystem;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/** A stream from one socket to another, whose port is the argument; prints what arrives. */
final class Streams {
  private Streams() {}

  public static void main(String[] args) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    var there = new InetSocketAddress(here, Integer.parseInt(args[0]));
    var done = new CountDownLatch(1);
    long id = LedbatStreams.newStreamId();
    try (var system =
        KompicsSystem.start(
            parts -> {
              var server = parts.create(LedbatStreamsComponent.class, init(there));
              var ask = parts.into(server, LedbatStreams.class);
              parts.on(
                  server,
                  LedbatStreams.class,
                  LedbatStreams.Accepted.class,
                  e -> ask.accept(new LedbatStreams.Demand(e.streamId(), 1_000_000)));
              parts.on(
                  server,
                  LedbatStreams.class,
                  LedbatStreams.Data.class,
                  e -> System.out.println(UTF_8.decode(e.bytes().duplicate())));
              parts.on(
                  server,
                  LedbatStreams.class,
                  LedbatStreams.PeerFinished.class,
                  e -> done.countDown());
              var client =
                  parts.create(LedbatStreamsComponent.class, init(new InetSocketAddress(here, 0)));
              var say = parts.into(client, LedbatStreams.class);
              parts.on(
                  client,
                  LedbatStreams.class,
                  LedbatStreams.Connected.class,
                  e -> {
                    say.accept(
                        new LedbatStreams.Write(id, ByteBuffer.wrap("hello".getBytes(UTF_8))));
                    say.accept(new LedbatStreams.Finish(id));
                  });
              return say;
            },
            Throwable::printStackTrace)) {
      system.handle().accept(new LedbatStreams.Connect(id, there));
      done.await();
    }
  }

  private static LedbatStreamsComponent.Init init(InetSocketAddress local) {
    return new LedbatStreamsComponent.Init(local, LedbatConfig.defaults(), DriverFactory.netty());
  }
}
