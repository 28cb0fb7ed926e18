package ebb.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds threads until all have come, as OpenMP's does in C: by looking, for a while, so that waking
 * up costs nothing of what is timed. All of them come every time. What a thread wrote before, all
 * see afterwards.
 */
final class SpinBarrier {
  /** Less than a millisecond; then others may need the processor. */
  private static final int LOOKS = 20_000;

  private static final long PAUSE_NANOS = 20_000;

  private final int parties;
  private final AtomicInteger arrived = new AtomicInteger();
  private volatile int generation;

  SpinBarrier(int parties) {
    this.parties = parties;
  }

  void await() {
    int mine = generation;
    if (arrived.incrementAndGet() == parties) {
      arrived.set(0);
      generation = mine + 1;
      return;
    }
    for (int looks = 0; generation == mine; looks++) {
      if (looks < LOOKS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
