package ebb.net.port;

import ebb.core.kompics.PunctualComponent;
import ebb.net.control.TestSpec.Mode;
import ebb.net.port.RunEvents.Failed;
import ebb.net.port.RunEvents.FinishRun;
import ebb.net.port.RunEvents.Finished;
import ebb.net.port.RunEvents.Sampled;
import ebb.net.port.RunEvents.StartRun;
import ebb.net.port.RunEvents.StopRun;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
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

  /** A run that was asked for. */
  public final class Asked {
    private final long id;
    private final Consumer<RunSample> onSample;
    private final CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();

    private Asked(long id, Consumer<RunSample> onSample) {
      this.id = id;
      this.onSample = onSample;
    }

    /** What it found; fails with the cause when it could not begin. */
    public CompletableFuture<RunOutcome> outcome() {
      return outcome;
    }

    /** Its time is over now, whatever its plan says; any thread. */
    public void finish() {
      trigger(new FinishRun(id), streaming);
      trigger(new FinishRun(id), stopAndWait);
    }
  }

  /** Starts a run; any thread. */
  public Asked run(NetPlan plan, Consumer<RunSample> onSample, LongConsumer onRoundTrip) {
    Asked run = new Asked(nextId.getAndIncrement(), onSample);
    asked.put(run.id, run);
    StartRun start = new StartRun(run.id, plan, onRoundTrip);
    if (plan.spec().mode() == Mode.STREAMING) {
      trigger(start, streaming);
    } else {
      trigger(start, stopAndWait);
    }
    return run;
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
