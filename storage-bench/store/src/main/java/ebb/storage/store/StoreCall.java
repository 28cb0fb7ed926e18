package ebb.storage.store;

import ebb.core.attempts.Attempts;
import ebb.core.attempts.RequestFailedException;
import ebb.core.time.SleepClock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One operation under way, with the content that it moves. Its stop-watch is halted while the
 * benchmark does work of its own. Used by one thread.
 */
public final class StoreCall extends Attempts {
  private static final SleepClock CLOCK = SleepClock.system();
  private static final long PROGRESS_PERIOD_MICROS = 100_000;

  private final LongConsumer progress;
  private long firstByteMicros = -1;
  private long nextProgressMicros = nowMicros() + PROGRESS_PERIOD_MICROS;
  private long bytes;

  /**
   * A call that begins now.
   *
   * @param cancelled whether it is to end
   * @param progress is told the bytes moved, at most ten times a second
   */
  public StoreCall(BooleanSupplier cancelled, LongConsumer progress) {
    super(CLOCK, cancelled);
    this.progress = progress;
  }

  /** Content has moved: to the store, or from it. */
  public void moved(long more) throws RequestFailedException {
    if (firstByteMicros < 0 && more > 0) {
      firstByteMicros = elapsedMicros();
    }
    bytes += more;
    checkCancelled();
    long now = nowMicros();
    if (now >= nextProgressMicros) {
      nextProgressMicros = now + PROGRESS_PERIOD_MICROS;
      progress.accept(bytes);
    }
  }

  /** The bytes moved so far do not count: they are moved again. */
  public void startOver() {
    bytes = 0;
  }

  /** By the present attempt. */
  public long bytes() {
    return bytes;
  }

  /** After which the first byte of content moved; -1 when none did. */
  public long firstByteMicros() {
    return firstByteMicros;
  }
}
