package ebb.storage.store;

import ebb.storage.port.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One operation under way: its stop-watch, its attempts, its progress. The stop-watch can be halted
 * while the benchmark does work of its own. Used by one thread.
 */
public final class Call {
  private static final int MAX_TROUBLES = 8;
  private static final long PROGRESS_PERIOD_NANOS = 100_000_000;

  private final BooleanSupplier cancelled;
  private final LongConsumer progress;
  private final long startNanos = System.nanoTime();
  private final List<String> troubles = new ArrayList<>();
  private long haltedNanos;
  private long haltedSinceNanos = -1;
  private long firstByteMicros = -1;
  private long nextProgressNanos = startNanos + PROGRESS_PERIOD_NANOS;
  private long bytes;
  private int requests;
  private int attempts = 1;
  private long backoffNanos;

  /**
   * A call that begins now.
   *
   * @param cancelled whether it is to end
   * @param progress is told the bytes moved, now and then
   */
  public Call(BooleanSupplier cancelled, LongConsumer progress) {
    this.cancelled = cancelled;
    this.progress = progress;
  }

  /** Halts the stop-watch: what follows is not the store's time. */
  public void halt() {
    if (haltedSinceNanos < 0) {
      haltedSinceNanos = System.nanoTime();
    }
  }

  public void resume() {
    if (haltedSinceNanos >= 0) {
      haltedNanos += System.nanoTime() - haltedSinceNanos;
      haltedSinceNanos = -1;
    }
  }

  public long elapsedNanos() {
    long now = haltedSinceNanos >= 0 ? haltedSinceNanos : System.nanoTime();
    return now - startNanos - haltedNanos;
  }

  public long startNanos() {
    return startNanos;
  }

  /** Content has moved: to the store, or from it. */
  public void moved(long more) throws StoreException {
    if (firstByteMicros < 0 && more > 0) {
      firstByteMicros = elapsedNanos() / 1_000;
    }
    bytes += more;
    checkCancelled();
    long now = System.nanoTime();
    if (now >= nextProgressNanos) {
      nextProgressNanos = now + PROGRESS_PERIOD_NANOS;
      progress.accept(bytes);
    }
  }

  public void checkCancelled() throws StoreException {
    if (cancelled.getAsBoolean()) {
      throw new StoreException(FailureKind.CANCELLED, "cancelled");
    }
  }

  public boolean isCancelled() {
    return cancelled.getAsBoolean();
  }

  /** The bytes moved so far do not count: they are moved again. */
  public void startOver() {
    bytes = 0;
  }

  public void countRequest() {
    requests++;
  }

  /** Something failed that is tried again; what failed for good is not counted here. */
  public void countRetry(String trouble) {
    attempts++;
    if (troubles.size() < MAX_TROUBLES) {
      troubles.add(trouble);
    }
  }

  public void countBackoff(long nanos) {
    backoffNanos += nanos;
  }

  public long bytes() {
    return bytes;
  }

  public int requests() {
    return Math.max(1, requests);
  }

  public int attempts() {
    return attempts;
  }

  public long backoffMicros() {
    return backoffNanos / 1_000;
  }

  public long firstByteMicros() {
    return firstByteMicros;
  }

  public List<String> troubles() {
    return List.copyOf(troubles);
  }
}
