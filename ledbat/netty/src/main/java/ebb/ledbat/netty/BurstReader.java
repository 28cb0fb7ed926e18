package ebb.ledbat.netty;

import ebb.ledbat.endpoint.LedbatEndpoint;
import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Joins datagrams that lie end to end, came from one peer and have one size into bursts, as the
 * kernel had them before Netty cut them up, and hands them to the engine; datagrams that are not
 * uTP go to the {@link ForeignDatagramHandler}. Used on the loop.
 */
final class BurstReader {
  /** The engine's side: a burst at a time. */
  interface Sink {
    void onBurst(InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes, int datagrams);

    void onForeign(ForeignDatagramHandler handler, InetSocketAddress from, ByteBuf datagram);
  }

  private final Sink sink;
  private final @Nullable ForeignDatagramHandler foreign;
  private final ReceiveBuffers buffers;

  private @Nullable InetSocketAddress sender;
  private int start;
  private int end;
  private int segmentSizeBytes;
  private boolean lastWasShort;

  BurstReader(
      ReceiveBuffers.Layout layout,
      int maxReads,
      io.netty.buffer.ByteBufAllocator allocator,
      Sink sink,
      @Nullable ForeignDatagramHandler foreign) {
    this.sink = sink;
    this.foreign = foreign;
    buffers = new ReceiveBuffers(layout, maxReads, allocator, this::flush);
  }

  ReceiveBuffers buffers() {
    return buffers;
  }

  /** Takes a datagram that Netty read into {@link #buffers()}; releases it. */
  void add(DatagramPacket datagram) {
    ByteBuf content = datagram.content();
    int length = content.readableBytes();
    int at = buffers.take(length);
    assert buffers.isAt(content, at) : "datagram not where it was expected";
    if (!continues(datagram.sender(), at, length)) {
      flush();
      sender = sameAsBefore(datagram.sender());
      start = at;
      segmentSizeBytes = length;
    }
    end = at + length;
    lastWasShort = length < segmentSizeBytes;
    // The bytes stay valid: the buffer itself is ours until it is used again.
    datagram.release();
  }

  private boolean continues(InetSocketAddress from, int at, int length) {
    return end > start
        && at == end
        && !lastWasShort
        && length > 0
        && length <= segmentSizeBytes
        && from.equals(sender);
  }

  private @Nullable InetSocketAddress lastSender;

  /** Mostly one peer sends many bursts; then one address object serves them all. */
  private InetSocketAddress sameAsBefore(InetSocketAddress from) {
    InetSocketAddress last = lastSender;
    if (last != null && last.equals(from)) {
      return last;
    }
    lastSender = from;
    return from;
  }

  /** Hands over what was joined so far. */
  void flush() {
    InetSocketAddress from = sender;
    if (from == null) {
      return;
    }
    sender = null;
    if (foreign == null) {
      deliver(from, start, end);
    } else {
      sort(foreign, from);
    }
    start = 0;
    end = 0;
  }

  /** GRO joins by address and size only, so a burst may hold datagrams of either kind. */
  private void sort(ForeignDatagramHandler handler, InetSocketAddress from) {
    ByteBuffer bytes = buffers.view(start, end);
    int limit = end;
    int utpFrom = start;
    int at = start;
    do {
      int next = Math.min(limit, at + segmentSizeBytes);
      if (next == at || !LedbatEndpoint.looksLikeUtp(bytes.get(at))) {
        if (at > utpFrom) {
          deliver(from, utpFrom, at);
          bytes = buffers.view(start, limit);
        }
        utpFrom = next;
        sink.onForeign(handler, from, buffers.slice(at, next - at));
      }
      at = next;
    } while (at < limit);
    if (limit > utpFrom) {
      deliver(from, utpFrom, limit);
    }
  }

  private void deliver(InetSocketAddress from, int first, int last) {
    int size = Math.max(1, segmentSizeBytes);
    int datagrams = Math.max(1, (last - first + size - 1) / size);
    sink.onBurst(from, buffers.view(first, last), segmentSizeBytes, datagrams);
  }
}
