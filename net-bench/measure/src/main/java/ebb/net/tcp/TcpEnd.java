package ebb.net.tcp;

import ebb.background.BackgroundTcp;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.Latencies;
import ebb.net.flow.MessageSchedule;
import ebb.net.flow.Pattern;
import ebb.net.flow.StreamReceiver;
import ebb.net.flow.Tally;
import ebb.net.iperf.Iperf3Wire;
import ebb.net.loop.NetLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One end of a flow over TCP: the last handler of its channel, on the channel's loop. The stream is
 * {@link Pattern} from its first byte; messages exist only as lengths. Several small messages go to
 * the kernel in one call when they are due together.
 */
final class TcpEnd extends ChannelInboundHandlerAdapter implements FlowEnd {
  private static final int READ_BYTES = 1 << 18;
  private static final int HIGH_WATER_BYTES = 1 << 18;

  /** Buffers up to this are reused by their thread, without a look for room in the pool. */
  private static final int CACHED_BYTES = 1 << 15;

  private static final long LOOK_MILLIS = 2;

  private static final long QUIET_MILLIS = 20;
  private static final int QUIET_LOOKS = 25;

  private final Channel channel;
  private final TestSpec spec;
  private final boolean sending;
  private final Tally tally = new Tally();
  private final MicroClock clock;
  private final @Nullable Latencies latencies;
  private final NetLoop loop;
  private final StreamEnding ending;
  private final MessageSchedule source;
  private final StreamReceiver receiver;
  private final BehindHoles holes = new BehindHoles();
  private final ByteBuf pattern = Unpooled.wrappedBuffer(Pattern.twicePeriod());
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean started;
  private boolean finished;
  private boolean waiting;
  private boolean timing;
  private int ackBytes;
  private long sentMicros;
  private long plannedMicros;

