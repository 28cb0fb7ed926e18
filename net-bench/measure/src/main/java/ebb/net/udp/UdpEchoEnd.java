package ebb.net.udp;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoSchedule;
import ebb.net.echo.MarkLog;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.Pattern;
import ebb.net.flow.PatternCheck;
import ebb.net.flow.Tally;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The asking end of echoes, on the socket's loop: sends each at its time, however many are
 * unanswered, and waits for the last answers. What became of them is {@link EchoLog}'s.
 */
final class UdpEchoEnd implements FlowEnd {
  private final UdpSocket socket;
  private final TestSpec spec;
  private final long key;
  private final InetSocketAddress peer;
  private final MicroClock clock;
  private final EchoLog log;
  private final @Nullable MarkProbe marks;
  private final EchoSchedule schedule;
  private final Tally tally = new Tally();
  private final PatternCheck check = new PatternCheck();
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean started;
  private @Nullable Future<?> timer;
  private long timerMicros;
  private long lastSentMicros;

  /** marks: where those are counted that are tried beside the echoes; null for none. */
  UdpEchoEnd(
      UdpSocket socket,
      TestSpec spec,
      long key,
      InetSocketAddress peer,
      MicroClock clock,
      EchoLog log,
      @Nullable MarkLog marks) {
    this.socket = socket;
    this.spec = spec;
    this.key = key;
    this.peer = peer;
    this.clock = clock;
    this.log = log;
    this.marks = marks == null ? null : new MarkProbe(socket, key, peer, clock, marks);
    schedule = new EchoSchedule(spec);
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
            schedule.start(now);
            lastSentMicros = now;
            if (marks != null) {
              marks.start();
            }
            turn();
          }
        });
  }

  /** Everything that is due goes; then the time of the next one is waited for. */
  private void turn() {
    if (!started || ended.isDone()) {
      return;
    }
    long now = clock.nowMicros();
    while (!schedule.exhausted() && schedule.waitMicros(now) == 0) {
      send(schedule.take(now), now);
      now = clock.nowMicros();
    }
    log.onTime(now);
    if (!schedule.exhausted()) {
      later(now, schedule.waitMicros(now));
      return;
    }
    long left = lastSentMicros + log.waitMicros() - now;
    if (left <= 0 || log.allAnswered()) {
      end();
    } else {
      later(now, left);
    }
  }

  /** One timer: when it is early for what it is needed for, it is set again. */
  private void later(long now, long micros) {
    Future<?> set = timer;
    if (set != null && timerMicros <= now + micros) {
      return;
    }
    if (set != null) {
      set.cancel(false);
    }
    timerMicros = now + micros;
    timer = socket.channel().eventLoop().schedule(this::onTimer, micros, TimeUnit.MICROSECONDS);
  }

  private void onTimer() {
    timer = null;
    turn();
  }

  private void send(long planned, long now) {
    long number = log.onSent(planned, now);
    int length = UdpWire.datagramBytes(spec.messageBytes());
    ByteBuf echo = socket.channel().alloc().directBuffer(length).writeZero(UdpWire.HEADER_BYTES);
    echo.writeBytes(Pattern.twicePeriod().limit(length - UdpWire.HEADER_BYTES));
    UdpWire.header(echo, 0, UdpWire.MESSAGE, number, key, now);
    tally.messages(1);
    tally.bytes(spec.messageBytes(), now);
    lastSentMicros = now;
    socket.send(echo, length, peer);
    echo.release();
    socket.expectSoon();
  }

  /** An answer of this flow's key. */
  boolean onAnswer(ByteBuf in, int at, int length, InetSocketAddress from) {
    long now = clock.nowMicros();
    if (!from.equals(peer) || length != UdpWire.datagramBytes(spec.messageBytes())) {
      return false;
    }
    if (!log.onAnswer(UdpWire.number(in, at), UdpWire.micros(in, at), now)) {
      return false;
    }
    int payload = length - UdpWire.HEADER_BYTES;
    if (spec.verify()
        && payload > 0
        && !check.matches(0, in.internalNioBuffer(at + UdpWire.HEADER_BYTES, payload))) {
      log.onCorrupt();
    }
    if (log.allAnswered()) {
      schedule.answered(now);
      if (schedule.exhausted() || schedule.waitMicros(now) == 0) {
        turn();
      }
    }
    return true;
  }

  /** An answer to a question for marks, of this flow's key. */
  void onMarked(ByteBuf in, int at, int length, InetSocketAddress from) {
    if (marks != null) {
      marks.onAnswer(in, at, length, from);
    }
  }

  @Override
  public void finish() {
    onLoop(
        () -> {
          stopMarks();
          schedule.stop();
          started = true;
          turn();
        });
  }

  private void stopMarks() {
    if (marks != null) {
      marks.stop();
    }
  }

  private void end() {
    stopMarks();
    log.onEnd();
    sentAll.complete(null);
    ended.complete(null);
  }

  @Override
  public void abort() {
    onLoop(this::stopMarks);
    EbbException aborted = new EbbException(ExitCode.INCOMPLETE, "aborted");
    sentAll.completeExceptionally(aborted);
    ended.completeExceptionally(aborted);
  }

  @Override
  public Tally tally() {
    return tally;
  }

  @Override
  public List<String> facts() {
    return List.of("UDP datagrams are answered one by one, each whenever it comes");
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
