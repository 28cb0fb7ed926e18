package ebb.net.run;

import ebb.ledbat.netty.DriverThreads;
import ebb.ledbat.netty.NettyTransport;
import ebb.net.tcp.TcpLoop;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event loops of many runs at once: no more threads than processors, however many runs. A run
 * stays on one loop; the one that serves the fewest is chosen. Thread-safe.
 */
public final class RunLoops implements AutoCloseable {
  private final int max = Math.max(2, Runtime.getRuntime().availableProcessors());
  private final List<Shared> loops = new ArrayList<>();
  private @Nullable DriverThreads ledbat;
  private boolean closed;

  /** A loop, and how many runs are on it. */
  private static final class Shared {
    private final TcpLoop loop = new TcpLoop();
    private int runs;
  }

  /** A run's share of a loop, until it is closed. */
  final class Lease implements AutoCloseable {
    private final Shared of;
    private boolean given;

    private Lease(Shared of) {
      this.of = of;
    }

    TcpLoop tcp() {
      return of.loop;
    }

    DriverThreads ledbat() {
      return RunLoops.this.ledbat();
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

  private synchronized DriverThreads ledbat() {
    DriverThreads threads = ledbat;
    if (threads == null) {
      threads = DriverThreads.create(NettyTransport.AUTO, max, "ebb-udp", true);
      ledbat = threads;
    }
    return threads;
  }

  /** Ends the threads soon, and the runs that are still on them. */
  @Override
  public synchronized void close() {
    closed = true;
    loops.forEach(shared -> shared.loop.close());
    DriverThreads threads = ledbat;
    if (threads != null) {
      threads.close();
    }
  }
}
