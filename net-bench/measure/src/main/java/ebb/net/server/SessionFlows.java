package ebb.net.server;

import ebb.core.time.MicroClock;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.FlowLook;
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
  private volatile CompletableFuture<Void> marked = CompletableFuture.completedFuture(null);
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

  /** The warm-up is over: what has come by now does not count, read or not. */
  void mark() {
    receivers.forEach(end -> end.tally().forgetOneWay());
    senders.forEach(FlowEnd::mark);
    marked =
        FlowLook.at(receivers, clock)
            .thenAccept(
                looks -> {
                  countedFromMicros =
                      looks.isEmpty() ? clock.nowMicros() : FlowLook.momentMicros(looks);
                  FlowCounts read = counts(looks);
                  receivedAtMark = read.of(cameBytes(looks), read.messages());
                  sentAtMark = sent();
                });
  }

  private static FlowCounts counts(List<FlowLook> looks) {
    return FlowCounts.sum(looks.stream().map(FlowLook::counts).toList());
  }

  private static long cameBytes(List<FlowLook> looks) {
    return looks.stream().mapToLong(FlowLook::cameBytes).sum();
  }

  /**
   * Ends the senders in an orderly way.
   *
   * @return done when nothing will change any more
   */
  CompletableFuture<Void> stop() {
    senders.forEach(FlowEnd::finish);
    return all(
        Stream.of(
                Stream.of(marked),
                senders.stream().map(FlowEnd::ended).map(SessionFlows::either),
                receivers.stream().map(FlowEnd::drained).map(SessionFlows::either))
            .flatMap(parts -> parts));
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

  /** What has come by now, and when that was so. */
  CompletableFuture<Counts> report() {
    return FlowLook.at(receivers, clock)
        .thenApply(
            looks -> {
              long at = looks.isEmpty() ? clock.nowMicros() : FlowLook.momentMicros(looks);
              return counts(false, at, cameBytes(looks), counts(looks));
            });
  }

  /** What came in all, and when the last of it did. */
  Counts lastReport() {
    FlowCounts received = received();
    long at = lastCameMicros();
    return counts(true, at == Long.MIN_VALUE ? clock.nowMicros() : at, received.bytes(), received);
  }

  private long lastCameMicros() {
    return receivers.stream()
        .mapToLong(end -> end.tally().lastMicros())
        .max()
        .orElse(Long.MIN_VALUE);
  }

  private Counts counts(boolean last, long atMicros, long cameBytes, FlowCounts received) {
    long receiving = Math.max(0, Math.max(lastCameMicros(), countedFromMicros) - countedFromMicros);
    return new Counts(
        last, atMicros, cameBytes, receiving, received, sent(), receivedAtMark, sentAtMark);
  }
}
