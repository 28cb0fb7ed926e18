package ebb.net.server;

import ebb.core.time.MicroClock;
import ebb.ledbat.connection.LedbatConnection;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Arrived;
import ebb.net.control.ControlMessage.Begin;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Mark;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Pong;
import ebb.net.control.ControlMessage.Ready;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.SentAll;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.control.ControlMessage.Welcome;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's visit: its token, what has arrived, and the reports to it. On the server's TCP loop,
 * except for the counters and the LEDBAT connections, which are on the driver's.
 */
final class Session {
  private static final int REPORT_MILLIS = 100;

  /** So many clients more make reports rarer by one: they must not be what is measured. */
  private static final int SESSIONS_PER_REPORT = 50;

  /** A client pings once a second; one that has gone away must not keep others out. */
  private static final long SILENCE_MICROS = 15_000_000;

  /** After a client's {@link Stop}, what is under way may take this long. */
  private static final long DRAIN_MICROS = 10_000_000;

  /** What a test may take beyond its own time: connecting, draining. */
  private static final long GRACE_MICROS = 30_000_000;

  private final Channel control;
  private final boolean shared;
  private final NetServer server;
  private final MicroClock clock;
  private final Consumer<Session> onEnd;
  private final Token token = Token.fresh();
  private final InetSocketAddress client;
  private final long startMicros;
  private final AtomicLong ledbatBytes = new AtomicLong();
  private final AtomicLong tcpBytes = new AtomicLong();
  private final Set<Channel> data = new HashSet<>();
  private final Set<LedbatConnection> ledbat = new HashSet<>();
  private final Future<?> reports;
  private long heardMicros;
  private int reportsDue;
  private volatile @Nullable ServerTest test;
  private long testMicros = ServerLimits.LONGEST_MICROS;
  private long stopMicros = Long.MIN_VALUE;
  private boolean over;
  private boolean complete;
  private String why = "";

