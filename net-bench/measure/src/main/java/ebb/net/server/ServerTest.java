package ebb.net.server;

import ebb.core.time.MicroClock;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.netty.NettyDriver;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.Latencies;
import ebb.net.flow.LedbatEnd;
import ebb.net.flow.Tally;
import ebb.net.flow.TcpEnd;
import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The server's ends of one test's flows, and what they have counted. It decides nothing about the
 * session; flows may join on any loop.
 */
final class ServerTest {
  /** Datagrams that were under way may still come. */
  private static final long QUIET_MICROS = 300_000;

  private final TestSpec spec;
  private final MicroClock clock;
  private final List<FlowEnd> receivers = new CopyOnWriteArrayList<>();
  private final List<FlowEnd> senders = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final AtomicInteger doneSenders = new AtomicInteger();
  private volatile FlowCounts receivedAtMark = FlowCounts.NONE;
  private volatile FlowCounts sentAtMark = FlowCounts.NONE;
  private volatile boolean going;
  private volatile boolean over;

  ServerTest(TestSpec spec, MicroClock clock) {
    this.spec = spec;
    this.clock = clock;
  }

  TestSpec spec() {
    return spec;
  }

  /** Whether another flow in this direction was announced. */
  private synchronized boolean hasRoom(boolean down) {
    return !over
        && (down ? spec.down() : spec.up())
        && (down ? senders : receivers).size() < spec.streams();
  }

  /** A connection that said whose it is; false when the test has none like it. */
  synchronized boolean addTcp(Channel channel, boolean down, Runnable expectSoon) {
    if (spec.protocol() != Protocol.TCP || !hasRoom(down)) {
      return false;
    }
    TcpEnd end = new TcpEnd(channel, spec, down, new Tally(), clock, new Latencies(), expectSoon);
    channel.pipeline().addLast(end);
    add(end, down);
    return true;
  }

  /** A connection that said whose it is; false when the test has none like it. */
  synchronized boolean addLedbat(NettyDriver driver, LedbatConnection connection, boolean down) {
    if (spec.protocol() != Protocol.LEDBAT || !hasRoom(down)) {
      return false;
    }
    LedbatEnd end = new LedbatEnd(driver, spec, down, new Tally(), new Latencies());
    add(end, down);
    end.adopt(connection);
    return true;
  }

  /** A flow that has proven its address. */
  synchronized void add(FlowEnd end, boolean down) {
    (down ? senders : receivers).add(end);
    if (down) {
      var unused =
          end.sentAll()
              .thenRun(
                  () -> {
                    if (doneSenders.incrementAndGet() == spec.streams()) {
                      sentAll.complete(null);
                    }
                  });
      if (going) {
        end.start();
      }
    }
  }

  /**
   * The senders begin, also those that join later.
   *
   * @return done when they have sent all they were asked for
   */
  synchronized CompletableFuture<Void> go() {
    going = true;
    senders.forEach(FlowEnd::start);
    return sentAll;
  }

  void mark() {
    receivedAtMark = received();
    sentAtMark = sent();
    receivers.forEach(end -> end.tally().forgetOneWay());
    senders.forEach(FlowEnd::mark);
  }

  /** Ends the senders in an orderly way. */
  void stop() {
    senders.forEach(FlowEnd::finish);
  }

  /** Whether nothing will change any more. */
  boolean isQuiet() {
    if (spec.protocol() != Protocol.UDP) {
      return allEnded(senders) && allEnded(receivers);
    }
    long now = clock.nowMicros();
    return allEnded(senders)
        && receivers.stream()
            .allMatch(
                end -> {
                  long last = end.tally().lastMicros();
                  return last == Long.MIN_VALUE || now - last > QUIET_MICROS;
                });
  }

  private static boolean allEnded(List<FlowEnd> ends) {
    return ends.stream().allMatch(end -> end.ended().isDone());
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
    return new Counts(last, serverMicros, received(), sent(), receivedAtMark, sentAtMark);
  }
}
