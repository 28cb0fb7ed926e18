package ebb.net.loop;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Has a loop look for what is expected soon again and again, instead of sleeping until the kernel
 * wakes it: waking up is a large part of a short round trip. It gives up soon, and after it was in
 * vain more and more rarely tries again, so that long round trips, and a peer that needs this very
 * processor, cost little. Not thread-safe: all of it is for the loop.
 */
final class AnswerPolling implements SelectStrategy {
  /** Longer than a round trip between neighbours; what takes longer does not gain by it. */
  static final int POLL_MICROS = 100;

  /** After being in vain again and again, one of so many is tried. */
  static final int MAX_SKIPPED = 64;

  private final LongSupplier nanoClock;
  private long untilNanos;
  private boolean polling;
  private int backOff;
  private int skip;

  AnswerPolling() {
    this(System::nanoTime);
  }

  /** By a clock of the caller's own. */
  AnswerPolling(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Something was sent that is answered at once. */
  void expectSoon() {
    if (skip > 0) {
      skip--;
      return;
    }
    polling = true;
    untilNanos = nanoClock.getAsLong() + POLL_MICROS * 1_000L;
  }

  @Override
  public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
    if (!polling) {
      return hasTasks ? selectNow.get() : SelectStrategy.SELECT;
    }
    int ready = selectNow.get();
    if (ready > 0) {
      polling = false;
      backOff = 0;
      return ready;
    }
    if (nanoClock.getAsLong() - untilNanos < 0) {
      Thread.onSpinWait();
      return 0; // The loop runs tasks and timers that are due, and asks again.
    }
    polling = false;
    backOff = Math.min(MAX_SKIPPED, Math.max(1, 2 * backOff));
    skip = backOff;
    return hasTasks ? ready : SelectStrategy.SELECT;
  }
}