  /**
   * A session that begins.
   *
   * @param shared whether it lets others measure too
   */
  Session(
      Channel control,
      boolean shared,
      NetServer server,
      MicroClock clock,
      Consumer<Session> onEnd) {
    this.control = control;
    this.shared = shared;
    this.server = server;
    this.clock = clock;
    this.onEnd = onEnd;
    client = (InetSocketAddress) control.remoteAddress();
    startMicros = clock.nowMicros();
    heardMicros = startMicros;
    reports =
        control
            .eventLoop()
            .scheduleAtFixedRate(this::report, REPORT_MILLIS, REPORT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Says so to the client. */
  void begin() {
    send(new Welcome(token));
  }

  Token token() {
    return token;
  }

  InetSocketAddress client() {
    return client;
  }

  private long micros() {
    return clock.nowMicros() - startMicros;
  }

  private void report() {
    long now = clock.nowMicros();
    if (now - heardMicros > SILENCE_MICROS) {
      end(false, "the client fell silent");
      ControlChannel.close(control);
    } else if (now - startMicros > testMicros) {
      refuse(Refusal.NOT_ALLOWED, "the test took longer than it may");
    } else if (test != null) {
      reportTest(test, now);
    } else if (!shared && control.isWritable()) {
      send(new Arrived(micros(), ledbatBytes.get(), tcpBytes.get()));
    }
  }

  private void reportTest(ServerTest running, long now) {
    boolean stopping = stopMicros != Long.MIN_VALUE;
    boolean last = stopping && (running.isQuiet() || now - stopMicros > DRAIN_MICROS);
    if (last) {
      send(running.counts(true, micros()));
      reports.cancel(false);
    } else if (control.isWritable() && ++reportsDue > server.sessions() / SESSIONS_PER_REPORT) {
      reportsDue = 0;
      send(running.counts(false, micros()));
    }
  }

  private void begin(TestSpec spec) {
    String refusal = server.limits().refusal(spec);
    if (!refusal.isEmpty()) {
      refuse(Refusal.NOT_ALLOWED, refusal);
      return;
    }
    // Not the machine's time since it started, which is nobody's business.
    MicroClock since = this::micros;
    ServerTest begun = new ServerTest(spec, since);
    test = begun;
    if (spec.maxMicros() > 0) {
      testMicros = micros() + spec.maxMicros() + GRACE_MICROS;
    } else {
      testMicros = server.limits().longestMicros();
    }
    if (spec.protocol() == TestSpec.Protocol.UDP) {
      server.udp().open(token, spec, since, begun::add);
    }
    server.began(this, spec);
    send(new Ready(server.udp().localAddress().getPort()));
  }

  private void go(ServerTest running) {
    var unused =
        running
            .go()
            .whenComplete(
                (done, broken) -> {
                  if (running.spec().down() && broken == null) {
                    send(new SentAll());
                  }
                });
  }

  /** The test that runs; null when there is none. */
  @Nullable ServerTest test() {
    return test;
  }

  boolean isShared() {
    return shared;
  }

  /** A message on the control connection. */
  void onMessage(ControlMessage message) {
    heardMicros = clock.nowMicros();
    if (message instanceof Ping ping) {
      if (control.isWritable()) {
        send(new Pong(ping.clientMicros(), micros()));
      }
    } else if (message instanceof ControlMessage.End) {
      end(true, "");
      ControlChannel.close(control);
    } else if (message instanceof Begin begin && shared && test == null) {
      begin(begin.spec());
    } else if (message instanceof Go && test != null) {
      go(test);
    } else if (message instanceof Mark && test != null) {
      test.mark();
    } else if (message instanceof Stop && test != null) {
      stopMicros = clock.nowMicros();
      test.stop();
      report();
    } else if (message instanceof ControlMessage.Malformed malformed) {
      refuse(Refusal.MALFORMED, malformed.why());
    } else {
      refuse(Refusal.MALFORMED, "a message out of turn");
    }
  }

  private void send(ControlMessage message) {
    ControlChannel.send(control, message);
  }

  /** Tells the client why there will be no more. */
  void refuse(Refusal refusal, String reason) {
    Refused refused = new Refused(ControlMessage.VERSION, refusal, reason);
    var unused = ControlChannel.sendAndClose(control, refused);
    end(false, reason);
  }

  /** A TCP connection brings bytes. */
  void addData(Channel channel) {
    data.add(channel);
  }

  void removeData(Channel channel) {
    data.remove(channel);
  }

  void onTcpBytes(long bytes) {
    tcpBytes.addAndGet(bytes);
  }

  /** On the driver's loop. */
  void onLedbatBytes(LedbatConnection connection, long bytes) {
    ledbat.add(connection);
    ledbatBytes.addAndGet(bytes);
  }

  /** On the driver's loop. */
  void removeLedbat(LedbatConnection connection) {
    ledbat.remove(connection);
  }

  /** On the driver's loop, when the session is over. */
  void abortLedbat(long nowMicros) {
    Set.copyOf(ledbat).forEach(connection -> connection.abort(nowMicros));
  }

  /** Whatever the reason; the first one counts. */
  void end(boolean done, String reason) {
    if (over) {
      return;
    }
    over = true;
    complete = done;
    why = reason;
    reports.cancel(false);
    Set.copyOf(data).forEach(ControlChannel::close);
    ServerTest running = test;
    if (running != null) {
      running.abort();
      server.udp().close(token);
    }
    onEnd.accept(this);
  }

  SessionReport summary() {
    ServerTest ran = test;
    return new SessionReport(
        client,
        complete,
        micros(),
        ledbatBytes.get(),
        tcpBytes.get(),
        why,
        ran == null ? null : ran.spec(),
        ran == null ? FlowCounts.NONE : ran.received(),
        ran == null ? FlowCounts.NONE : ran.sent());
  }
}
