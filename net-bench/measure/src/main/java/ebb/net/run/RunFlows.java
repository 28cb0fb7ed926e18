package ebb.net.run;

import ebb.core.time.MicroClock;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.flow.Column;
import ebb.net.flow.FlowLook;
import ebb.net.mechanism.FlowOpener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The client's flows of a run. On the run's loop. */
final class RunFlows {
  /**
   * All of them at one moment.
   *
   * @param arrived of each, as far as this side knows
   */
  record Seen(List<FlowLook> looks, List<Long> arrived) {
    /** What nobody has acknowledged. */
    private long underWay(int flow) {
      return Math.max(0, looks.get(flow).counts().bytes() - arrived.get(flow));
    }
  }

  private final FlowOpener opener;
  private final List<RunFlow> flows = new ArrayList<>();
  private List<String> facts = List.of();
  private boolean closed;

  RunFlows(FlowOpener opener) {
    this.opener = opener;
  }

  /**
   * Opens all of them.
   *
   * @param loop the run's
   * @return done on the loop, when the server has taken all
   */
  CompletableFuture<Void> open(TestSpec spec, Executor loop) {
    List<CompletableFuture<RunFlow>> opening = new ArrayList<>();
    for (int stream = 0; stream < spec.streams(); stream++) {
      for (boolean sending : new boolean[] {true, false}) {
        if (sending ? spec.up() : spec.down()) {
          int number = stream + 1;
          opening.add(
              opener
                  .open(stream, sending)
                  .thenApplyAsync(end -> opened(new RunFlow(number, sending, end)), loop));
        }
      }
    }
    return all(opening.stream())
        .thenRunAsync(
            () -> {
              flows.clear();
              opening.forEach(flow -> flows.add(flow.join()));
              facts = flows.get(0).end.facts();
            },
            loop);
  }

  private RunFlow opened(RunFlow flow) {
    flows.add(flow);
    if (closed) {
      flow.end.abort();
    }
    return flow;
  }

  private static CompletableFuture<Void> all(Stream<? extends CompletableFuture<?>> parts) {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
  }

  private Stream<RunFlow> of(boolean sending) {
    return flows.stream().filter(flow -> flow.sending == sending);
  }

  void start() {
    flows.forEach(flow -> flow.end.start());
  }

  /** Intervals begin now. */
  void begin() {
    flows.forEach(RunFlow::begin);
  }

  /** The warm-up is over. */
  void mark() {
    for (RunFlow flow : flows) {
      flow.end.tally().forgetOneWay();
      flow.end.mark();
    }
  }

  /** Done when this side's senders have sent all that was asked of them. */
  CompletableFuture<Void> sentAll() {
    return all(of(true).map(flow -> flow.end.sentAll()));
  }

  /** Fails when one breaks; otherwise never done. */
  CompletableFuture<Void> broken() {
    CompletableFuture<Void> broken = new CompletableFuture<>();
    for (RunFlow flow : flows) {
      // Only failures count here: a flow that has ended well is no reason to end the others.
      var unused = flow.end.ended().exceptionally(why -> fail(broken, why));
    }
    return broken;
  }

  private static Void fail(CompletableFuture<Void> broken, Throwable why) {
    broken.completeExceptionally(why);
    return null;
  }

  /** This side's senders end; for streams that is when the server has everything. */
  CompletableFuture<Void> finishSenders() {
    of(true).forEach(flow -> flow.end.finish());
    return all(of(true).map(flow -> flow.end.ended()));
  }

  /** The same without what they have not sent. */
  CompletableFuture<Void> dropSenders() {
    of(true).forEach(flow -> flow.end.abort());
    return all(of(true).map(flow -> flow.end.ended().exceptionally(aborted -> null)));
  }

  /** Ends what has not ended of one direction, with what has come so far. */
  void drop(boolean sending) {
    of(sending).filter(flow -> !flow.end.ended().isDone()).forEach(flow -> flow.end.drop());
  }

  /**
   * How long what this side has written and nobody has acknowledged would take, at the rate of the
   * whole run.
   */
  long pendingMicros(List<FlowLook> looks, long runMicros) {
    long written = 0;
    long acked = 0;
    for (int i = 0; i < flows.size(); i++) {
      Optional<Long> known = looks.get(i).figures().map(told -> told.values().get(Column.ACKED));
      if (flows.get(i).sending && known.isPresent()) {
        written += looks.get(i).counts().bytes();
        acked += known.get();
      }
    }
    return acked == 0 ? 0 : (long) ((double) Math.max(0, written - acked) * runMicros / acked);
  }

