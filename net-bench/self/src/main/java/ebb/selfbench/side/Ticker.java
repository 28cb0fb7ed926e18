package ebb.selfbench.side;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** Calls something at planned times, on a daemon thread of its own, for as long as the JVM runs. */
final class Ticker {
  private Ticker() {}

  /**
   * Starts.
   *
   * @param tick takes the planned time by {@link System#nanoTime}, which has just passed
   */
  static void start(int perSecond, LongConsumer tick) {
    Thread thread =
        new Thread(
            () -> {
              long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
              for (long at = System.nanoTime() + period; ; at += period) {
                for (long wait = at - System.nanoTime(); wait > 0; wait = at - System.nanoTime()) {
                  LockSupport.parkNanos(wait);
                }
                try {
                  tick.accept(at);
                } catch (RejectedExecutionException e) {
                  return; // The process is about to end.
                }
              }
            },
            "ticker");
    thread.setDaemon(true);
    thread.start();
  }
}
