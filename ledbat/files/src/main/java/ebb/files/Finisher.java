package ebb.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
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
  private static final long LOOK_SECONDS = 1;

  /** Directories that wait for their end; more are flushed early, or keep their owner's rights. */
  private static final int MAX_REMEMBERED = 10_000;

  private final Executor executor;
  private final PathGuard guard;
  private final ModeKeeper modes;
  private final Runnable idle;
  private final Semaphore slots = new Semaphore(ReceiveLimits.MAX_FINISHING_PER_SESSION);

  /** Of all sessions of the receiver. */
  private final Semaphore shared;

  private final Set<Path> touched = new HashSet<>();

  /** Directories whose own mode would not let them be filled, with that mode. */
  private final Map<Path, Integer> closing = new HashMap<>();

  /**
   * @param idle runs, on a finisher's thread, each time nothing is under way any more
   */
  Finisher(ReceiverShared receiver, Runnable idle) {
    this.idle = idle;
    executor = receiver.executor;
    guard = receiver.store.guard();
    modes = receiver.store.modes();
    shared = receiver.finishing;
  }

  /** Files that are not finished yet. */
  int pending() {
    return ReceiveLimits.MAX_FINISHING_PER_SESSION - slots.availablePermits();
  }

  /**
   * Finishes one file; blocks while too many are under way.
   *
   * @param pause runs now and then while it blocks
   * @param done gets null on success, and runs in any case
   */
  void finish(Incoming incoming, Pause pause, Consumer<@Nullable IOException> done)
      throws InterruptedException {
    acquire(slots, pause);
    try {
      acquire(shared, pause);
    } catch (InterruptedException | RuntimeException | Error stopped) {
      slots.release();
      throw stopped;
    }
    begin(() -> done.accept(publish(incoming)));
  }

  /** Has the disk begin with a file of which much was written, where a thread is free for it. */
  void flushAhead(PartFile part) {
    if (!part.wantsFlush() || !slots.tryAcquire()) {
      return;
    }
    if (shared.tryAcquire()) {
      begin(part.flushAhead());
    } else {
      slots.release();
    }
  }

  /** Has a thread do the work, for which there is a place. */
  private void begin(Runnable work) {
    try {
      executor.execute(() -> run(work));
    } catch (RuntimeException | Error noThread) {
      run(work); // here, then
    }
  }

  /** Something to do while it blocks, such as telling the peer to wait. */
  interface Pause {
    void run() throws InterruptedException;
  }

  private static void acquire(Semaphore semaphore, Pause pause) throws InterruptedException {
    while (!semaphore.tryAcquire(LOOK_SECONDS, TimeUnit.SECONDS)) {
      pause.run();
    }
  }

  private void run(Runnable work) {
    try {
      work.run();
    } finally {
      shared.release();
      slots.release();
    }
    if (pending() == 0) {
      idle.run();
    }
  }

  private @Nullable IOException publish(Incoming incoming) {
    try (PartFile part = incoming.part) {
      Path parent = incoming.target.getParent();
      if (parent == null) {
        throw new IllegalStateException("a root directory as a file: " + incoming.target);
      }
      guard.makeDirectories(parent, modes.privateDirectory());
      part.publish(incoming.offer, incoming.target, incoming.replaces);
      touched(parent);
      return null;
    } catch (IOException failure) {
      return failure;
    } catch (RuntimeException | Error fault) {
      return new IOException("it could not be finished: " + Reasons.reason(fault), fault);
    }
  }

  /**
   * Makes an offered directory, with those above it.
   *
   * @param parent of {@code directory}
   */
  void makeDirectory(Path parent, Path directory, int mode) throws IOException {
    guard.makeDirectories(parent, modes.privateDirectory());
    guard.makeDirectories(directory, modes.directory(mode));
    touched(parent);
    synchronized (this) {
      if (!ModeKeeper.fillable(mode) && closing.size() < MAX_REMEMBERED) {
        closing.put(directory, mode);
      }
    }
  }

  private void touched(Path directory) {
    boolean many;
    synchronized (this) {
      touched.add(directory);
      many = touched.size() >= MAX_REMEMBERED;
    }
    if (many) {
      syncTouched();
    }
  }

  /** Waits until nothing is under way; false when that takes longer. */
  boolean awaitIdle(long nanos) throws InterruptedException {
    int all = ReceiveLimits.MAX_FINISHING_PER_SESSION;
    if (!slots.tryAcquire(all, nanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    slots.release(all);
    return true;
  }

  /** At the end: directories get their modes, and the new names are made durable. */
  void sync() {
    Map<Path, Integer> filled;
    synchronized (this) {
      filled = new HashMap<>(closing);
      closing.clear();
    }
    filled.keySet().stream()
        .sorted(Comparator.comparingInt(Path::getNameCount).reversed())
        .forEach(directory -> modes.finalMode(directory, filled.getOrDefault(directory, 0)));
    syncTouched();
  }

  private void syncTouched() {
    Set<Path> directories;
    synchronized (this) {
      directories = new HashSet<>(touched);
      touched.clear();
    }
    directories.forEach(FileStore::sync);
  }
}
