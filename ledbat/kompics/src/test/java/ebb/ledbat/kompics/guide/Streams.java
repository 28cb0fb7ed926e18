package ebb.ledbat.kompics.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import ebb.core.kompics.KompicsSystem;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.concurrent.CompletableFuture;

/** A stream from one socket to another, whose port is the argument; prints what arrives. */
final class Streams {
  private Streams() {}

  public static void main(String[] args) throws Exception {
    var there = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var in = new CompletableFuture<LedbatStreams.Accepted>();
    var out = new CompletableFuture<LedbatStreams.Connected>();
    try (var system =
        KompicsSystem.start(
            parts -> {
              var type = LedbatStreamsComponent.class;
              var server = parts.create(type, new LedbatStreamsComponent.Init(there));
              parts.on(server, LedbatStreams.class, LedbatStreams.Accepted.class, in::complete);
              var client = parts.create(type, new LedbatStreamsComponent.Init(any));
              parts.on(client, LedbatStreams.class, LedbatStreams.Connected.class, out::complete);
              return parts.into(client, LedbatStreams.class);
            })) {
      system.handle().accept(new LedbatStreams.Connect(LedbatStreams.newStreamId(), there));
      var stream = out.get().stream().block();
      stream.write(ByteBuffer.wrap("hello".getBytes(UTF_8)));
      stream.finish();
      in.get().stream().block().receiveTo(Channels.newChannel(System.out));
    }
  }
}
