package ebb.storage.gcs;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs what the library does for one operation on threads that all share, and knows when nothing of
 * it is left: the library goes on, removing parts, when it has said that it is done. Work that
 * follows from other work is told before that ends.
 */
final class TrackedExecutor implements Executor {
  private static final long MAX_WAIT_MILLIS = 120_000;
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "ebb-composite");
            thread.setDaemon(true);
            return thread;
          });

  private int left;

  @Override
  public void execute(Runnable work) {
    synchronized (this) {
      left++;
    }
    try {
      THREADS.execute(
          () -> {
            try {
              work.run();
            } finally {
              ended();
            }
          });
    } catch (RejectedExecutionException e) {
      ended();
      throw e;
    }
  }

  private synchronized void ended() {
    left--;
    notifyAll();
  }

  /** Waits until nothing is left, or for two minutes. */
  synchronized void awaitEnd() throws InterruptedException {
    long end = System.nanoTime() / 1_000_000 + MAX_WAIT_MILLIS;
    for (long wait = MAX_WAIT_MILLIS; left > 0 && wait > 0; ) {
      wait(wait);
      wait = end - System.nanoTime() / 1_000_000;
    }
  }
}
