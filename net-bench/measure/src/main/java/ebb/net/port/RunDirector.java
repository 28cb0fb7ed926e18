package ebb.net.port;

import ebb.core.kompics.PunctualComponent;
import ebb.net.control.TestSpec.Mode;
import ebb.net.port.RunEvents.Failed;
import ebb.net.port.RunEvents.Finished;
import ebb.net.port.RunEvents.Sampled;
import ebb.net.port.RunEvents.StartRun;
import ebb.net.port.RunEvents.StopRun;
import ebb.net.run.RunOutcome;
import ebb.net.run.RunPlan;
import ebb.net.run.RunSample;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;

/** Asks for runs on behalf of code that is no component, and hands back what they found. */
public final class RunDirector extends ComponentDefinition {
  private final Positive<StreamingPort> streaming = requires(StreamingPort.class);
  private final Positive<StopAndWaitPort> stopAndWait = requires(StopAndWaitPort.class);
  private final AtomicLong nextId = new AtomicLong(1);
  private final Map<Long, Asked> asked = new ConcurrentHashMap<>();

  private record Asked(Consumer<RunSample> onSample, CompletableFuture<RunOutcome> outcome) {}

  public RunDirector(Init init) {
    super(PunctualComponent.class);
    handle(control, Start.class, started -> init.started.complete(this));
    handle(streaming, Sampled.class, this::onSampled);
    handle(streaming, Finished.class, this::onFinished);
    handle(streaming, Failed.class, this::onFailed);
    handle(stopAndWait, Sampled.class, this::onSampled);
    handle(stopAndWait, Finished.class, this::onFinished);
    handle(stopAndWait, Failed.class, this::onFailed);
  }

  /** Starts a run; any thread. The future fails with the cause when it cannot begin. */
  public CompletableFuture<RunOutcome> run(
      RunPlan plan, Consumer<RunSample> onSample, LongConsumer onRoundTrip) {
    long id = nextId.getAndIncrement();
    CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();
    asked.put(id, new Asked(onSample, outcome));
    StartRun start = new StartRun(id, plan, onRoundTrip);
    if (plan.spec().mode() == Mode.STREAMING) {
      trigger(start, streaming);
    } else {
      trigger(start, stopAndWait);
    }
    return outcome;
  }

  /** Ends all runs with what there is; any thread. */
  public void stop() {
    for (long id : asked.keySet()) {
      trigger(new StopRun(id), streaming);
      trigger(new StopRun(id), stopAndWait);
    }
  }

  private void onSampled(Sampled event) {
    Asked asker = asked.get(event.runId());
    if (asker != null) {
      asker.onSample.accept(event.sample());
    }
  }

  private void onFinished(Finished event) {
    Asked asker = asked.remove(event.runId());
    if (asker != null) {
      asker.outcome.complete(event.outcome());
    }
  }

  private void onFailed(Failed event) {
    Asked asker = asked.remove(event.runId());
    if (asker != null) {
      asker.outcome.completeExceptionally(event.cause());
    }
  }

  /** What it needs to know. */
  public static final class Init extends se.sics.kompics.Init<RunDirector> {
    final CompletableFuture<RunDirector> started;

    /**
     * @param started takes the component when it runs
     */
    public Init(CompletableFuture<RunDirector> started) {
      this.started = started;
    }
  }
}
