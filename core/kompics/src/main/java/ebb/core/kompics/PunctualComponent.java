package ebb.core.kompics;

import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.JavaComponent;

/**
 * Runs a component as Kompics does, but never leaves it one event behind. To use it, let the
 * component's constructor begin with {@code super(PunctualComponent.class)}.
 *
 * <p>Kompics 1.2.1 hands an event over in three steps: into the port's queue, the port into the
 * list of ready ports, and one more onto the count of work. A component that is being started and
 * already has other events waiting looks for {@code Start} and {@code Started} in the port's queue
 * itself, and can handle one between the first step and the second. Then the list names a port that
 * has nothing, and from there on each run ends one event early: the last event waits until another
 * one comes, for as long as the component lives.
 *
 * <p>A count that is one too high does no harm, as Kompics skips what is not there. So whenever the
 * count says that nothing is left while a port is listed, one is added.
 */
public final class PunctualComponent extends JavaComponent {
  private static final long serialVersionUID = 1L;

  private transient volatile @Nullable Runnable whenActive;
  private transient volatile boolean retired;

  /** Called by Kompics. */
  public PunctualComponent(ComponentDefinition definition) {
    super(definition);
  }

  /** Events that wait to be handled, or one more; any thread may ask. */
  public int waitingEvents() {
    return workCount.get();
  }

  /** Runs this once, when the component and all its children are started. */
  void whenActive(Runnable task) {
    whenActive = task;
  }

  /**
   * Leaves what still comes unhandled, as nobody starts this component again. Kompics 1.2.1 lets a
   * killed component without a parent run in circles for as long as an event waits for it.
   */
  void retire() {
    retired = true;
  }

  @Override
  public void execute(int worker) {
    if (retired) {
      return;
    }
    super.execute(worker);
    Runnable task = whenActive;
    if (task != null && state == State.ACTIVE) {
      whenActive = null;
      task.run();
    }
    // Before it is started, only its control port is served, and a count would make it spin.
    boolean servesAllPorts = state == State.ACTIVE || state == State.STOPPING;
    if (servesAllPorts && !readyPorts.isEmpty() && workCount.compareAndSet(0, 1)) {
      schedule(worker);
    }
  }
}
