package ebb.net.port;

import ebb.core.kompics.PunctualComponent;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.Latencies;
import ebb.net.mechanism.Mechanism;
import ebb.net.port.RunEvents.Failed;
import ebb.net.port.RunEvents.FinishRun;
import ebb.net.port.RunEvents.Finished;
import ebb.net.port.RunEvents.Sampled;
import ebb.net.port.RunEvents.StartRun;
import ebb.net.port.RunEvents.StopRun;
import ebb.net.run.NetRun;
import ebb.net.run.RunLoops;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Negative;
import se.sics.kompics.PortType;

/**
 * Provides one of the ports for one mechanism and ignores runs over others. A run lives on one of
 * the loops that the component's runs share; the component only starts it and tells what it finds.
 */
public final class Measurer extends ComponentDefinition {
  private final Negative<? extends PortType> port;
  private final Mechanism mechanism;
  private final Map<Long, NetRun> runs = new ConcurrentHashMap<>();
  private final RunLoops loops = new RunLoops();

  public Measurer(Init init) {
    super(PunctualComponent.class);
    mechanism = init.mechanism;
    port = provides(portOf(init.mode));
    handle(port, StartRun.class, this::onStart);
    handle(port, FinishRun.class, finish -> with(finish.runId(), NetRun::finish));
    handle(port, StopRun.class, stop -> with(stop.runId(), NetRun::interrupt));
  }

  /** The port of such runs. */
  public static Class<? extends PortType> portOf(Mode mode) {
    return switch (mode) {
      case STREAMING -> StreamingPort.class;
      case STOP_AND_WAIT -> StopAndWaitPort.class;
      case ECHO -> EchoPort.class;
    };
  }

  private void onStart(StartRun start) {
    long id = start.runId();
    if (!start.plan().mechanism().name().equals(mechanism.name())) {
      return;
    }
    NetRun run =
        NetRun.start(
            start.plan(),
            loops,
            new Latencies(start.onRoundTrip()),
            sample -> trigger(new Sampled(id, sample), port));
    runs.put(id, run);
    var unused =
        run.outcome()
            .whenComplete(
                (outcome, failure) -> {
                  runs.remove(id);
                  trigger(
                      failure == null ? new Finished(id, outcome) : new Failed(id, failure), port);
                });
  }

  private void with(long runId, Consumer<NetRun> told) {
    NetRun run = runs.get(runId);
    if (run != null) {
      told.accept(run);
    }
  }

  @Override
  public void tearDown() {
    loops.close();
  }

  /** What a component measures by. */
  public static final class Init extends se.sics.kompics.Init<Measurer> {
    final Mechanism mechanism;
    final Mode mode;

    public Init(Mechanism mechanism, Mode mode) {
      this.mechanism = mechanism;
      this.mode = mode;
    }
  }
}
