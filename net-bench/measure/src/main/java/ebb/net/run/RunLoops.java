package ebb.net.run;

import ebb.net.loop.NetLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What many runs at once share: event loops, no more threads than processors, and whatever a
 * mechanism has its runs share. A run stays on one loop; the one that serves the fewest is chosen.
 * Thread-safe.
 */
public final class RunLoops implements AutoCloseable {
  private final int max = Math.max(2, Runtime.getRuntime().availableProcessors());
  private final List<Shared> loops = new ArrayList<>();
  private final Map<Class<?>, AutoCloseable> others = new LinkedHashMap<>();
  private boolean closed;

  /** A loop, and how many runs are on it. */
  private static final class Shared {
    private final NetLoop loop = new NetLoop();
    private int runs;
  }

  /** A run's share of a loop, until it is closed. */
  final class Lease implements AutoCloseable {
    private final Shared of;
    private boolean given;

    private Lease(Shared of) {
      this.of = of;
    }

    NetLoop loop() {
      return of.loop;
    }

    <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
      return RunLoops.this.shared(type, maker);
    }

    @Override
    public void close() {
      giveBack(this);
    }
  }

  synchronized Lease lease() {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    Shared least = null;
    for (Shared shared : loops) {
      least = least == null || shared.runs < least.runs ? shared : least;
    }
    if (least == null || (least.runs > 0 && loops.size() < max)) {
      least = new Shared();
      loops.add(least);
    }
    least.runs++;
    return new Lease(least);
  }

  private synchronized void giveBack(Lease lease) {
    if (!lease.given) {
      lease.given = true;
      lease.of.runs--;
    }
  }

  private synchronized <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
    return type.cast(others.computeIfAbsent(type, unused -> maker.get()));
  }

  /** Ends the threads soon, and the runs that are still on them. */
  @Override
  public synchronized void close() {
    closed = true;
    loops.forEach(shared -> shared.loop.close());
    for (AutoCloseable other : others.values()) {
      try {
        other.close();
      } catch (Exception unclosed) {
        throw new IllegalStateException(unclosed);
      }
    }
  }
}