  /** Done when nothing more can come to this side, which the server's senders have left. */
  CompletableFuture<Void> drainReceivers() {
    return all(of(false).map(flow -> flow.end.drained()))
        .thenCompose(
            drained -> {
              of(false).forEach(flow -> flow.end.finish());
              return all(of(false).map(flow -> flow.end.ended()));
            });
  }

  /** Looks at all of them, in their order. */
  CompletableFuture<List<FlowLook>> look(MicroClock clock) {
    return FlowLook.at(flows.stream().map(flow -> flow.end).toList(), clock);
  }

  /** For the last interval. */
  void remember(List<FlowLook> looks) {
    for (int i = 0; i < flows.size(); i++) {
      flows.get(i).remember(looks.get(i).figures());
    }
  }

  /** Now. */
  Seen see(List<FlowLook> looks) {
    List<Long> arrived = new ArrayList<>();
    for (int i = 0; i < flows.size(); i++) {
      arrived.add(flows.get(i).arrived(looks.get(i)));
    }
    return new Seen(looks, arrived);
  }

  /** What had been sent, or had arrived. */
  FlowCounts counts(Seen seen, boolean sending) {
    List<FlowCounts> counts = new ArrayList<>();
    long arrived = 0;
    for (int i = 0; i < flows.size(); i++) {
      if (flows.get(i).sending == sending) {
        counts.add(seen.looks.get(i).counts());
        arrived += seen.arrived.get(i);
      }
    }
    FlowCounts sum = FlowCounts.sum(counts);
    return sending ? sum : sum.of(arrived, sum.messages());
  }

  /**
   * The interval since this was last called.
   *
   * @param seen at its end
   * @param micros its length in each direction
   * @param toldBytes what the server told to have come of all streams in it; below zero where only
   *     this side knows
   */
  List<FlowSample> sample(Seen seen, RunOutcome.Receiving micros, long toldBytes) {
    long[] arrived = new long[flows.size()];
    for (int i = 0; i < arrived.length; i++) {
      arrived[i] = flows.get(i).arrivedSince(seen.arrived.get(i));
    }
    if (toldBytes >= 0) {
      share(seen, arrived, toldBytes);
    }
    List<FlowSample> samples = new ArrayList<>();
    for (int i = 0; i < arrived.length; i++) {
      long length = flows.get(i).sending ? micros.up() : micros.down();
      samples.add(flows.get(i).sample(seen.looks.get(i), length, arrived[i]));
    }
    return samples;
  }

  /**
   * What the server got of all is the streams' in the parts that were acknowledged; what was not
   * yet, in the parts in which it is under way. Of one stream it is exact.
   */
  private void share(Seen seen, long[] arrived, long toldBytes) {
    int[] senders = IntStream.range(0, arrived.length).filter(i -> flows.get(i).sending).toArray();
    long acknowledged = Arrays.stream(senders).mapToLong(i -> arrived[i]).sum();
    double underWay = Arrays.stream(senders).mapToLong(seen::underWay).sum();
    double more = underWay == 0 ? 0 : Math.max(0, toldBytes - acknowledged) / underWay;
    long[] shares =
        Shares.of(
            toldBytes,
            Arrays.stream(senders)
                .mapToDouble(i -> arrived[i] + more * seen.underWay(i))
                .toArray());
    for (int i = 0; i < senders.length; i++) {
      arrived[senders[i]] = shares[i];
    }
  }

  /** Those of one direction together. */
  FlowCounts total(boolean sending) {
    return FlowCounts.sum(of(sending).map(flow -> flow.end.tally().counts()).toList());
  }

  /** When something last came; {@link Long#MIN_VALUE} before that. */
  long lastArrivalMicros() {
    return lastMicros(false);
  }

  /** When something last went, or came; {@link Long#MIN_VALUE} before that. */
  long lastMicros(boolean sending) {
    return of(sending)
        .mapToLong(flow -> flow.end.tally().lastMicros())
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /** Words about them, from the first when it was opened. */
  List<String> facts() {
    return facts;
  }

  void close() {
    closed = true;
    flows.forEach(flow -> flow.end.abort());
    opener.close();
  }
}
