package ebb.net.flow;

import ebb.net.control.FlowCounts;
import ebb.net.control.OneWay;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of one flow at one end: one thread writes them, any reads them. */
public final class Tally {
  private static final long NEVER = Long.MIN_VALUE;

  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong duplicates = new AtomicLong();
  private final AtomicLong outOfOrder = new AtomicLong();
  private final AtomicLong corrupt = new AtomicLong();
  private final AtomicLong retransmitted = new AtomicLong();
  private final AtomicLong jitterMicros = new AtomicLong();
  private final AtomicLong lastMicros = new AtomicLong(NEVER);
  private final AtomicLong oneWayMin = new AtomicLong(OneWay.NONE.minMicros());
  private final AtomicLong oneWayMax = new AtomicLong(OneWay.NONE.maxMicros());
  private final AtomicLong oneWayMean = new AtomicLong();
  private volatile boolean forgetOneWay;
  private long oneWays;
  private double oneWayMeanMicros;

  private static void add(AtomicLong counter, long more) {
    // One writer: no need for more than an ordered store.
    counter.lazySet(counter.getPlain() + more);
  }

  /** Bytes of messages went or came. */
  public void bytes(long more, long nowMicros) {
    add(bytes, more);
    lastMicros.lazySet(nowMicros);
  }

  /** Whole messages went or came. */
  public void messages(long more) {
    add(messages, more);
  }

  public void duplicate() {
    add(duplicates, 1);
  }

  public void outOfOrder() {
    add(outOfOrder, 1);
  }

  public void corrupt() {
    add(corrupt, 1);
  }

  public void retransmitted() {
    add(retransmitted, 1);
  }

  public void lost(long now) {
    lost.lazySet(now);
  }

  public void jitterMicros(long now) {
    jitterMicros.lazySet(now);
  }

  /** A datagram came, so long after it left by the clocks of the two ends. */
  public void oneWay(long micros) {
    if (forgetOneWay) {
      forgetOneWay = false;
      oneWays = 0;
    }
    boolean first = oneWays++ == 0;
    oneWayMeanMicros = first ? micros : oneWayMeanMicros + (micros - oneWayMeanMicros) / oneWays;
    if (first || micros < oneWayMin.getPlain()) {
      oneWayMin.lazySet(micros);
    }
    if (first || micros > oneWayMax.getPlain()) {
      oneWayMax.lazySet(micros);
    }
    oneWayMean.lazySet(Math.round(oneWayMeanMicros));
  }

  /** The warm-up is over: one-way times begin anew, with the next datagram. Any thread. */
  public void forgetOneWay() {
    forgetOneWay = true;
  }

  /** When something last went or came; {@link Long#MIN_VALUE} before that. */
  public long lastMicros() {
    return lastMicros.get();
  }

  public FlowCounts counts() {
    return new FlowCounts(
        bytes.get(),
        messages.get(),
        lost.get(),
        duplicates.get(),
        outOfOrder.get(),
        corrupt.get(),
        retransmitted.get(),
        jitterMicros.get(),
        new OneWay(oneWayMin.get(), oneWayMean.get(), oneWayMax.get()));
  }
}
