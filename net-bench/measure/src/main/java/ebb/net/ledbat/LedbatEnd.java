package ebb.net.ledbat;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.netty.NettyDriver;
import ebb.net.Keys;
import ebb.net.control.ControlCodec;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.Latencies;
import ebb.net.flow.MessageSchedule;
import ebb.net.flow.Pattern;
import ebb.net.flow.StreamReceiver;
import ebb.net.flow.Tally;
import ebb.net.mechanism.ServiceMark;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One end of a flow over LEDBAT, on the driver's loop. The stream is {@link Pattern} after the
 * session's preamble.
 */
final class LedbatEnd implements ConnectionListener, FlowEnd {
  private static final int READ_BYTES = 1 << 18;

  /** What may come between two looks at a socket that has been read empty. */
  private static final int FEW_DATAGRAMS = 4;

  private static final long LATE_MICROS = 1_000;
  private static final int LOOKS = 32;

  private final NettyDriver driver;
  private final TestSpec spec;
  private final boolean sending;
  private final String controller;

  private final MicroClock clock;
  private final Tally tally = new Tally();
  private final @Nullable Latencies latencies;
  private final MessageSchedule source;
  private final StreamReceiver receiver;
  private final ByteBuffer pattern = Pattern.twicePeriod();
  private final ByteBuffer ack = ByteBuffer.allocate(StreamReceiver.ACK_BYTES);
  private final CompletableFuture<Void> connected = new CompletableFuture<>();
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private ByteBuffer preamble = ByteBuffer.allocate(0);
  private @Nullable ByteBuffer scratch;
  private @Nullable InetSocketAddress marked;
  private @Nullable LedbatConnection connection;
  private boolean started;
  private boolean finished;
  private boolean waiting;
  private boolean timing;
  private boolean aborted;
  private int messageLeft;
  private long sentMicros;
  private long plannedMicros;

  /** An end that {@link #connect} or {@link #adopt} gives its connection. */
  LedbatEnd(
      NettyDriver driver,
      TestSpec spec,
      boolean sending,
      String controller,
      MicroClock clock,
      @Nullable Latencies latencies) {
    this.clock = clock;
    this.driver = driver;
    this.spec = spec;
    this.sending = sending;
    this.controller = controller;
    this.latencies = latencies;
    source = new MessageSchedule(spec);
    receiver = new StreamReceiver(spec, tally);
  }

  /**
   * Opens a connection of the session's; any thread.
   *
   * @return done when it is established; fails with an {@link EbbException}
   */
  CompletableFuture<Void> connect(InetSocketAddress server, Token token) {
    driver.execute(
        (endpoint, now) -> {
          preamble = ByteBuffer.wrap(ControlCodec.preamble(token, !sending));
          mark(server);
          LedbatConnection opened = driver.connect(endpoint, server, this, now);
          connection = opened;
          opened.write(preamble, now);
        });
    return connected;
  }

  private void mark(InetSocketAddress peer) {
    ServiceMark.of(spec)
        .ifPresent(
            tos -> {
              driver.mark(peer, tos);
              marked = peer;
            });
  }

  /** Takes over a connection that has said whose it is; on the driver's loop. */
  void adopt(LedbatConnection accepted) {
    connection = accepted;
    mark(accepted.remote());
    connected.complete(null);
    accepted.setListener(this);
    onReadable(accepted);
  }

  @Override
  public CompletableFuture<Optional<FlowFigures>> figures() {
    CompletableFuture<Optional<FlowFigures>> answer = new CompletableFuture<>();
    driver.execute((endpoint, now) -> tell(answer, 0, LOOKS, now));
    return answer;
  }

  /**
   * What this process had no time to read has come too: a receiver tells no figures while the loop
   * goes on finding many datagrams in the socket, but not for ever, for some paths are that fast.
   * Figures that took long are not of one moment, and are taken again.
   */
  private void tell(
      CompletableFuture<Optional<FlowFigures>> answer, long before, int looksLeft, long now) {
    LedbatConnection current = connection;
    if (current == null || current.isClosed()) {
      answer.complete(Optional.empty());
      return;
    }
    ConnectionStats stats = current.stats(now);
    FlowFigures told = figures(stats);
    long seen = stats.datagramsReceived();
    boolean more = !sending && seen - before > FEW_DATAGRAMS;
    // Java loads what it needs the first time; and other processes may have had the CPU.
    boolean late = driver.nowMicros() - now > LATE_MICROS;
    if (looksLeft > 1 && (more || late)) {
      driver.schedule(1, (endpoint, then) -> tell(answer, seen, looksLeft - 1, then));
    } else {
      answer.complete(Optional.of(told));
    }
  }

  private FlowFigures figures(ConnectionStats stats) {
    return sending
        ? LedbatColumns.ofSender(stats)
        : LedbatColumns.ofReceiver(stats, tally.counts().bytes());
  }

