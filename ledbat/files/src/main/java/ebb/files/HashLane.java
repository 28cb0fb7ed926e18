package ebb.files;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
  private static final int MAX_WAITING_BYTES = 4 << 20;
  private static final int MAX_PERMITS_PER_TASK = MAX_WAITING_BYTES;

  private final Executor executor;
  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Semaphore room = new Semaphore(MAX_WAITING_BYTES);
  private boolean started;

  // Only of the lane's own thread.
  private boolean stop;

  HashLane(Executor executor) {
    this.executor = executor;
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
    int permits = Math.min(length, MAX_PERMITS_PER_TASK);
    room.acquire(permits);
    submit(
        () -> {
          digest.update(bytes);
          room.release(permits);
          if (done != null) {
            done.run();
          }
        });
  }

  /** The digest of everything added before. */
  Sha256 finish(MessageDigest digest) throws InterruptedException {
    if (waiting.get() == 0) {
      return Sha256.of(digest.digest());
    }
    CompletableFuture<Sha256> result = new CompletableFuture<>();
    submit(() -> result.complete(Sha256.of(digest.digest())));
    try {
      return result.get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void submit(Runnable task) {
    waiting.incrementAndGet();
    tasks.add(task);
    if (!started) {
      started = true;
      executor.execute(this::run);
    }
  }

  private void run() {
    try {
      while (!stop) {
        tasks.take().run();
        waiting.decrementAndGet();
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
