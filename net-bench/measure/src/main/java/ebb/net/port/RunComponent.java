package ebb.net.port;

import ebb.core.kompics.PunctualComponent;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.flow.Latencies;
import ebb.net.port.RunEvents.Failed;
import ebb.net.port.RunEvents.Finished;
import ebb.net.port.RunEvents.Sampled;
import ebb.net.port.RunEvents.StartRun;
import ebb.net.port.RunEvents.StopRun;
import ebb.net.run.NetRun;
import ebb.net.run.RunLoops;
import ebb.net.run.RunOutcome;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Negative;
import se.sics.kompics.PortType;

/**
 * Provides one of the two ports for one protocol and ignores runs over others. Each run has a
 * thread that waits; the data stays on event loops that the runs share.
 */
abstract class RunComponent<P extends PortType> extends ComponentDefinition {
  private final Negative<P> port;
  private final Protocol protocol;
  private final Map<Long, NetRun> runs = new ConcurrentHashMap<>();
  private final RunLoops loops = new RunLoops();

  RunComponent(Class<P> type, Protocol protocol) {
    super(PunctualComponent.class);
    this.protocol = protocol;
    port = provides(type);
    handle(port, StartRun.class, this::onStart);
    handle(port, StopRun.class, this::onStop);
  }

  private void onStart(StartRun start) {
    if (start.plan().spec().protocol() != protocol) {
      return;
    }
    NetRun run = new NetRun(start.plan(), new Latencies(start.onRoundTrip()));
    runs.put(start.runId(), run);
    Thread waiting = new Thread(() -> measure(start.runId(), run), "ebb-run-" + start.runId());
    waiting.setDaemon(true);
    waiting.start();
  }

  private void measure(long runId, NetRun run) {
    try {
      RunOutcome outcome = run.measure(loops, sample -> trigger(new Sampled(runId, sample), port));
      trigger(new Finished(runId, outcome), port);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      trigger(new Failed(runId, stopped), port);
    } catch (RuntimeException | Error broken) {
      trigger(new Failed(runId, broken), port);
    } finally {
      runs.remove(runId);
    }
  }

  private void onStop(StopRun stop) {
    NetRun run = runs.get(stop.runId());
    if (run != null) {
      run.interrupt();
    }
  }

  @Override
  public void tearDown() {
    loops.close();
  }
}
