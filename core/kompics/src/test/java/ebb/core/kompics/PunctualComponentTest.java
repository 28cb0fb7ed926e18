package ebb.core.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentCore;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.JavaComponent;
import se.sics.kompics.Kompics;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortCore;
import se.sics.kompics.Scheduler;
import se.sics.kompics.Start;

/** Kompics' race between an event and its start, step by step on one thread. */
class PunctualComponentTest {
  private final Steps steps = new Steps();
  private final Scheduler before = Kompics.getScheduler();

  @BeforeEach
  void takeOverScheduling() {
    Kompics.setScheduler(steps);
  }

  @AfterEach
  void giveSchedulingBack() {
    Kompics.setScheduler(before);
  }

  @Test
  void kompicsItselfLeavesTheLastEventWaiting() {
    // If this ever fails, Kompics has mended it and PunctualComponent can go.
    assertThat(numbersHandled(new Counter(JavaComponent.class))).containsExactly(1, 2);
  }

  @Test
  void everyEventIsHandled() {
    assertThat(numbersHandled(new Counter(PunctualComponent.class))).containsExactly(1, 2, 3);
  }

  @Test
  void anEventThatWaitsForTheStartDoesNotKeepTheWorkersBusyAfterIt() {
    Counter counter = new Counter(PunctualComponent.class);

    numbersHandled(counter);

    assertThat(steps.scheduled).isEmpty();
    assertThat(counter.getComponentCore().workCount).hasValue(0);
  }

  @SuppressWarnings("deprecation") // nothing else gives a Start
  private List<Integer> numbersHandled(Counter counter) {
    ComponentCore core = counter.getComponentCore();
    // One event waits for the start.
    counter.tell(1);
    PortCore<?> control = (PortCore<?>) counter.getControlPort();
    // The starter has done the first of its three steps ...
    control.enqueue(Start.event);
    // ... and the component, running already, finds Start and handles it.
    steps.runOne();
    assertThat(core.state()).isEqualTo(Component.State.ACTIVE);
    // Now the starter does the other two: the queue is empty by now.
    core.eventReceived(control, NOTHING, 0);
    control.cleanEvents();
    steps.runAll();
    counter.tell(2);
    steps.runAll();
    counter.tell(3);
    steps.runAll();
    return counter.handled;
  }

  private static final KompicsEvent NOTHING = new KompicsEvent() {};

  private record Number(int value) implements KompicsEvent {}

  private static final class Counter extends ComponentDefinition {
    final List<Integer> handled = new ArrayList<>();

    Counter(Class<? extends ComponentCore> core) {
      super(core);
      handle(loopback, Number.class, number -> handled.add(number.value));
    }

    void tell(int number) {
      trigger(new Number(number), onSelf);
    }
  }

  private static final class Steps extends Scheduler {
    final Queue<Component> scheduled = new ArrayDeque<>();

    @Override
    public void schedule(Component component, int worker) {
      scheduled.add(component);
    }

    void runOne() {
      executeComponent(scheduled.remove(), 0);
    }

    void runAll() {
      while (!scheduled.isEmpty()) {
        runOne();
      }
    }

    @Override
    public void proceed() {}

    @Override
    public void shutdown() {}

    @Override
    public void asyncShutdown() {}
  }
}
