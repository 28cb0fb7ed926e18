package ebb.ledbat.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams that belong to one loop of a port and were read by another: copies, bounded in bytes.
 * {@link #drain} is for the loop; everything else is thread-safe.
 */
final class LoopInbox {
  /** What a run costs beside its bytes. */
  private static final int OVERHEAD_BYTES = 256;

  /** Runs handed over before the loop's own socket gets its turn. */
  private static final int RUNS_AT_ONCE = 256;

  /** Takes a run of datagrams, as the engine does. */
  interface Receiver {
    void receive(InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes);
  }

  private record Run(InetSocketAddress from, ByteBuf bytes, int segmentSizeBytes) {
    int costBytes() {
      return bytes.capacity() + OVERHEAD_BYTES;
    }
  }

  private final EventLoop loop;
  private final ByteBufAllocator allocator;
  private final ConcurrentLinkedQueue<Run> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingBytes = new AtomicInteger();
  private final AtomicBoolean woken = new AtomicBoolean();
  private volatile Runnable onWake = () -> {};
  private volatile boolean closed;

  LoopInbox(EventLoop loop, ByteBufAllocator allocator) {
    this.loop = loop;
    this.allocator = allocator;
  }

  EventLoop loop() {
    return loop;
  }

  /** Who looks in here after {@link #wake}, on the loop. */
  void wakes(Runnable task) {
    onWake = task;
  }

  /** Copies the bytes between position and limit; false when too much waits already. */
  boolean offer(InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes) {
    int length = burst.remaining();
    int cost = length + OVERHEAD_BYTES;
    if (waitingBytes.addAndGet(cost) > NettyDrivers.MAX_HANDED_OVER_BYTES) {
      waitingBytes.addAndGet(-cost);
      return false;
    }
    queue.add(
        new Run(from, allocator.directBuffer(length, length).writeBytes(burst), segmentSizeBytes));
    if (closed) {
      close();
    }
    return true;
  }

  /** Has the loop look in here, soon and once. */
  void wake() {
    if (woken.compareAndSet(false, true)) {
      try {
        loop.execute(
            () -> {
              woken.set(false);
              onWake.run();
            });
      } catch (RejectedExecutionException e) {
        close(); // The loop has ended.
      }
    }
  }

  /** Hands over what is there, or some of it and the rest soon. */
  void drain(Receiver receiver) {
    for (int left = RUNS_AT_ONCE; left > 0; left--) {
      Run run = poll();
      if (run == null) {
        return;
      }
      try {
        ByteBuf bytes = run.bytes;
        receiver.receive(
            run.from, bytes.internalNioBuffer(0, bytes.readableBytes()), run.segmentSizeBytes);
      } finally {
        run.bytes.release();
      }
    }
    wake();
  }

  private @Nullable Run poll() {
    Run run = queue.poll();
    if (run != null) {
      waitingBytes.addAndGet(-run.costBytes());
    }
    return run;
  }

  /** Nothing is taken any more; what is there is dropped. */
  void close() {
    closed = true;
    for (Run run = poll(); run != null; run = poll()) {
      run.bytes.release();
    }
  }
}
