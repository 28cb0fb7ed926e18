package ebb.background;

import ebb.background.law.SharedWindow;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing direction of one connection: keeps what is written until the kernel may have it in
 * flight. Used on the channel's event loop, but for its statistics.
 */
final class Outgoing {
  /** The kernel needs no more unsent than it sends until it is asked again. */
  private static final int UNSENT_LOW_WATER_BYTES = 16_384;

  private static final int WRITABILITY_INDEX = 29;

  private record Waiting(Object message, ChannelPromise promise) {}

  private final ChannelHandlerContext ctx;
  private final Place place;
  private final RateLimit limit;
  private final @Nullable KernelTcp kernel;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final Runnable tick = this::tick;

  private volatile SteeringWay way;
  private volatile long givenBytes;
  private SharedWindow.@Nullable Member member;
  private @Nullable ScheduledFuture<?> ticking;
  private long waitingBytes;
  private int flushable;
  private boolean unwritable;
  private long ackedBytes;
  private long ackedOffset;
  private long windowBytes = Long.MAX_VALUE;

  Outgoing(ChannelHandlerContext ctx, Place place, RateLimit limit, @Nullable KernelTcp kernel) {
    this.ctx = ctx;
    this.place = place;
    this.limit = limit;
    this.kernel = kernel;
    way = kernel == null ? SteeringWay.WRITE_RATE : SteeringWay.WRITE_WINDOW;
  }

  /** The channel is connected. */
  void start() {
    TcpSnapshot first = kernel == null ? null : kernel.snapshot();
    if (kernel == null || first == null) {
      way = SteeringWay.WRITE_RATE;
      return;
    }
    kernel.unsentLowWater(UNSENT_LOW_WATER_BYTES);
    long now = Clock.nowMicros();
    ackedOffset = first.counts().ackedBytes();
    SharedWindow.Member joined = place.join(now, first.leastRttMicros());
    member = joined;
    sample(now, first, joined);
    drain();
  }

  /** The channel is closed, or the handler leaves it. */
  @SuppressWarnings("FutureReturnValueIgnored") // they are the promises'
  void stop(boolean closed) {
    if (ticking != null) {
      ticking.cancel(false);
      ticking = null;
    }
    if (member != null) {
      place.leave(member);
      member = null;
    }
    for (Waiting one = waiting.poll(); one != null; one = waiting.poll()) {
      if (closed) {
        ReferenceCountUtil.release(one.message);
        one.promise.tryFailure(new ClosedChannelException());
      } else {
        ctx.write(one.message, one.promise);
      }
    }
    if (!closed) {
      waitingBytes = 0;
      showWritability();
      ctx.flush();
    }
  }

  SteeringWay way() {
    return way;
  }

  BackgroundStats stats() {
    return place.stats(way, givenBytes);
  }

  void write(Object message, ChannelPromise promise) {
    waiting.add(new Waiting(message, promise));
    waitingBytes += size(message);
    showWritability();
  }

  void flush() {
    flushable = waiting.size();
    drain();
  }

  private static long size(Object message) {
    if (message instanceof ByteBuf bytes) {
      return bytes.readableBytes();
    }
    return message instanceof FileRegion region ? region.count() - region.transferred() : 0;
  }

  @SuppressWarnings({
    "NonAtomicVolatileUpdate",
    "FutureReturnValueIgnored"
  }) // written on the event loop only
  private void drain() {
    long now = Clock.nowMicros();
    boolean wrote = false;
    long room = room();
    while (flushable > 0 && room > 0 && limit.waitMicros(now) == 0) {
      Waiting next = waiting.element();
      long size = size(next.message);
      long given = size;
      if (next.message instanceof ByteBuf bytes && size > room) {
        given = room;
        ctx.write(bytes.readRetainedSlice((int) given));
      } else {
        waiting.remove();
        flushable--;
        ctx.write(next.message, next.promise);
      }
      room -= given;
      waitingBytes -= given;
      givenBytes += given;
      limit.take(given, now);
      wrote = true;
    }
    if (wrote || waiting.isEmpty()) {
      ctx.flush();
    }
    showWritability();
    if (ticking == null && (flushable > 0 || givenBytes > ackedBytes)) {
      schedule(now);
    }
  }

  private long room() {
    return way == SteeringWay.WRITE_WINDOW
        ? windowBytes - (givenBytes - ackedBytes)
        : Long.MAX_VALUE;
  }

  private void schedule(long now) {
    long wait = limit.waitMicros(now);
    if (way == SteeringWay.WRITE_WINDOW) {
      wait = Math.max(wait, place.tickMicros());
    } else if (wait == 0) {
      return;
    }
    ticking = ctx.executor().schedule(tick, wait, TimeUnit.MICROSECONDS);
  }

  private void tick() {
    ticking = null;
    SharedWindow.Member joined = member;
    if (kernel != null && joined != null) {
      TcpSnapshot seen = kernel.snapshot();
      if (seen == null) {
        // A channel that is closed tells nothing, and that of its kernel neither.
        way = ctx.channel().isActive() ? SteeringWay.WRITE_RATE : way;
      } else {
        sample(Clock.nowMicros(), seen, joined);
      }
    }
    drain();
  }

  private void sample(long now, TcpSnapshot seen, SharedWindow.Member joined) {
    ackedBytes = seen.counts().ackedBytes() - ackedOffset;
    windowBytes =
        place.sample(
            joined,
            now,
            ackedBytes,
            seen.counts().sentPackets(),
            seen.counts().retransmittedPackets(),
            seen.rttMicros(),
            seen.sentPacketBytes());
  }

  /** What waits here counts for the channel's writability like what waits in the channel. */
  private void showWritability() {
    boolean tooMuch =
        unwritable
            ? waitingBytes > ctx.channel().config().getWriteBufferLowWaterMark()
            : waitingBytes > ctx.channel().config().getWriteBufferHighWaterMark();
    if (tooMuch != unwritable) {
      ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
      if (buffer != null) {
        unwritable = tooMuch;
        buffer.setUserDefinedWritability(WRITABILITY_INDEX, !tooMuch);
      }
    }
  }
}
