package ebb.testkit.sim;

import ebb.core.rand.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/**
 * Virtual time: a queue of actions ordered by microsecond and, within one microsecond, by the order
 * in which they were scheduled. It owns the time, the seed and the trace; it knows nothing of
 * packets. No threads, no sleeping: running it takes as long as the actions take.
 *
 * <p>The same seed and the same calls give the same trace, bit for bit. Not thread-safe.
 */
public final class Simulation {
  private final long seed;
  private final Trace trace = new Trace();

  // A binary heap over parallel arrays: one allocation less per event than a heap of objects.
  private long[] times = new long[1_024];
  private long[] orders = new long[1_024];
  private Runnable[] actions = new Runnable[1_024];
  private int size;
  private long nextOrder;
  private long nowMicros;
  private long eventsRun;

  public Simulation(long seed) {
    this.seed = seed;
    trace.record(Trace.SEED, 0, 0, 0, seed);
  }

  public long seed() {
    return seed;
  }

  /** Virtual microseconds since the simulation began. */
  public long nowMicros() {
    return nowMicros;
  }

  /** Actions run so far. */
  public long eventsRun() {
    return eventsRun;
  }

  public Trace trace() {
    return trace;
  }

  /**
   * A source of randomness of its own for each purpose, so that one more host or link does not
   * change what the others see.
   */
  public RandomGenerator random(String purpose) {
    CRC32C crc = new CRC32C();
    crc.update(purpose.getBytes(StandardCharsets.UTF_8));
    // The constant is 2^64 divided by the golden ratio; it spreads the 32 bits over the 64.
    return new SeededRandom(seed ^ crc.getValue() * 0x9E3779B97F4A7C15L);
  }

  /** Runs {@code action} at {@code timeMicros}; a time that has passed means now. */
  public void at(long timeMicros, Runnable action) {
    insert(Math.max(timeMicros, nowMicros), takeOrder(), action);
  }

  /** The place among actions of the same microsecond of the one that is scheduled now. */
  long takeOrder() {
    return nextOrder++;
  }

  /** Puts an action in its place, which may be before others of the same microsecond. */
  void insert(long time, long order, Runnable action) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      orders = Arrays.copyOf(orders, size * 2);
      actions = Arrays.copyOf(actions, size * 2);
    }
    siftUp(size++, time, order, action);
  }

  /** Runs {@code action} in {@code delayMicros}. */
  public void after(long delayMicros, Runnable action) {
    at(nowMicros + delayMicros, action);
  }

  /** Runs everything up to and including {@code timeMicros}; the time is then that. */
  public void runUntil(long timeMicros) {
    while (size > 0 && times[0] <= timeMicros) {
      Runnable action = actions[0];
      nowMicros = times[0];
      removeFirst();
      eventsRun++;
      action.run();
    }
    nowMicros = Math.max(nowMicros, timeMicros);
  }

  private void siftUp(int from, long time, long order, Runnable action) {
    int hole = from;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (before(parent, time, order)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, time, order, action);
  }

  @SuppressWarnings("NullAway") // The slot behind the last one is cleared, never read.
  private void removeFirst() {
    size--;
    long time = times[size];
    long order = orders[size];
    Runnable action = actions[size];
    actions[size] = null;
    if (size == 0) {
      return;
    }
    int hole = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size && before(child + 1, times[child], orders[child])) {
        child++;
      }
      if (!before(child, time, order)) {
        break;
      }
      move(child, hole);
      hole = child;
      child = 2 * hole + 1;
    }
    put(hole, time, order, action);
  }

  private boolean before(int index, long time, long order) {
    return times[index] < time || (times[index] == time && orders[index] < order);
  }

  private void move(int from, int to) {
    put(to, times[from], orders[from], actions[from]);
  }

  private void put(int index, long time, long order, Runnable action) {
    times[index] = time;
    orders[index] = order;
    actions[index] = action;
  }
}
