package ebb.ledbat.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams of other protocols that wait to be sent, bounded in bytes. {@link #offer} is
 * thread-safe, the rest is for the loop.
 */
final class ForeignQueue {
  /** Largest payload that is sent with DF on; every IPv6 link carries it. */
  private static final int SMALL_BYTES = 1_200;

  /** What a queued datagram costs beside its bytes. */
  private static final int OVERHEAD_BYTES = 256;

  private record Waiting(
      InetSocketAddress to, ByteBuf bytes, int costBytes, CompletableFuture<Void> done) {}

  private final int maxBytes;
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private int queuedBytes;
  private long refused;
  private boolean closed;

  ForeignQueue(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes over {@code bytes}; a future that has failed already says that it was refused. */
  CompletableFuture<Void> offer(InetSocketAddress to, ByteBuf bytes) {
    int cost = bytes.readableBytes() + OVERHEAD_BYTES;
    String problem = null;
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (queue) {
      if (closed) {
        problem = "the socket is closed";
      } else if (!bytes.isReadable()) {
        problem = "an empty datagram cannot be sent";
      } else if (queuedBytes + cost > maxBytes) {
        refused++;
        problem = "too many datagrams wait to be sent";
      } else {
        queuedBytes += cost;
        queue.add(new Waiting(to, bytes, cost, done));
      }
    }
    if (problem != null) {
      bytes.release();
      done.completeExceptionally(new IOException(problem));
    }
    return done;
  }

  long refused() {
    synchronized (queue) {
      return refused;
    }
  }

  /** Writes what the channel takes; false when some have to wait for it. */
  boolean sendTo(BurstWriter writer, DriverCounts counters) {
    for (Waiting next = peek(); next != null; next = peek()) {
      // Applications' datagrams may be of any size: larger ones are left to IP to fragment.
      boolean small = next.bytes.readableBytes() <= SMALL_BYTES;
      if (!writer.canSendForeign(next.to, small)) {
        return false;
      }
      synchronized (queue) {
        queue.poll();
      }
      counters.foreignOut++;
      send(writer, next, small);
    }
    return true;
  }

  private @Nullable Waiting peek() {
    synchronized (queue) {
      return queue.peek();
    }
  }

  private void send(BurstWriter writer, Waiting next, boolean withDontFragment) {
    int length = next.bytes.readableBytes();
    var unused =
        writer
            .sendForeign(new DatagramPacket(next.bytes, next.to), withDontFragment)
            .addListener(
                sent -> {
                  synchronized (queue) {
                    queuedBytes -= next.costBytes;
                  }
                  complete(next, length, sent.cause());
                });
  }

  private static void complete(Waiting sent, int length, @Nullable Throwable cause) {
    if (cause == null) {
      sent.done.complete(null);
    } else if (SendFailure.of(cause) == SendFailure.TOO_LARGE) {
      sent.done.completeExceptionally(
          new IOException("a datagram of " + length + " bytes is too large", cause));
    } else {
      sent.done.completeExceptionally(
          new IOException("cannot send to " + sent.to + ": " + cause.getMessage(), cause));
    }
  }

  void close() {
    Waiting[] left;
    synchronized (queue) {
      closed = true;
      left = queue.toArray(new Waiting[0]);
      queue.clear();
    }
    for (Waiting waiting : left) {
      waiting.bytes.release();
      waiting.done.completeExceptionally(new IOException("the socket is closed"));
    }
  }
}
