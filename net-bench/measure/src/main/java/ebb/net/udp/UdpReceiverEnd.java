package ebb.net.udp;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.PatternCheck;
import ebb.net.flow.Tally;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.ServiceMark;
import ebb.net.udp.SequenceWindow.Arrival;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * The receiving end of a flow of datagrams: counts each once, in stop-and-wait acknowledges each
 * time it comes, and sends an echo back each time it comes. On the socket's loop.
 */
final class UdpReceiverEnd implements FlowEnd {
  private static final long QUIET_MICROS = 300_000;

  /** What may come between two looks at a socket that has been read empty. */
  private static final int FEW_DATAGRAMS = 4;

  private static final int LOOKS = 32;

  /** Of one sender, whatever it claims: so that what is missing can be counted. */
  private static final long MAX_NUMBER = 1L << 48;

  private final UdpSocket socket;
  private final TestSpec spec;
  private final long key;
  private final InetSocketAddress peer;
  private final Tally tally = new Tally();
  private final MicroClock clock;
  private final LongUnaryOperator stamp;
  private final int usualTos;
  private final ByteBuf ack;
  private final SequenceWindow window = new SequenceWindow();
  private final Jitter jitter = new Jitter();
  private final PatternCheck check = new PatternCheck();
  private final CompletableFuture<Void> sentAll = CompletableFuture.completedFuture(null);
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  UdpReceiverEnd(
      UdpSocket socket,
      TestSpec spec,
      long key,
      InetSocketAddress peer,
      MicroClock clock,
      LongUnaryOperator stamp) {
    this.socket = socket;
    this.spec = spec;
    this.key = key;
    this.peer = peer;
    this.clock = clock;
    this.stamp = stamp;
    usualTos = ServiceMark.of(spec).orElse(0);
    ack = socket.channel().alloc().directBuffer(UdpWire.HEADER_BYTES);
    ack.writeZero(UdpWire.HEADER_BYTES);
  }

  /** A message of this flow's key; false when it cannot be one of its sender's. */
  boolean onMessage(ByteBuf in, int at, int length, InetSocketAddress from) {
    long number = UdpWire.number(in, at);
    int expected = messageBytes(number);
    if (!from.equals(peer) || expected <= 0 || length != UdpWire.datagramBytes(expected)) {
      return false;
    }
    long now = clock.nowMicros();
    long sentMicros = UdpWire.micros(in, at);
    Arrival arrival = window.onNumber(number);
    if (spec.mode() == Mode.STOP_AND_WAIT) {
      // First, for what counting takes is none of the path's time.
      acknowledge(number, sentMicros);
    } else if (spec.mode() == Mode.ECHO) {
      sendBack(in, at, length, now);
    }
    if (arrival == Arrival.DUPLICATE) {
      tally.duplicate();
    } else {
      count(in, at, length, expected, arrival, sentMicros, now);
    }
    return true;
  }

  /** A question for marks: it goes back with the mark it says it had, and tells which one came. */
  boolean onMark(ByteBuf in, int at, int length, InetSocketAddress from) {
    // The first question is what a filter is there for. Only a filter makes questions shorter, so
    // that an answer is never longer than what was sent.
    if (!from.equals(peer)
        || spec.mode() != Mode.ECHO
        || (!socket.lookAtMarks() && length != UdpWire.MARK_BYTES)) {
      return false;
    }
    int seen = MarkFilter.seen(length);
    int tos = UdpWire.tos(in, at);
    ByteBuf answer = socket.channel().alloc().directBuffer(UdpWire.MARK_BYTES);
    UdpWire.mark(answer, UdpWire.MARKED, UdpWire.number(in, at), key, clock.nowMicros(), tos, seen);
    var unused = socket.sendMarked(answer, peer, tos);
    answer.release();
    return true;
  }

  /** A datagram of iperf3's; nobody knows the offset of its clock. */
  void onIperf3(ByteBuf in, int at, int length, UdpFormat.Iperf3Format format) {
    if (length < format.headerBytes() || ended.isDone()) {
      return;
    }
    long number = format.number(in, at);
    if (number < 0 || number >= MAX_NUMBER) {
      return;
    }
    long now = clock.nowMicros();
    Arrival arrival = window.onNumber(number);
    if (arrival == Arrival.DUPLICATE) {
      tally.duplicate();
    } else {
      count(arrival, format.micros(in, at), length, now);
    }
  }

