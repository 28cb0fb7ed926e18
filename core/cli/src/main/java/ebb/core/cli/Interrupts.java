package ebb.core.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets a command end in order when it is interrupted (SIGINT, SIGTERM): the actions are run in the
 * JVM's shutdown, which waits for them, at most for a given time. Thread-safe.
 *
 * <p>An action runs at most once, and not at all when its registration was closed first; so a
 * command that closes its registration before it prints its result prints one result, not two. The
 * action registered last runs first, and the process ends with its exit code. When all have been
 * closed, the process ends with the signal's own status or the code of {@link System#exit}.
 */
public final class Interrupts {
  private static final Deque<Entry> ENTRIES = new ArrayDeque<>();
  private static boolean hooked;

  private Interrupts() {}

  /** Undoes a registration. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    /** The action does not run from now on, unless it has begun. Does not wait for it. */
    @Override
    void close();
  }

  /** No record: no two are equal, and a record's equality is made when it is first asked for. */
  private static final class Entry {
    final long maxMillis;
    final ExitCode exitCode;
    final Runnable action;
    final AtomicBoolean taken = new AtomicBoolean();

    Entry(long maxMillis, ExitCode exitCode, Runnable action) {
      this.maxMillis = maxMillis;
      this.exitCode = exitCode;
      this.action = action;
    }
  }

  /**
   * Runs {@code action} when the process is asked to stop before the registration is closed. The
   * action must return within {@code maxMillis}; the process ends with {@code exitCode}.
   *
   * @throws IllegalStateException when the process is already stopping
   */
  public static Registration onInterrupt(long maxMillis, ExitCode exitCode, Runnable action) {
    Entry entry = new Entry(maxMillis, exitCode, action);
    synchronized (ENTRIES) {
      if (!hooked) {
        Runtime.getRuntime().addShutdownHook(new Thread(Interrupts::stop, "ebb-shutdown"));
        hooked = true;
      }
      ENTRIES.push(entry);
    }
    return () -> {
      entry.taken.set(true);
      synchronized (ENTRIES) {
        ENTRIES.remove(entry);
      }
    };
  }

  /**
   * The same for a command whose own thread ends it: {@code stop} asks for that, and the process
   * waits until the registration is closed, which the command does when it has cleaned up and shown
   * what there is; at most {@code maxMillis}.
   *
   * @throws IllegalStateException when the process is already stopping
   */
  public static Registration untilClosed(long maxMillis, ExitCode exitCode, Runnable stop) {
    CountDownLatch closed = new CountDownLatch(1);
    Registration registration =
        onInterrupt(
            maxMillis,
            exitCode,
            () -> {
              stop.run();
              await(closed);
            });
    return () -> {
      registration.close();
      closed.countDown();
    };
  }

  private static void await(CountDownLatch closed) {
    try {
      // Whoever waits for this action says so when it takes too long.
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void stop() {
    ExitCode exitCode = null;
    while (true) {
      Entry entry;
      synchronized (ENTRIES) {
        entry = ENTRIES.poll();
      }
      if (entry == null) {
        break;
      }
      if (entry.taken.compareAndSet(false, true)) {
        exitCode = exitCode == null ? entry.exitCode : exitCode;
        run(entry);
      }
    }
    if (exitCode != null) {
      System.out.flush();
      System.err.flush();
      // A signal's own status is 128 + n; Ebb's users are promised theirs.
      Runtime.getRuntime().halt(exitCode.value());
    }
  }

  private static void run(Entry entry) {
    CountDownLatch done = new CountDownLatch(1);
    Thread worker =
        new Thread(
            () -> {
              try {
                entry.action.run();
              } catch (Throwable failure) {
                System.err.println("ebb: internal error at the end: " + failure);
              } finally {
                done.countDown();
              }
            },
            "ebb-interrupted");
    worker.setDaemon(true);
    worker.start();
    try {
      if (!done.await(entry.maxMillis, TimeUnit.MILLISECONDS)) {
        System.err.println("ebb: gave up waiting for an orderly end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
