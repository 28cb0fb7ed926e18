package ebb.net.peer;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.PayloadAck;
import ebb.core.kompics.PayloadMsg;
import ebb.core.kompics.PunctualComponent;
import ebb.core.time.MicroClock;
import java.util.BitSet;
import java.util.function.Consumer;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;
import se.sics.kompics.timer.ScheduleTimeout;
import se.sics.kompics.timer.Timeout;
import se.sics.kompics.timer.Timer;

/**
 * Keeps a window of unacknowledged packages full for some seconds, then waits for the rest of the
 * acknowledgements. Every package must be acknowledged exactly once.
 */
public final class PeerClient extends ComponentDefinition {
  private static final byte[] CONTENT = new byte[PeerReport.PACKAGE_BYTES];
  private static final long LAST_ACKS_MILLIS = 30_000;

  private final Positive<Network> network = requires(Network.class);
  private final Positive<NetworkControl> networkControl = requires(NetworkControl.class);
  private final Positive<Timer> timer = requires(Timer.class);
  private final MicroClock clock = MicroClock.system();
  private final Init init;
  private final EbbHeader header;

  // Numbers from firstOpen on, relative to it: which were acknowledged out of turn.
  private final BitSet acknowledged = new BitSet();
  private long firstOpen;
  private long sent;
  private long acks;
  private long acksThisSecond;
  private long doubled;
  private long firstMicros;
  private long lastMicros;
  private long secondMicros;
  private boolean connected;
  private boolean sending;
  private boolean done;
  private String problem = "";

  public PeerClient(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    header = new EbbHeader(init.self, init.server, Transport.LEDBAT);
    handle(control, Start.class, this::handleStart);
    handle(network, PayloadAck.class, this::handleAck);
    handle(networkControl, ConnectionStatus.Established.class, e -> connected = true);
    handle(networkControl, NetworkException.class, e -> problem = e.message);
    handle(networkControl, ConnectionStatus.Dropped.class, this::handleDropped);
    handle(timer, PeerServer.Second.class, this::handleSecond);
    handle(timer, SendingOver.class, this::handleSendingOver);
    handle(timer, WaitingOver.class, this::handleWaitingOver);
  }

  private void handleStart(Start start) {
    firstMicros = clock.nowMicros();
    secondMicros = firstMicros;
    sending = true;
    trigger(PeerServer.Second.every(), timer);
    ScheduleTimeout over = new ScheduleTimeout(init.millis);
    over.setTimeoutEvent(new SendingOver(over));
    trigger(over, timer);
    fill();
  }

  private void fill() {
    while (sending && sent - acks < init.window) {
      trigger(new PayloadMsg(header, sent++, CONTENT), network);
    }
  }

  private void handleAck(PayloadAck ack) {
    lastMicros = clock.nowMicros();
    long index = ack.number() - firstOpen;
    if (ack.number() >= sent || index < 0 || acknowledged.get((int) index)) {
      doubled++;
      return;
    }
    acks++;
    acksThisSecond++;
    acknowledged.set((int) index);
    if (index == 0) {
      int run = acknowledged.nextClearBit(0);
      firstOpen += run;
      shift(run);
    }
    fill();
    finishWhenAllCame();
  }

  private void shift(int by) {
    if (by == acknowledged.length()) {
      acknowledged.clear();
    } else {
      BitSet rest = acknowledged.get(by, acknowledged.length());
      acknowledged.clear();
      acknowledged.or(rest);
    }
  }

  private void handleSecond(PeerServer.Second second) {
    long nowMicros = clock.nowMicros();
    if (connected && !done) {
      init.lines.accept(PeerServer.Second.line(acksThisSecond, nowMicros - secondMicros));
    }
    acksThisSecond = 0;
    secondMicros = nowMicros;
  }

  private void handleSendingOver(SendingOver over) {
    sending = false;
    ScheduleTimeout wait = new ScheduleTimeout(LAST_ACKS_MILLIS);
    wait.setTimeoutEvent(new WaitingOver(wait));
    trigger(wait, timer);
    finishWhenAllCame();
  }

  private void handleWaitingOver(WaitingOver over) {
    finish("the last acknowledgements did not come");
  }

  private void handleDropped(ConnectionStatus.Dropped dropped) {
    if (dropped.peer.sameHostAs(init.server) && sent > acks) {
      String reason = problem.isEmpty() ? "the connection ended" : problem;
      finish((connected ? "lost " : "cannot reach ") + init.server + ": " + reason);
    }
  }

  private void finishWhenAllCame() {
    if (!sending && acks == sent) {
      finish("");
    }
  }

  private void finish(String failure) {
    if (!done) {
      done = true;
      sending = false;
      long micros = Math.max(0, lastMicros - firstMicros);
      init.report.accept(
          new PeerReport(sent, acks, sent - acks, doubled, micros, failure, !connected));
    }
  }

  private static final class SendingOver extends Timeout {
    SendingOver(ScheduleTimeout request) {
      super(request);
    }
  }

  private static final class WaitingOver extends Timeout {
    WaitingOver(ScheduleTimeout request) {
      super(request);
    }
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<PeerClient> {
    final EbbAddress self;
    final EbbAddress server;
    final int window;
    final long millis;
    final Consumer<String> lines;
    final Consumer<PeerReport> report;

    /**
     * @param window packages that may be unacknowledged, at least 1
     * @param millis how long to send
     * @param lines takes a line for each second
     * @param report takes the figures once, at the end
     */
    Init(
        EbbAddress self,
        EbbAddress server,
        int window,
        long millis,
        Consumer<String> lines,
        Consumer<PeerReport> report) {
      this.self = self;
      this.server = server;
      this.window = window;
      this.millis = millis;
      this.lines = lines;
      this.report = report;
    }
  }
}
