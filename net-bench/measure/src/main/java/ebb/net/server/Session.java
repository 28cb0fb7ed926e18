package ebb.net.server;

import ebb.core.time.MicroClock;
import ebb.ledbat.endpoint.SourceShares;
import ebb.net.control.ControlChannel;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Begin;
import ebb.net.control.ControlMessage.Counts;
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
import ebb.net.iperf.Iperf3Server;
import ebb.net.mechanism.FlowAcceptor;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's visit: its token, its test, and the reports to it; or a reservation, which has no
 * test. On the server's loop.
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

  private static final int REPORTS_PER_LOOK = 10;

  private final Channel control;
  private final boolean reservation;
  private final boolean guest;
  private final NetServer server;
  private final MicroClock clock;
  private final Consumer<Session> onEnd;
  private final Token token = Token.fresh();
  private final InetSocketAddress client;
  private final long startMicros;
  private final Future<?> reports;
  private long heardMicros;
  private long progressMicros;
  private long progressBytes;
  private int looksDue;
  private int reportsDue;
  private boolean counted;

  /** A report is being made. */
  private boolean looking;

  private boolean taking;
  private @Nullable FlowAcceptor acceptor;
  private volatile @Nullable SessionFlows test;

  /** Its control connection's other side where that is iperf3's. */
  private @Nullable Iperf3Server iperf3;

  /** Its place among those of its source. */
  SourceShares<Session>.@Nullable Share share;

  private long testMicros;
  private long stopMicros = Long.MIN_VALUE;
  private boolean over;
  private boolean complete;
  private String why = "";

  /**
   * A session that begins.
   *
   * @param reservation whether it keeps all others away but its guests
   * @param guest whether it measures under a reservation
   */
  Session(
      Channel control,
      boolean reservation,
      boolean guest,
      NetServer server,
      MicroClock clock,
      Consumer<Session> onEnd) {
    this.control = control;
    this.reservation = reservation;
    this.guest = guest;
    this.server = server;
    this.clock = clock;
    this.onEnd = onEnd;
    client = (InetSocketAddress) control.remoteAddress();
    startMicros = clock.nowMicros();
    heardMicros = startMicros;
    progressMicros = startMicros;
    testMicros = longestMicros();
    reports =
        control
            .eventLoop()
            .scheduleAtFixedRate(this::report, REPORT_MILLIS, REPORT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** A reservation is for many tests. */
  private long longestMicros() {
    long longest = server.limits().maxMicros();
    return reservation ? Math.max(longest, ServerLimits.DEFAULT_MAX_MICROS) : longest;
  }

  /** Says so to the client. */
  void begin() {
    send(new Welcome(token));
  }

  /** The same in iperf3's words. */
  void begin(Iperf3Server translator) {
    iperf3 = translator;
    begin();
  }

  boolean isIperf3() {
    return iperf3 != null;
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
    } else if (++looksDue % REPORTS_PER_LOOK == 0
        && idleMicros(now) > ServerLimits.IDLE_SECONDS * 1_000_000L) {
      refuse(
          Refusal.NOT_ALLOWED,
          "nothing was measured for " + ServerLimits.IDLE_SECONDS + " seconds");
    } else if (test != null) {
      reportTest(test, now);
    }
  }

  /** Something was measured, or is about to be. */
  void progressed() {
    progressMicros = clock.nowMicros();
  }

  /** For how long nothing was measured, beyond the pace that was asked for. */
  private long idleMicros(long now) {
    SessionFlows running = test;
    if (running == null) {
      if (reservation && server.sessions().hasGuests()) {
        progressMicros = now; // Its guests have bounds of their own.
      }
      return now - progressMicros;
    }
    long bytes = running.received().bytes() + running.sent().bytes();
    if (bytes != progressBytes) {
      progressBytes = bytes;
      progressMicros = now;
    }
    return now - progressMicros - running.spec().messageIntervalMicros();
  }

  /** Ends it for a client from another address, which has fewer sessions. */
  void makeWay() {
    refuse(Refusal.BUSY, "another client waits, and most clients of the server have this address");
  }

  /** Ends it if it measures nothing while another client waits for the place. */
  void makeWayIfIdle() {
    if (idleMicros(clock.nowMicros()) > ServerLimits.IDLE_WHILE_OTHERS_WAIT_SECONDS * 1_000_000L) {
      refuse(
          Refusal.BUSY,
          "another client waits, and nothing was measured for "
              + ServerLimits.IDLE_WHILE_OTHERS_WAIT_SECONDS
              + " seconds");
    }
  }

  private void reportTest(SessionFlows running, long now) {
    if (counted) {
      return; // The client has what it needs, and ends the session.
    }
    if (stopMicros != Long.MIN_VALUE && now - stopMicros > DRAIN_MICROS) {
      lastReport(running);
    } else if (control.isWritable()
        && !looking
        && ++reportsDue > server.sessions().size() / SESSIONS_PER_REPORT) {
      reportsDue = 0;
      looking = true;
      var unused = running.report().thenAcceptAsync(this::tell, control.eventLoop());
    }
  }

  private void tell(Counts counts) {
    looking = false;
    if (!counted && !over) {
      send(counts);
    }
  }

  private void lastReport(SessionFlows running) {
    if (!counted) {
      counted = true;
      send(running.lastReport());
      progressed();
    }
  }

  private void begin(TestSpec spec) {
    String refusal = server.limits().refusal(spec);
    if (!refusal.isEmpty()) {
      refuse(Refusal.NOT_ALLOWED, refusal);
      return;
    }
    Optional<FlowAcceptor> known = server.acceptor(spec.protocol());
    if (known.isEmpty()) {
      refuse(Refusal.NOT_ALLOWED, "this server does not know the protocol " + spec.protocol());
      return;
    }
    FlowAcceptor accepting = known.get();
    // Not the machine's time since it started, which is nobody's business.
    MicroClock since = this::micros;
    SessionFlows begun = new SessionFlows(token, spec, since);
    test = begun;
    acceptor = accepting;
    if (spec.maxMicros() > 0) {
      testMicros = micros() + spec.maxMicros() + GRACE_MICROS;
    } else {
      testMicros = longestMicros();
    }
    progressed();
    accepting.open(begun);
    if (iperf3 != null) {
      iperf3.begin(begun);
    }
    server.began(this, spec);
    send(new Ready(accepting.port()));
  }

  private void go(SessionFlows running) {
    progressed();
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
  @Nullable SessionFlows test() {
    return test;
  }

  boolean isReservation() {
    return reservation;
  }

  /** Whether a flow from there may be the session's. */
  boolean isFrom(InetSocketAddress from) {
    return client.getAddress().equals(from.getAddress());
  }

  /**
   * Ends the session because of a flow from another address: nobody knows whose that is.
   *
   * @return why
   */
  String refuseFlowFrom(InetSocketAddress from) {
    String why =
        "the data comes from "
            + from.getAddress().getHostAddress()
            + ", but the control connection from "
            + client.getAddress().getHostAddress()
            + ": both must have the same address (choose it with --bind)";
    refuse(Refusal.ADDRESS, why);
    return why;
  }

  /** A connection for data, which has shown the token and {@link #isFrom} the client. */
  boolean take(Channel data, boolean down) {
    return acceptor != null && test != null && acceptor.accept(data, test, down);
  }

  /** A connection for data of an iperf3 client, which comes in its turn. */
  boolean take(Channel data) {
    SessionFlows running = test;
    return running != null && take(data, running.nextIsDown());
  }

  /**
   * A datagram of an iperf3 client, from its address: the first of a flow, when one is missing.
   *
   * @return whether it was that
   */
  boolean take(InetSocketAddress from, ByteBuf answer) {
    SessionFlows running = test;
    FlowAcceptor accepting = acceptor;
    if (running == null || accepting == null || running.joined().isDone() || taking) {
      return false;
    }
    taking = true; // They come one by one, each when the one before was answered.
    InetSocketAddress local = (InetSocketAddress) control.localAddress();
    var unused =
        accepting
            .accept(running, local, from, answer, running.nextIsDown())
            .whenComplete(
                (taken, failure) -> {
                  taking = false;
                  answer.release();
                  if (failure != null) {
                    refuse(Refusal.NOT_ALLOWED, "no flow by UDP: " + failure.getMessage());
                  }
                });
    return true;
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
    } else if (message instanceof Begin begin && !reservation && test == null) {
      begin(begin.spec());
    } else if (message instanceof Go && test != null) {
      go(test);
    } else if (message instanceof Mark && test != null) {
      test.mark();
    } else if (message instanceof Stop && test != null) {
      stopMicros = clock.nowMicros();
      SessionFlows running = test;
      var unused = running.stop().thenRunAsync(() -> lastReport(running), control.eventLoop());
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
    if (over) {
      return;
    }
    Refused refused = new Refused(ControlMessage.VERSION, refusal, reason);
    var unused = ControlChannel.sendAndClose(control, refused);
    end(false, reason);
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
    SessionFlows running = test;
    if (running != null) {
      running.abort();
    }
    if (acceptor != null) {
      acceptor.close(token);
    }
    onEnd.accept(this);
  }

  SessionReport summary() {
    SessionFlows ran = test;
    return new SessionReport(
        client,
        complete,
        micros(),
        why,
        guest,
        ran == null ? null : ran.spec(),
        ran == null ? FlowCounts.NONE : ran.received(),
        ran == null ? FlowCounts.NONE : ran.sent());
  }
}
