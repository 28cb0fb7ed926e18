package ebb.net.port;

import ebb.core.kompics.KompicsSystem;
import ebb.net.Mechanisms;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.Mechanism;
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
import se.sics.kompics.Component;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;

/**
 * Asks the components for runs on behalf of threads that are none, and hands back what they found.
 * Thread-safe.
 */
public final class RunDirector {
  private final Map<String, Consumer<KompicsEvent>> ports = new ConcurrentHashMap<>();
  private final Map<Long, Asked> asked = new ConcurrentHashMap<>();
  private final AtomicLong nextId = new AtomicLong(1);

  private RunDirector() {}

  /** Starts a {@link Measurer} for each mechanism and mode, in the system of this process. */
  public static KompicsSystem<RunDirector> start() throws InterruptedException {
    RunDirector director = new RunDirector();
    return KompicsSystem.start(director::assemble, director::onFault);
  }

  private RunDirector assemble(KompicsSystem.Components components) {
    for (Mechanism mechanism : Mechanisms.all()) {
      for (Mode mode : Mode.values()) {
        if (mode == Mode.ECHO && !mechanism.echoes()) {
          continue;
        }
        Component measurer = components.create(Measurer.class, new Measurer.Init(mechanism, mode));
        join(components, measurer, Measurer.portOf(mode), key(mechanism, mode));
      }
    }
    return this;
  }

  private <P extends PortType> void join(
      KompicsSystem.Components components, Component measurer, Class<P> port, String key) {
    components.on(measurer, port, Sampled.class, this::onSampled);
    components.on(measurer, port, Finished.class, this::onFinished);
    components.on(measurer, port, Failed.class, event -> fail(event.runId(), event.cause()));
    ports.put(key, components.into(measurer, port));
  }

  private static String key(Mechanism mechanism, Mode mode) {
    return mechanism.name() + " " + mode;
  }

  /** A run that was asked for. */
  public static final class Asked {
    private final long id;
    private final Consumer<KompicsEvent> port;
    private final Consumer<RunSample> onSample;
    private final CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();

    private Asked(long id, Consumer<KompicsEvent> port, Consumer<RunSample> onSample) {
      this.id = id;
      this.port = port;
      this.onSample = onSample;
    }

    /** What it found; fails with the cause when it could not begin. */
    public CompletableFuture<RunOutcome> outcome() {
      return outcome;
    }

    /** Its time is over now, whatever its plan says. */
    public void finish() {
      port.accept(new FinishRun(id));
    }
  }

  /**
   * Starts a run.
   *
   * @throws IllegalArgumentException when its mechanism is none that is installed
   */
  public Asked run(NetPlan plan, Consumer<RunSample> onSample, LongConsumer onRoundTrip) {
    Consumer<KompicsEvent> port = ports.get(key(plan.mechanism(), plan.spec().mode()));
    if (port == null) {
      throw new IllegalArgumentException("not installed: " + plan.mechanism().name());
    }
    Asked run = new Asked(nextId.getAndIncrement(), port, onSample);
    asked.put(run.id, run);
    port.accept(new StartRun(run.id, plan, onRoundTrip));
    return run;
  }

  /** Ends all runs with what there is. */
  public void stop() {
    asked.values().forEach(run -> run.port.accept(new StopRun(run.id)));
  }

  private void onSampled(Sampled event) {
    Asked run = asked.get(event.runId());
    if (run != null) {
      run.onSample.accept(event.sample());
    }
  }

  private void onFinished(Finished event) {
    Asked run = asked.remove(event.runId());
    if (run != null) {
      run.outcome.complete(event.outcome());
    }
  }

  private void fail(long runId, Throwable cause) {
    Asked run = asked.remove(runId);
    if (run != null) {
      run.outcome.completeExceptionally(cause);
    }
  }

  private void onFault(Throwable cause) {
    asked.keySet().forEach(id -> fail(id, cause));
  }
}