  private void count(
      ByteBuf in, int at, int length, int bytes, Arrival arrival, long sentMicros, long now) {
    tally.oneWay(stamp.applyAsLong(now) - sentMicros);
    int payload = length - UdpWire.HEADER_BYTES;
    if (spec.verify()
        && payload > 0
        && !check.matches(0, in.internalNioBuffer(at + UdpWire.HEADER_BYTES, payload))) {
      tally.corrupt();
    }
    count(arrival, sentMicros, bytes, now);
  }

  private void count(Arrival arrival, long sentMicros, int bytes, long now) {
    jitter.onArrival(sentMicros, now);
    tally.jitterMicros(jitter.micros());
    if (arrival == Arrival.LATE) {
      tally.outOfOrder();
    }
    tally.lost(window.missing());
    tally.messages(1);
    tally.bytes(bytes, now);
  }

  /** Of the message with this number; 0 when there is none. */
  private int messageBytes(long number) {
    if (spec.amountBytes() == 0) {
      return spec.messageBytes();
    }
    long left = spec.amountBytes() - number * spec.messageBytes();
    return (int) Math.max(0, Math.min(spec.messageBytes(), left));
  }

  private void acknowledge(long number, long echoedMicros) {
    // A buffer that the kernel has not taken yet must not be written over.
    ByteBuf to = ack.refCnt() == 1 ? ack.retain() : fresh();
    UdpWire.header(to, 0, UdpWire.ACK, number, key, echoedMicros);
    socket.send(to, UdpWire.HEADER_BYTES, peer);
    to.release();
    socket.expectSoon();
  }

  /** The same bytes with the time when they came; not when the socket cannot take them. */
  private void sendBack(ByteBuf in, int at, int length, long now) {
    if (!socket.channel().isWritable()) {
      return;
    }
    UdpWire.header(in, at, UdpWire.ACK, UdpWire.number(in, at), key, now);
    ByteBuf back = in.retainedSlice(at, length);
    if (usualTos == 0) {
      socket.send(back, length, peer);
    } else {
      var unused = socket.sendMarked(back, peer, usualTos);
    }
    back.release();
    socket.expectSoon();
  }

  private ByteBuf fresh() {
    return socket
        .channel()
        .alloc()
        .directBuffer(UdpWire.HEADER_BYTES)
        .writeZero(UdpWire.HEADER_BYTES);
  }

  @Override
  public void start() {
    // It waits for the other end.
  }

  @Override
  public List<String> facts() {
    List<String> facts = new ArrayList<>(List.of("UDP datagrams are sent there"));
    if (spec.mode() != Mode.STREAMING) {
      facts.add(NetLoop.expectingText());
    }
    return facts;
  }

  /** When none has come for a while: those that were under way may still come. */
  @Override
  public CompletableFuture<Void> drained() {
    CompletableFuture<Void> quiet = new CompletableFuture<>();
    socket.channel().eventLoop().execute(() -> awaitQuiet(quiet));
    return quiet;
  }

  private void awaitQuiet(CompletableFuture<Void> quiet) {
    long last = tally.lastMicros();
    long left = last == Long.MIN_VALUE ? 0 : last + QUIET_MICROS - clock.nowMicros();
    if (left <= 0 || ended.isDone()) {
      quiet.complete(null);
      return;
    }
    var unused =
        socket.channel().eventLoop().schedule(() -> awaitQuiet(quiet), left, TimeUnit.MICROSECONDS);
  }

  /** A receiver of datagrams cannot know that there is no more: who asks has waited. */
  @Override
  public void finish() {
    if (ended.complete(null)) {
      ack.release();
    }
  }

  @Override
  public void abort() {
    if (ended.completeExceptionally(new EbbException(ExitCode.INCOMPLETE, "aborted"))) {
      ack.release();
    }
  }

  /**
   * There are none; but they are told when what this process had no time to read is counted: not
   * while each turn of the loop goes on finding many datagrams, though not for ever, for some paths
   * are that fast.
   */
  @Override
  public CompletableFuture<Optional<FlowFigures>> figures() {
    CompletableFuture<Optional<FlowFigures>> answer = new CompletableFuture<>();
    socket.channel().eventLoop().execute(() -> tell(answer, Long.MIN_VALUE, LOOKS));
    return answer;
  }

  private void tell(CompletableFuture<Optional<FlowFigures>> answer, long before, int looksLeft) {
    FlowCounts counts = tally.counts();
    long came = counts.messages() + counts.duplicates();
    if (looksLeft > 1 && came - FEW_DATAGRAMS > before) {
      var unused =
          socket
              .channel()
              .eventLoop()
              .schedule(() -> tell(answer, came, looksLeft - 1), 1, TimeUnit.MICROSECONDS);
    } else {
      answer.complete(Optional.empty());
    }
  }

  @Override
  public Tally tally() {
    return tally;
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
