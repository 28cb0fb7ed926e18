package ebb.background;

import ebb.background.law.EdgeRoundTrip;
import ebb.background.law.ReadRateLaw;
import ebb.background.law.SharedWindow;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The incoming direction of one connection: bounds the kernel's window, or reads at a rate. Used on
 * the channel's event loop, but for its statistics.
 */
final class Incoming {
  /**
   * A kernel that took the clamp lets no more than this times the window arrive in a round trip.
   */
  private static final int HONOURED = 4;

  private static final int SIGNS = 8;

  /** Without time stamps the moment of an arrival counts, and not that of the next tick. */
  private static final long LEAST_SAMPLE_MICROS = 1_000;

  private final ChannelHandlerContext ctx;
  private final Place place;
  private final RateLimit limit;
  private final @Nullable KernelTcp kernel;
  private final EdgeRoundTrip edges = new EdgeRoundTrip();
  private final ReadRateLaw readRate = new ReadRateLaw();
  private final Runnable tick = this::tick;
  private final Runnable resume = this::resume;

  private volatile SteeringWay way;
  private volatile long totalBytes;
  private SharedWindow.@Nullable Member member;
  private @Nullable ScheduledFuture<?> ticking;
  private boolean readHeld;
  private boolean autoReadHeld;
  private @Nullable ScheduledFuture<?> resuming;
  private int clampBytes;
  private long lastArrival;
  private long lastMeasured;
  private long lastMeasuredBytes;
  private int signs;
  private boolean timestamps = true;
  private long lastSampled;

  Incoming(ChannelHandlerContext ctx, Place place, RateLimit limit, @Nullable KernelTcp kernel) {
    this.ctx = ctx;
    this.place = place;
    this.limit = limit;
    this.kernel = kernel;
    way = kernel == null ? SteeringWay.READ_RATE : SteeringWay.WINDOW_CLAMP;
  }

  /** The channel is connected. */
  void start() {
    long now = Clock.nowMicros();
    lastArrival = now;
    lastMeasured = now;
    TcpSnapshot first = kernel == null ? null : kernel.snapshot();
    if (first == null) {
      way = SteeringWay.READ_RATE;
      return;
    }
    SharedWindow.Member joined = place.join(now, first.leastRttMicros());
    member = joined;
    sample(now, first, joined);
    schedule();
  }

  void stop(boolean closed) {
    if (!closed && kernel != null) {
      kernel.clamp(Integer.MAX_VALUE / 2);
    }
    if (resuming != null) {
      resuming.cancel(false);
      resuming = null;
    }
    if (readHeld && !closed) {
      letRead();
    }
    if (ticking != null) {
      ticking.cancel(false);
      ticking = null;
    }
    if (member != null) {
      place.leave(member);
      member = null;
    }
  }

  SteeringWay way() {
    return way;
  }

  BackgroundStats stats() {
    return place.stats(way, totalBytes);
  }

  /** Bytes were read. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written on the event loop only
  void arrived(int bytes) {
    long now = Clock.nowMicros();
    totalBytes += bytes;
    lastArrival = now;
    limit.take(bytes, now);
    if (way == SteeringWay.READ_RATE) {
      readRate.arrived(now, bytes);
    } else if (member != null && (ticking == null || isMomentWanted(now))) {
      look(now);
    }
  }

  /** Whether the socket may be read now; if not, it will be later. */
  boolean mayRead() {
    long now = Clock.nowMicros();
    long wait = limit.waitMicros(now);
    if (way == SteeringWay.READ_RATE) {
      wait = Math.max(wait, readRate.waitMicros(now));
    }
    if (wait == 0) {
      readRate.asked(now);
      return true;
    }
    readHeld = true;
    if (ctx.channel().config().isAutoRead()) {
      // Or the channel reads unasked.
      autoReadHeld = true;
      ctx.channel().config().setAutoRead(false);
    }
    if (resuming == null) {
      resuming = ctx.executor().schedule(resume, wait, TimeUnit.MICROSECONDS);
    }
    return false;
  }

  private void resume() {
    resuming = null;
    if (readHeld && mayRead()) {
      letRead();
    }
  }

  private void letRead() {
    readHeld = false;
    if (autoReadHeld) {
      autoReadHeld = false;
      ctx.channel().config().setAutoRead(true);
    }
    ctx.read();
  }

  private void schedule() {
    ticking = ctx.executor().schedule(tick, place.tickMicros(), TimeUnit.MICROSECONDS);
  }

  private boolean isMomentWanted(long now) {
    return !timestamps && now - lastSampled >= LEAST_SAMPLE_MICROS;
  }

  private void tick() {
    ticking = null;
    look(Clock.nowMicros());
  }

  private void look(long now) {
    SharedWindow.Member joined = member;
    if (kernel != null && !timestamps) {
      // Or the round trip would hold the time for which an acknowledgement is put off.
      kernel.acknowledge();
    }
    TcpSnapshot seen = kernel == null || joined == null ? null : kernel.snapshot();
    if (seen == null || joined == null) {
      return;
    }
    sample(now, seen, joined);
    if (ticking != null) {
      return;
    }
    // Auto-tuning moves the clamp only when data is read: an idle connection needs no ticks.
    if (way == SteeringWay.WINDOW_CLAMP
        && now - lastArrival < 1_000_000 + 2 * seen.receiverRttMicros()) {
      schedule();
    }
  }

  private void sample(long now, TcpSnapshot seen, SharedWindow.Member joined) {
    lastSampled = now;
    timestamps = seen.timestamps();
    long bytes = seen.counts().receivedBytes();
    long rtt = roundTrip(now, seen, bytes);
    long window =
        place.sample(
            joined,
            now,
            bytes,
            seen.counts().receivedPackets(),
            seen.counts().outOfOrderPackets(),
            rtt,
            packetBytes(seen));
    clampBytes = (int) Math.min(Integer.MAX_VALUE / 2, window);
    KernelTcp tcp = kernel;
    if (tcp == null || !tcp.clamp(clampBytes)) {
      way = SteeringWay.READ_RATE;
    }
  }

  private static int packetBytes(TcpSnapshot seen) {
    return seen.receivedPacketBytes() > 0 ? seen.receivedPacketBytes() : 1448;
  }

  /** By time stamps, from the kernel. Without them the kernel knows only the least one. */
  private long roundTrip(long now, TcpSnapshot seen, long bytes) {
    if (seen.timestamps() && seen.receiverRttMicros() > 0) {
      return seen.receiverRttMicros();
    }
    watchTheClamp(now, seen, bytes);
    long given = seen.counts().windowBytes();
    return edges.sample(now, bytes, given > 0 ? given : clampBytes, seen.leastRttMicros());
  }

  /** Whether less arrives than without a clamp. */
  private void watchTheClamp(long now, TcpSnapshot seen, long bytes) {
    long least = Math.max(1_000, Math.max(seen.leastRttMicros(), seen.rttMicros()));
    long duration = now - lastMeasured;
    if (duration < least || clampBytes == 0) {
      return;
    }
    long arrived = bytes - lastMeasuredBytes;
    lastMeasured = now;
    lastMeasuredBytes = bytes;
    if (arrived > (double) HONOURED * clampBytes * (1 + (double) duration / least)) {
      signs++;
      if (signs >= SIGNS) {
        way = SteeringWay.READ_RATE;
      }
    }
  }
}
