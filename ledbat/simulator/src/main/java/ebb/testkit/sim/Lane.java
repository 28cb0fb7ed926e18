package ebb.testkit.sim;

import java.util.Arrays;

/**
 * Actions of a simulation whose times do not fall, such as the arrivals at the end of a wire. Only
 * the next one waits in the simulation's queue, the others here, in order; on a long fat path that
 * is thousands fewer to sort. They run exactly when and in the order in which {@link Simulation#at}
 * would have run them.
 */
public final class Lane {
  private final Simulation sim;
  private final Runnable runNext = this::runNext;

  // A ring over parallel arrays whose length is a power of two.
  private long[] times = new long[16];
  private long[] orders = new long[16];
  private Runnable[] actions = new Runnable[16];
  private int first;
  private int size;
  private long lastMicros;

  public Lane(Simulation sim) {
    this.sim = sim;
  }

  /**
   * As {@link Simulation#at}; a time before that of the last action here is served just as well.
   */
  public void at(long timeMicros, Runnable action) {
    long time = Math.max(timeMicros, sim.nowMicros());
    if (size > 0 && time < lastMicros) {
      sim.at(time, action);
      return;
    }
    long order = sim.takeOrder();
    if (size == 0) {
      sim.insert(time, order, runNext);
    } else if (size == times.length) {
      grow();
    }
    int slot = (first + size++) & (times.length - 1);
    times[slot] = time;
    orders[slot] = order;
    actions[slot] = action;
    lastMicros = time;
  }

  @SuppressWarnings("NullAway") // A slot that is free is cleared, never read.
  private void runNext() {
    Runnable action = actions[first];
    actions[first] = null;
    first = (first + 1) & (times.length - 1);
    size--;
    if (size > 0) {
      sim.insert(times[first], orders[first], runNext);
    }
    action.run();
  }

  private void grow() {
    int length = times.length;
    long[] oldTimes = times;
    long[] oldOrders = orders;
    Runnable[] oldActions = actions;
    times = Arrays.copyOf(oldTimes, 2 * length);
    orders = Arrays.copyOf(oldOrders, 2 * length);
    actions = Arrays.copyOf(oldActions, 2 * length);
    for (int i = 0; i < size; i++) {
      int from = (first + i) & (length - 1);
      times[i] = oldTimes[from];
      orders[i] = oldOrders[from];
      actions[i] = oldActions[from];
    }
    first = 0;
  }
}
