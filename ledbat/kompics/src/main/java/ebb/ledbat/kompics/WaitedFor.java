package ebb.ledbat.kompics;

import ebb.core.kompics.PunctualComponent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import se.sics.kompics.Component;

/**
 * The components that handle what a network receives. While one of them is behind nothing more is
 * handed over: Kompics' queues have no bound. Thread-safe.
 */
final class WaitedFor {
  private final List<PunctualComponent> components = new CopyOnWriteArrayList<>();

  /**
   * @throws IllegalArgumentException when the component is no {@link PunctualComponent}
   */
  void add(Component component) {
    if (!(component instanceof PunctualComponent punctual)) {
      throw new IllegalArgumentException("not a PunctualComponent: " + component);
    }
    components.add(punctual);
  }

  boolean isBehind() {
    for (PunctualComponent component : components) {
      if (component.waitingEvents() > LedbatNetwork.MAX_WAITING_EVENTS) {
        return true;
      }
    }
    return false;
  }
}