  /**
   * An end of a connection that is established and has said whose it is.
   *
   * @param latencies takes the round trips of a sender in stop-and-wait
   * @param ending how the two ends know that it is over
   */
  TcpEnd(
      Channel channel,
      TestSpec spec,
      boolean sending,
      MicroClock clock,
      @Nullable Latencies latencies,
      NetLoop loop,
      StreamEnding ending) {
    this.channel = channel;
    this.spec = spec;
    this.sending = sending;
    this.clock = clock;
    this.latencies = latencies;
    this.loop = loop;
    this.ending = ending;
    source = new MessageSchedule(spec);
    receiver = new StreamReceiver(spec, tally);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel
        .config()
        .setWriteBufferWaterMark(new WriteBufferWaterMark(HIGH_WATER_BYTES / 2, HIGH_WATER_BYTES))
        .setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
    boolean small = spec.mode() == Mode.STOP_AND_WAIT && spec.messageBytes() <= CACHED_BYTES;
    int bytes = sending || small ? CACHED_BYTES : READ_BYTES;
    channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(bytes));
    if (!sending) {
      TcpInfo.begin(channel, holes);
    }
  }

  @Override
  public void start() {
    channel
        .eventLoop()
        .execute(
            () -> {
              if (sending && !started) {
                started = true;
                long now = clock.nowMicros();
                source.start(now);
                fill();
              }
            });
  }

  @Override
  public void finish() {
    channel
        .eventLoop()
        .execute(
            () -> {
              source.stop();
              if (sending && !waiting) {
                finishNow();
              }
            });
  }

  @Override
  public void mark() {
    channel.eventLoop().execute(() -> source.mark(clock.nowMicros()));
  }

  private void finishNow() {
    if (finished) {
      return;
    }
    finished = true;
    sentAll.complete(null);
    if (ending == StreamEnding.WHEN_ACKED) {
      channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> awaitAcked());
      return;
    }
    if (ending == StreamEnding.AT_ONCE) {
      ended.complete(null);
    }
    // The peer closes when it has read all: then this end has ended too.
    channel
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            written -> {
              if (channel instanceof DuplexChannel duplex && duplex.isActive()) {
                var unused = duplex.shutdownOutput();
              }
            });
  }

  /** Where the kernel does not tell, what was given to it counts as being there. */
  private void awaitAcked() {
    Optional<TcpChronograph> known =
        channel.isActive() ? TcpChronograph.of(channel) : Optional.empty();
    long sent = tally.counts().bytes() + Iperf3Wire.COOKIE_BYTES;
    if (known.isEmpty() || known.get().ackedBytes() >= sent) {
      ended.complete(null);
    } else if (!ended.isDone()) {
      var unused =
          channel.eventLoop().schedule(this::awaitAcked, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** An iperf3 client's data may come a little after it has told that it is over. */
  @Override
  public CompletableFuture<Void> drained() {
    if (ending != StreamEnding.AT_ONCE || sending) {
      return ended;
    }
    CompletableFuture<Void> quiet = new CompletableFuture<>();
    channel.eventLoop().execute(() -> awaitQuiet(quiet, -1, QUIET_LOOKS));
    return quiet;
  }

  private void awaitQuiet(CompletableFuture<Void> quiet, long before, int looksLeft) {
    long bytes = tally.counts().bytes();
    if (bytes == before || looksLeft == 0 || !channel.isActive()) {
      quiet.complete(null);
      return;
    }
    var unused =
        channel
            .eventLoop()
            .schedule(
                () -> awaitQuiet(quiet, bytes, looksLeft - 1), QUIET_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** iperf3's server would take a reset before its end for a failure of the test. */
  @Override
  public void drop() {
    if (ending != StreamEnding.WHEN_ACKED) {
      abort();
      return;
    }
    channel
        .eventLoop()
        .execute(
            () -> {
              source.stop();
              finished = true;
              broke("dropped");
            });
  }

  @Override
  public void abort() {
    EbbException aborted = new EbbException(ExitCode.INCOMPLETE, "aborted");
    if (ended.completeExceptionally(aborted)) {
      sentAll.completeExceptionally(aborted);
      // A reset, or the kernel would go on sending what it has.
      try {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
      } catch (ChannelException closed) {
        // The peer was faster.
      }
    }
    var unused = channel.close();
  }

  @Override
  public Tally tally() {
    return tally;
  }

  @Override
  public CompletableFuture<Optional<FlowFigures>> figures() {
    if (channel.eventLoop().inEventLoop()) {
      return CompletableFuture.completedFuture(TcpInfo.of(channel, !sending, holes));
    }
    return CompletableFuture.supplyAsync(
        () -> TcpInfo.of(channel, !sending, holes), channel.eventLoop());
  }

  @Override
  public List<String> facts() {
    List<String> facts = new ArrayList<>();
    facts.add("TCP congestion control here: " + TcpCongestion.of(channel).orElse("unknown"));
    BackgroundTcp background = channel.pipeline().get(BackgroundTcp.class);
    if (background != null) {
      facts.add(
          "TCP in the background here: what arrives is steered by "
              + background.incoming().way().words()
              + ", what is sent by "
              + background.outgoing().way().words());
    }
    if (spec.mode() == Mode.STOP_AND_WAIT) {
      facts.add(NetLoop.expectingText());
    }
    return facts;
  }

  @Override
  public CompletableFuture<Void> sentAll() {
    return sentAll;
  }

  @Override
  public CompletableFuture<Void> ended() {
    return ended;
  }

  private void fill() {
    if (!started || finished || waiting) {
      return;
    }
    boolean one = spec.mode() == Mode.STOP_AND_WAIT;
    // What fits goes to the kernel in one call, at the flush.
    while (channel.isActive() && channel.isWritable() && !waiting && !source.exhausted()) {
      long now = clock.nowMicros();
      long due = source.dueMicros(now);
      if (source.waitMicros(due) > 0) {
        later(source.pauseMicros(due));
        break;
      }
      if (one) {
        sentMicros = now;
        plannedMicros = source.plannedMicros(now);
        waiting = true;
      }
      write(now, due);
    }
    channel.flush();
    if (one && waiting) {
      loop.expectSoon();
    } else if (source.exhausted() && !waiting) {
      finishNow();
    }
  }

  /** As many whole messages as are due and fit, at least one. */
  private void write(long now, long due) {
    int offset = (int) (source.sentBytes() & (Pattern.PERIOD - 1));
    long before = source.sentMessages();
    int bytes = source.take(due, Pattern.PERIOD);
    tally.messages(source.sentMessages() - before);
    tally.bytes(bytes, now);
    var unused = channel.write(pattern.retainedSlice(offset, bytes), channel.voidPromise());
  }

  private void later(long micros) {
    if (!timing) {
      timing = true;
      var unused =
          channel
              .eventLoop()
              .schedule(
                  () -> {
                    timing = false;
                    fill();
                  },
                  micros,
                  TimeUnit.MICROSECONDS);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    fill();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf in)) {
      ReferenceCountUtil.release(message);
      return;
    }
    try {
      if (sending) {
        onAckBytes(in.readableBytes());
      } else if (in.isReadable()) {
        receive(in);
      }
    } finally {
      in.release();
    }
  }

  private void receive(ByteBuf in) {
    long completed = 0;
    long now = clock.nowMicros();
    for (ByteBuffer part : in.nioBuffers()) {
      completed += receiver.onBytes(part, now);
    }
    if (completed > 0 && spec.mode() == Mode.STOP_AND_WAIT) {
      ByteBuf ack = channel.alloc().directBuffer(StreamReceiver.ACK_BYTES);
      var unused = channel.writeAndFlush(ack.writeLong(receiver.messages()), channel.voidPromise());
      loop.expectSoon();
    }
  }

  private void onAckBytes(int bytes) {
    ackBytes += bytes;
    if (!waiting || ackBytes < StreamReceiver.ACK_BYTES) {
      return;
    }
    ackBytes -= StreamReceiver.ACK_BYTES;
    waiting = false;
    Latencies to = latencies;
    if (to != null) {
      to.onRoundTrip(sentMicros, plannedMicros, clock.nowMicros());
    }
    if (source.exhausted()) {
      finishNow();
    } else {
      fill();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!sending || finished) {
      ended.complete(null);
    } else {
      broke("the TCP connection for data broke");
    }
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    broke("the TCP connection for data broke: " + cause.getMessage());
    var unused = context.close();
  }

  private void broke(String why) {
    EbbException failure = new EbbException(ExitCode.INCOMPLETE, why);
    sentAll.completeExceptionally(failure);
    ended.completeExceptionally(failure);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    pattern.release();
  }
}
