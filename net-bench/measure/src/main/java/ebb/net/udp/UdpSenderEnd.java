package ebb.net.udp;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.Latencies;
import ebb.net.flow.Limits;
import ebb.net.flow.MessageSchedule;
import ebb.net.flow.Pattern;
import ebb.net.flow.Tally;
import ebb.net.loop.NetLoop;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a flow of datagrams, on the socket's loop. Streaming goes by the pace, or as
 * fast as the socket takes it; stop-and-wait sends a message again until it is acknowledged, and
 * gives up on a peer that has been silent for long.
 */
final class UdpSenderEnd implements FlowEnd {
  private static final int BUFFERS = 8;
  private static final int BURSTS_PER_TURN = 8;
  private static final long SILENCE_MICROS = 15_000_000;

  private final UdpSocket socket;
  private final TestSpec spec;
  private final UdpFormat format;
  private final InetSocketAddress peer;
  private final Tally tally = new Tally();
  private final MicroClock clock;
  private final LongUnaryOperator stamp;
  private final @Nullable Latencies latencies;
  private final MessageSchedule source;
  private final long fixedTimeoutMicros;
  private final AckTimeout timeout;
  private final int datagramBytes;
  private final ByteBuf[] bursts = new ByteBuf[BUFFERS];
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean started;
  private boolean turnPending;
  private final SendWaits waits = new SendWaits();
  private boolean waiting;
  private long firstSentMicros;
  private long plannedMicros;
  private long heardMicros;
  private int waitingBytes;
  private long silentUntilMicros;
  private long timerMicros;
  private @Nullable Future<?> timer;

  UdpSenderEnd(
      UdpSocket socket,
      TestSpec spec,
      UdpFormat format,
      InetSocketAddress peer,
      MicroClock clock,
      LongUnaryOperator stamp,
      @Nullable Latencies latencies) {
    this.socket = socket;
    this.spec = spec;
    this.format = format;
    this.peer = peer;
    this.clock = clock;
    this.stamp = stamp;
    this.latencies = latencies;
    source = new MessageSchedule(spec);
    fixedTimeoutMicros = spec.parameters().getOrDefault(UdpClientOptions.ACK_TIMEOUT, 0L);
    timeout = new AckTimeout(fixedTimeoutMicros);
    datagramBytes = format.datagramBytes(spec.messageBytes());
    int segments = spec.mode() == Mode.STOP_AND_WAIT ? 1 : socket.segments(datagramBytes);
    for (int i = 0; i < BUFFERS; i++) {
      bursts[i] = template(segments);
    }
  }

  private ByteBuf template(int segments) {
    ByteBuf burst = socket.channel().alloc().directBuffer(segments * datagramBytes);
    for (int i = 0; i < segments; i++) {
      burst.writeZero(format.headerBytes());
      var pattern = Pattern.twicePeriod();
      pattern.limit(datagramBytes - format.headerBytes());
      burst.writeBytes(pattern);
    }
    return burst;
  }

  private void onLoop(Runnable task) {
    socket.channel().eventLoop().execute(task);
  }

  @Override
  public void start() {
    onLoop(
        () -> {
          if (!started && !ended.isDone()) {
            started = true;
            long now = clock.nowMicros();
            heardMicros = now;
            source.start(now);
            turn();
          }
        });
  }

  @Override
  public void mark() {
    onLoop(() -> source.mark(clock.nowMicros()));
  }

  @Override
  public void finish() {
    onLoop(
        () -> {
          source.stop();
          if (!waiting) {
            end();
          }
        });
  }

  @Override
  public void abort() {
    onLoop(() -> broke(new EbbException(ExitCode.INCOMPLETE, "aborted")));
  }

  private void end() {
    sentAll.complete(null);
    if (ended.complete(null)) {
      release();
    }
  }

  private void broke(EbbException failure) {
    sentAll.completeExceptionally(failure);
    if (ended.completeExceptionally(failure)) {
      release();
    }
  }

  private void release() {
    for (ByteBuf burst : bursts) {
      burst.release();
    }
    cancelTimer();
  }

  private void turn() {
    turnPending = false;
    if (ended.isDone() || waiting) {
      return;
    }
    waits.over(clock.nowMicros());
    boolean one = spec.mode() == Mode.STOP_AND_WAIT;
    for (int i = 0; i < BURSTS_PER_TURN && !source.exhausted(); i++) {
      long now = clock.nowMicros();
      long due = source.dueMicros(now);
      if (source.waitMicros(due) > 0) {
        long pause = source.pauseMicros(due);
        waits.forPace(now, pause);
        turnLater(pause);
        return;
      }
      ByteBuf burst = socket.channel().isWritable() ? freeBurst() : null;
      if (burst == null) {
        // The socket is full; it tells nobody when it has room, so look again soon.
        waits.forSocket(now);
        turnLater(100);
        return;
      }
      if (one) {
        sendOne(burst, now);
        return;
      }
      sendMany(burst, now, due);
    }
    if (source.exhausted()) {
      end();
    } else {
      turnLater(0);
    }
  }

  private void turnLater(long micros) {
    if (turnPending) {
      return;
    }
    turnPending = true;
    if (micros == 0) {
      onLoop(this::turn);
    } else {
      var unused = socket.channel().eventLoop().schedule(this::turn, micros, TimeUnit.MICROSECONDS);
    }
  }

