package ebb.net.peer;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.PayloadMsg;
import ebb.core.kompics.PunctualComponent;
import ebb.core.time.MicroClock;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.network.Network;
import se.sics.kompics.timer.SchedulePeriodicTimeout;
import se.sics.kompics.timer.Timeout;
import se.sics.kompics.timer.Timer;

/** Acknowledges every package, and says each second how many came. */
public final class PeerServer extends ComponentDefinition {
  private static final int MAX_CLIENTS_REMEMBERED = 10_000;

  private final Positive<Network> network = requires(Network.class);
  private final Positive<Timer> timer = requires(Timer.class);
  private final MicroClock clock = MicroClock.system();
  private final Init init;
  private final Map<InetSocketAddress, Long> nextNumbers = new HashMap<>();
  private long total;
  private long thisSecond;
  private long lost;
  private long doubled;
  private long firstMicros;
  private long lastMicros;
  private long secondMicros;

  public PeerServer(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    handle(control, Start.class, this::handleStart);
    handle(network, PayloadMsg.class, this::handlePackage);
    handle(timer, Second.class, this::handleSecond);
  }

  private void handleStart(Start start) {
    secondMicros = clock.nowMicros();
    trigger(Second.every(), timer);
  }

  private void handlePackage(PayloadMsg message) {
    lastMicros = clock.nowMicros();
    if (total == 0) {
      firstMicros = lastMicros;
    }
    total++;
    thisSecond++;
    check(message);
    trigger(message.ack(), network);
  }

  /** Packages of one client come in order without gaps, so the next number is known. */
  private void check(PayloadMsg message) {
    InetSocketAddress client = message.getHeader().source().asSocket();
    if (nextNumbers.size() >= MAX_CLIENTS_REMEMBERED && !nextNumbers.containsKey(client)) {
      nextNumbers.clear();
    }
    if (message.number() > 0) {
      long expected = nextNumbers.getOrDefault(client, message.number());
      if (message.number() < expected) {
        doubled++;
      } else {
        lost += message.number() - expected;
      }
    }
    nextNumbers.put(client, message.number() + 1);
  }

  private void handleSecond(Second second) {
    long nowMicros = clock.nowMicros();
    if (thisSecond > 0) {
      init.lines.accept(Second.line(thisSecond, nowMicros - secondMicros));
    }
    thisSecond = 0;
    secondMicros = nowMicros;
    init.report.accept(
        new PeerReport(total, total, lost, doubled, lastMicros - firstMicros, "", false));
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<PeerServer> {
    final EbbAddress self;
    final Consumer<String> lines;
    final Consumer<PeerReport> report;

    /**
     * @param lines takes a line for each second in which something came
     * @param report takes the figures so far, each second
     */
    Init(EbbAddress self, Consumer<String> lines, Consumer<PeerReport> report) {
      this.self = self;
      this.lines = lines;
      this.report = report;
    }
  }

  /** A second has passed. */
  static final class Second extends Timeout {
    private Second(SchedulePeriodicTimeout request) {
      super(request);
    }

    static SchedulePeriodicTimeout every() {
      SchedulePeriodicTimeout request = new SchedulePeriodicTimeout(1_000, 1_000);
      request.setTimeoutEvent(new Second(request));
      return request;
    }

    static String line(long packages, long micros) {
      return "Received %d packages for effective bandwidth of %.1f KiB/s"
          .formatted(packages, PeerReport.kibibytesPerSecond(packages, Math.max(1, micros)));
    }
  }
}
