package ebb.net.server;

import ebb.core.time.MicroClock;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;
import ebb.net.iperf.Iperf3Server;
import ebb.net.mechanism.ServerSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The server's ends of one test's flows, and what they have counted. It decides nothing about the
 * session; flows may join on any loop.
 */
final class SessionFlows implements ServerSession, Iperf3Server.Test {
  private final Token token;
  private final TestSpec spec;
  private final MicroClock clock;
  private final List<FlowEnd> receivers = new CopyOnWriteArrayList<>();
  private final List<FlowEnd> senders = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final CompletableFuture<Void> joined = new CompletableFuture<>();
  private volatile FlowCounts receivedAtMark = FlowCounts.NONE;
  private volatile FlowCounts sentAtMark = FlowCounts.NONE;
  private volatile long countedFromMicros;
  private volatile boolean going;
  private volatile boolean over;

  SessionFlows(Token token, TestSpec spec, MicroClock clock) {
    this.token = token;
    this.spec = spec;
    this.clock = clock;
  }

  @Override
  public Token token() {
    return token;
  }

  @Override
  public TestSpec spec() {
    return spec;
  }

  @Override
  public MicroClock clock() {
    return clock;
  }

  @Override
  public synchronized boolean add(FlowEnd end, boolean down) {
    List<FlowEnd> ends = down ? senders : receivers;
    boolean announced = (down ? spec.down() : spec.up()) && ends.size() < spec.streams();
    if (over || !announced) {
      return false;
    }
    ends.add(end);
    if (down) {
      if (senders.size() == spec.streams()) {
        var unused =
            all(senders.stream().map(FlowEnd::sentAll)).thenRun(() -> sentAll.complete(null));
      }
      if (going) {
        end.start();
      }
    }
    if (receivers.size() == (spec.up() ? spec.streams() : 0)
        && senders.size() == (spec.down() ? spec.streams() : 0)) {
      joined.complete(null);
    }
    return true;
  }

  @Override
  public CompletableFuture<Void> joined() {
    return joined;
  }

  @Override
  public List<FlowEnd> ends() {
    return Stream.concat(receivers.stream(), senders.stream()).toList();
  }

  @Override
  public int receivers() {
    return receivers.size();
  }

  /** Of flows that come in an order and do not say it: those that this side receives are first. */
  boolean nextIsDown() {
    return receivers.size() == (spec.up() ? spec.streams() : 0);
  }

  private static CompletableFuture<Void> all(Stream<CompletableFuture<Void>> parts) {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
  }

  /**
   * The senders begin, also those that join later.
   *
   * @return done when they have sent all they were asked for
   */
  synchronized CompletableFuture<Void> go() {
    countedFromMicros = clock.nowMicros();
    going = true;
    senders.forEach(FlowEnd::start);
    return sentAll;
  }

  void mark() {
    countedFromMicros = clock.nowMicros();
    receivedAtMark = received();
    sentAtMark = sent();
    receivers.forEach(end -> end.tally().forgetOneWay());
    senders.forEach(FlowEnd::mark);
  }

  /**
   * Ends the senders in an orderly way.
   *
   * @return done when nothing will change any more
   */
  CompletableFuture<Void> stop() {
    senders.forEach(FlowEnd::finish);
    return all(
        Stream.concat(
            senders.stream().map(FlowEnd::ended).map(SessionFlows::either),
            receivers.stream().map(FlowEnd::drained).map(SessionFlows::either)));
  }

  /** Also when it failed. */
  private static CompletableFuture<Void> either(CompletableFuture<Void> end) {
    return end.handle((done, broken) -> null);
  }

  void abort() {
    over = true;
    receivers.forEach(FlowEnd::abort);
    senders.forEach(FlowEnd::abort);
  }

  FlowCounts received() {
    return FlowCounts.sum(receivers.stream().map(end -> end.tally().counts()).toList());
  }

  FlowCounts sent() {
    return FlowCounts.sum(senders.stream().map(end -> end.tally().counts()).toList());
  }

  Counts counts(boolean last, long serverMicros) {
    long lastCame =
        receivers.stream().mapToLong(end -> end.tally().lastMicros()).max().orElse(Long.MIN_VALUE);
    long receivingMicros = Math.max(0, Math.max(lastCame, countedFromMicros) - countedFromMicros);
    return new Counts(
        last, serverMicros, receivingMicros, received(), sent(), receivedAtMark, sentAtMark);
  }
}