  private @Nullable ByteBuf freeBurst() {
    for (ByteBuf burst : bursts) {
      if (burst.refCnt() == 1) {
        return burst;
      }
    }
    return null;
  }

  private void sendMany(ByteBuf burst, long now, long due) {
    int room = burst.capacity() / datagramBytes;
    int length = 0;
    long bytes = 0;
    int messages = 0;
    long stamped = stamp.applyAsLong(now);
    do {
      int next = source.nextBytes();
      format.header(burst, length, source.sentMessages(), stamped);
      source.sent(next);
      length += format.datagramBytes(next);
      bytes += next;
      messages++;
    } while (messages < room && !source.exhausted() && source.waitMicros(due) == 0);
    burst.setIndex(0, length);
    tally.messages(messages);
    tally.bytes(bytes, now);
    if (spec.bitsPerSecond() == 0) {
      socket.send(burst, datagramBytes, peer);
    } else {
      // What the path does to a datagram must not be done to a whole burst at once.
      socket.sendSingly(burst, datagramBytes, peer);
    }
  }

  private void sendOne(ByteBuf burst, long now) {
    waiting = true;
    waitingBytes = source.nextBytes();
    firstSentMicros = now;
    plannedMicros = source.plannedMicros(now);
    tally.bytes(waitingBytes, now);
    tally.messages(1);
    transmit(burst, now);
    socket.expectSoon();
  }

  private void transmit(ByteBuf burst, long now) {
    format.header(burst, 0, source.sentMessages(), stamp.applyAsLong(now));
    burst.setIndex(0, format.datagramBytes(waitingBytes));
    socket.send(burst, datagramBytes, peer);
    watch(now, timeout.micros());
  }

  /** One timer serves many messages: when it was early for the latest, it is set again. */
  private void watch(long now, long micros) {
    silentUntilMicros = now + micros;
    if (timer != null && timerMicros <= silentUntilMicros) {
      return;
    }
    cancelTimer();
    timerMicros = silentUntilMicros;
    timer = socket.channel().eventLoop().schedule(this::onTimer, micros, TimeUnit.MICROSECONDS);
  }

  private void cancelTimer() {
    Future<?> set = timer;
    timer = null;
    if (set != null) {
      set.cancel(false);
    }
  }

  private void onTimer() {
    timer = null;
    if (!waiting || ended.isDone()) {
      return;
    }
    long now = clock.nowMicros();
    if (now < silentUntilMicros) {
      watch(now, silentUntilMicros - now);
    } else {
      onSilence(now);
    }
  }

  private void onSilence(long now) {
    long patience = Math.max(SILENCE_MICROS, 3 * fixedTimeoutMicros);
    if (now - heardMicros > patience) {
      broke(
          new EbbException(
              ExitCode.INCOMPLETE,
              "the peer is gone: no acknowledgement for "
                  + (now - heardMicros) / 1_000_000
                  + " s"));
      return;
    }
    timeout.onExpired();
    tally.retransmitted();
    ByteBuf burst = freeBurst();
    if (burst != null) {
      transmit(burst, now);
    } else {
      watch(now, 1_000);
    }
  }

  /** An acknowledgement of this flow's key. */
  boolean onAck(ByteBuf in, int at, InetSocketAddress from) {
    if (!from.equals(peer)) {
      return false;
    }
    if (!waiting || UdpWire.number(in, at) != source.sentMessages()) {
      return true; // Of a message that was sent twice and acknowledged before.
    }
    long now = clock.nowMicros();
    heardMicros = now;
    waiting = false;
    timeout.onSample(Math.max(0, stamp.applyAsLong(now) - UdpWire.micros(in, at)));
    source.sent(waitingBytes);
    Latencies to = latencies;
    if (to != null) {
      to.onRoundTrip(firstSentMicros, plannedMicros, now);
    }
    if (source.exhausted()) {
      end();
    } else {
      turn();
    }
    return true;
  }

  @Override
  public Tally tally() {
    return tally;
  }

  /** What is neither waiting for the pace nor for the socket is the sender's own work. */
  @Override
  public CompletableFuture<Optional<FlowFigures>> figures() {
    Map<String, Long> micros = spec.mode() == Mode.STREAMING ? waits.micros() : Map.of();
    return CompletableFuture.completedFuture(
        Optional.of(new FlowFigures(Map.of(), new Limits(micros), "cpu")));
  }

  @Override
  public List<String> facts() {
    List<String> facts = new ArrayList<>();
    facts.add(way());
    if (spec.mode() == Mode.STOP_AND_WAIT) {
      facts.add(NetLoop.expectingText());
    }
    return facts;
  }

  private String way() {
    if (spec.mode() == Mode.STREAMING && spec.bitsPerSecond() == 0) {
      return socket.gso()
          ? "UDP datagrams go to the kernel many in one call (GSO), and are one for the devices that"
              + " can; each is numbered and counted"
          : "UDP datagrams go to the kernel one by one";
    }
    long quantum = MessageSchedule.quantumMicros(spec);
    return quantum == 0
        ? "UDP datagrams go one by one, each at its time"
        : "UDP datagrams go each for itself, those that are due within " + quantum + " us together";
  }

  @Override
  public CompletableFuture<Void> sentAll() {
    return sentAll;
  }

  @Override
  public CompletableFuture<Void> ended() {
    return ended;
  }
}
