package ebb.core.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order when it is interrupted (SIGINT, SIGTERM): the action is run in the
 * JVM's shutdown, which waits for it, at most for a given time.
 */
public final class Interrupts {
  private Interrupts() {}

  /** Undoes a registration. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Runs {@code action} when the process is asked to stop before the registration is closed. The
   * action must return within {@code maxMillis}; the process ends with {@code exitCode}.
   */
  public static Registration onInterrupt(long maxMillis, ExitCode exitCode, Runnable action) {
    Thread hook =
        new Thread(
            () -> {
              CountDownLatch done = new CountDownLatch(1);
              Thread worker =
                  new Thread(
                      () -> {
                        try {
                          action.run();
                        } finally {
                          done.countDown();
                        }
                      },
                      "ebb-interrupted");
              worker.setDaemon(true);
              worker.start();
              try {
                if (!done.await(maxMillis, TimeUnit.MILLISECONDS)) {
                  System.err.println("ebb: gave up waiting for an orderly end");
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              // A signal's own status is 128 + n; Ebb's users are promised theirs.
              Runtime.getRuntime().halt(exitCode.value());
            },
            "ebb-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    return () -> {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The shutdown has begun, and the action with it.
      }
    };
  }
}
