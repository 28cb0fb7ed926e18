package ebb.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes verified files durable and gives them their names, a few at a time beside the transfer, so
 * that a thousand small files do not wait for a thousand disk flushes in a row. Thread-safe.
 */
final class Finisher {
  private static final int MAX_AT_ONCE = 8;

  private final Executor executor;
  private final PathGuard guard;
  private final Semaphore slots = new Semaphore(MAX_AT_ONCE);
  private final Set<Path> touched = new HashSet<>();

  Finisher(Executor executor, PathGuard guard) {
    this.executor = executor;
    this.guard = guard;
  }

  /** Files that are not finished yet. */
  int pending() {
    return MAX_AT_ONCE - slots.availablePermits();
  }

  /** Finishes one file; blocks while too many are under way. {@code done} gets null on success. */
  void finish(Incoming incoming, Consumer<@Nullable IOException> done) throws InterruptedException {
    slots.acquire();
    executor.execute(
        () -> {
          try {
            done.accept(publish(incoming));
          } finally {
            slots.release();
          }
        });
  }

  private @Nullable IOException publish(Incoming incoming) {
    try (PartFile part = incoming.part) {
      Path parent = incoming.target.getParent();
      if (parent == null) {
        throw new IllegalStateException("a root directory as a file: " + incoming.target);
      }
      guard.makeDirectories(parent);
      part.publish(incoming.offer, incoming.target, incoming.replaces);
      touched(parent);
      return null;
    } catch (IOException failure) {
      return failure;
    }
  }

  /** Remembers a directory whose entries changed. */
  synchronized void touched(Path directory) {
    touched.add(directory);
  }

  /** Waits until nothing is under way; false when that takes longer. */
  boolean awaitIdle(long nanos) throws InterruptedException {
    if (!slots.tryAcquire(MAX_AT_ONCE, nanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    slots.release(MAX_AT_ONCE);
    return true;
  }

  /** Makes the new names durable. */
  void sync() {
    Set<Path> directories;
    synchronized (this) {
      directories = new HashSet<>(touched);
      touched.clear();
    }
    directories.forEach(FileStore::sync);
  }
}
