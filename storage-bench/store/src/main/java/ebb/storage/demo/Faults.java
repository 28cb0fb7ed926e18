package ebb.storage.demo;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The faults that are still to come. Thread-safe. */
public final class Faults {
  private final List<Pending> pending = new ArrayList<>();
  private int done;

  private static final class Pending {
    final Fault fault;
    int skip;
    int times;

    Pending(Fault fault) {
      this.fault = fault;
      skip = fault.skip();
      times = fault.times();
    }
  }

  public synchronized void add(Fault fault) {
    pending.add(new Pending(fault));
  }

  public synchronized void clear() {
    pending.clear();
  }

  /** How many have happened. */
  public synchronized int done() {
    return done;
  }

  /** What is to go wrong with this request; null for nothing. */
  synchronized Fault.@Nullable Kind next(Fault.At at) {
    for (Iterator<Pending> i = pending.iterator(); i.hasNext(); ) {
      Pending one = i.next();
      boolean any = one.fault.at() == Fault.At.ANY && at != Fault.At.TOKEN;
      if (!any && one.fault.at() != at) {
        continue;
      }
      if (one.skip > 0) {
        one.skip--;
        continue;
      }
      if (one.times != Integer.MAX_VALUE && --one.times == 0) {
        i.remove();
      }
      done++;
      return one.fault.kind();
    }
    return null;
  }
}
