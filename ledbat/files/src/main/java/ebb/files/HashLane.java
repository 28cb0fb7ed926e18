package ebb.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hashes beside the disk and the network: updates run in order on a thread of the executor, with a
 * bound on the bytes that wait. Small updates are done at once by the caller when nothing waits,
 * since handing them over costs more than hashing them. One thread calls.
 */
final class HashLane implements AutoCloseable {
  private static final int INLINE_BYTES = 16 << 10;

  private final Executor executor;
  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final int maxWaitingBytes;
  private final Semaphore room;
  private volatile @Nullable Throwable failure;
  private boolean started;

  // Only of the lane's own thread.
  private boolean stop;

  /**
   * @param maxWaitingBytes how much may wait to be hashed
   */
  HashLane(Executor executor, int maxWaitingBytes) {
    this.executor = executor;
    this.maxWaitingBytes = maxWaitingBytes;
    room = new Semaphore(maxWaitingBytes);
  }

  /**
   * Adds the remaining bytes to the digest, whose owner must not touch it until {@link #finish}.
   *
   * @param done runs once the bytes are no longer needed; null for nothing
   */
  void update(MessageDigest digest, ByteBuffer bytes, @Nullable Runnable done)
      throws InterruptedException {
    int length = bytes.remaining();
    if (length <= INLINE_BYTES && waiting.get() == 0) {
      digest.update(bytes);
      if (done != null) {
        done.run();
      }
      return;
    }
    int permits = Math.min(length, maxWaitingBytes);
    room.acquire(permits);
    submit(
        () -> {
          try {
            digest.update(bytes);
          } finally {
            room.release(permits);
            if (done != null) {
              done.run();
            }
          }
        });
  }

  /**
   * The digest of everything added before.
   *
   * @throws IOException when something went wrong with hashing, such as running out of memory
   */
  Sha256 finish(MessageDigest digest) throws IOException, InterruptedException {
    if (waiting.get() > 0) {
      CountDownLatch reached = new CountDownLatch(1);
      submit(reached::countDown);
      reached.await();
    }
    Throwable wrong = failure;
    if (wrong != null) {
      failure = null;
      throw new IOException("hashing failed: " + Reasons.reason(wrong), wrong);
    }
    return Sha256.of(digest.digest());
  }

  private void submit(Runnable task) {
    waiting.incrementAndGet();
    tasks.add(task);
    if (!started) {
      try {
        executor.execute(this::run);
        started = true;
      } catch (RuntimeException | Error noThread) {
        runHere();
      }
    }
  }

  /** Without a thread of its own the caller hashes. */
  private void runHere() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      run(task);
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error wrong) {
      failure = wrong;
    } finally {
      waiting.decrementAndGet();
    }
  }

  private void run() {
    try {
      while (!stop) {
        run(tasks.take());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the thread after what was submitted. */
  @Override
  public void close() {
    if (started) {
      submit(() -> stop = true);
    }
  }
}