  @Override
  public List<String> facts() {
    return List.of(Keys.LEDBAT_CONTROLLER + controller);
  }

  @Override
  public void start() {
    driver.execute(
        (endpoint, now) -> {
          if (sending && !started) {
            started = true;
            source.start(now);
            fill();
          }
        });
  }

  @Override
  public void mark() {
    driver.execute((endpoint, now) -> source.mark(now));
  }

  @Override
  public void finish() {
    driver.execute(
        (endpoint, now) -> {
          source.stop();
          if (sending && !waiting) {
            fill();
          }
        });
  }

  @Override
  public void abort() {
    driver.execute(
        (endpoint, now) -> {
          aborted = true;
          LedbatConnection current = connection;
          if (current != null && !current.isClosed()) {
            current.abort(now);
          }
        });
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

  @Override
  public void onConnected(LedbatConnection established) {
    connected.complete(null);
    fill();
  }

  @Override
  public void onWritable(LedbatConnection writable) {
    if (sending) {
      fill();
    } else {
      writeAck(writable);
    }
  }

  private void fill() {
    LedbatConnection to = connection;
    if (to == null || to.isClosed() || finished) {
      return;
    }
    long now = driver.nowMicros();
    if (preamble.hasRemaining()) {
      to.write(preamble, now);
    }
    if (!started || preamble.hasRemaining()) {
      return;
    }
    boolean one = spec.mode() == Mode.STOP_AND_WAIT;
    while (true) {
      if (messageLeft > 0 && !writeRest(to, now)) {
        return;
      }
      if (waiting) {
        return;
      }
      if (source.exhausted()) {
        finished = true;
        sentAll.complete(null);
        to.finish(now);
        return;
      }
      long due = source.dueMicros(now);
      if (source.waitMicros(due) > 0) {
        later(source.pauseMicros(due));
        return;
      }
      if (one) {
        sentMicros = now;
        plannedMicros = source.plannedMicros(now);
        waiting = true;
      }
      // The whole of it is written before anything else is.
      long before = source.sentMessages();
      messageLeft = source.take(due, Pattern.PERIOD);
      tally.messages(source.sentMessages() - before);
    }
  }

  private boolean writeRest(LedbatConnection to, long now) {
    int from = (int) ((source.sentBytes() - messageLeft) & (Pattern.PERIOD - 1));
    pattern.limit(from + messageLeft).position(from);
    int taken = to.write(pattern, now);
    messageLeft -= taken;
    tally.bytes(taken, clock.nowMicros());
    return messageLeft == 0;
  }

  private void later(long micros) {
    if (!timing) {
      timing = true;
      driver.schedule(
          micros,
          (endpoint, now) -> {
            timing = false;
            fill();
          });
    }
  }

  @Override
  public void onReadable(LedbatConnection readable) {
    ByteBuffer into = scratch;
    if (into == null) {
      into = ByteBuffer.allocateDirect(sending ? StreamReceiver.ACK_BYTES : READ_BYTES);
      scratch = into;
    }
    long now = driver.nowMicros();
    if (sending) {
      readable.read(into, now);
      if (!into.hasRemaining() && waiting) {
        into.clear();
        waiting = false;
        Latencies to = latencies;
        if (to != null) {
          to.onRoundTrip(sentMicros, plannedMicros, now);
        }
        fill();
      }
      return;
    }
    long completed = 0;
    long arrivedMicros = clock.nowMicros();
    into.clear();
    while (readable.read(into, now) > 0) {
      completed += receiver.onBytes(into.flip(), arrivedMicros);
      into.clear();
    }
    if (completed > 0 && spec.mode() == Mode.STOP_AND_WAIT) {
      ack.clear().putLong(receiver.messages()).flip();
      writeAck(readable);
    }
  }

  private void writeAck(LedbatConnection to) {
    if (spec.mode() == Mode.STOP_AND_WAIT && ack.hasRemaining() && receiver.messages() > 0) {
      to.write(ack, driver.nowMicros());
    }
  }

  @Override
  public void onPeerFinished(LedbatConnection from) {
    onReadable(from);
    from.finish(driver.nowMicros());
  }

  @Override
  public void onClosed(LedbatConnection closed, CloseReason reason) {
    InetSocketAddress peer = marked;
    marked = null;
    if (peer != null) {
      driver.unmark(peer);
    }
    if (reason == CloseReason.FINISHED) {
      ended.complete(null);
      return;
    }
    boolean early = !connected.isDone();
    EbbException failure =
        new EbbException(
            early ? ExitCode.CANNOT_CONNECT : ExitCode.INCOMPLETE,
            early
                ? "no LEDBAT connection: UDP does not reach the server's port (" + reason + ")"
                : aborted ? "aborted" : "the LEDBAT connection broke: " + reason);
    connected.completeExceptionally(failure);
    sentAll.completeExceptionally(failure);
    ended.completeExceptionally(failure);
  }
}
