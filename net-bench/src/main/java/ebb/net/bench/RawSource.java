package ebb.net.bench;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * The raw ceiling: as many datagrams as the loop can send for a while, with no protocol at all.
 * What counts is what arrives; the rest is lost where the receiver is the slower side.
 */
final class RawSource {
  private static final int MAX_SEGMENTS = 64;
  private static final int MAX_BURST_BYTES = 65_000;
  private static final int BURSTS_PER_TURN = 16;

  /** What arrived. */
  record Outcome(long bytesSent, long bytesReceived, long nanos) {
    double megabytesPerSecond() {
      return nanos == 0 ? 0 : bytesReceived * 1e3 / nanos;
    }
  }

  private final RawSocket socket;
  private final Channel channel;
  private final InetSocketAddress to;
  private final int datagramBytes;
  private final ByteBuf burst;
  private final long endNanos;
  private long bytesSent;

  private RawSource(
      RawSocket socket, Channel channel, InetSocketAddress to, int datagramBytes, long endNanos) {
    this.socket = socket;
    this.channel = channel;
    this.to = to;
    this.datagramBytes = datagramBytes;
    this.endNanos = endNanos;
    int segments = Math.min(MAX_SEGMENTS, MAX_BURST_BYTES / datagramBytes);
    burst =
        channel.alloc().directBuffer(segments * datagramBytes).writeZero(segments * datagramBytes);
  }

  /** Sends for {@code millis} to a receiver in another process. */
  static Outcome run(BenchMode mode, int datagramBytes, long millis) {
    RawSocket socket = new RawSocket(mode);
    try (ChildJvm child = new ChildJvm(RawSink.class, mode.name())) {
      int port = (int) child.await("PORT")[0];
      Channel channel = socket.bind(socket.bootstrap().handler(new ChannelInboundHandlerAdapter()));
      RawSource source =
          new RawSource(
              socket,
              channel,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
              datagramBytes,
              System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
      while (channel.eventLoop().submit(source::sendSome).get()) {
        // A turn at a time, so that the loop sees to its channel in between.
      }
      child.endInput();
      long[] received = child.await("RECEIVED");
      source.burst.release();
      return new Outcome(source.bytesSent, received[0], received[1]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EbbException(ExitCode.INCOMPLETE, "interrupted", e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new EbbException(ExitCode.INTERNAL, "raw sending failed: " + e.getCause(), e);
    } finally {
      socket.close();
    }
  }

  private boolean sendSome() {
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
      bytesSent += burst.readableBytes();
    }
    return System.nanoTime() < endNanos;
  }
}
