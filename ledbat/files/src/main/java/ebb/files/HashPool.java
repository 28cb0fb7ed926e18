package ebb.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Hashes what is on disk, for all sessions of a receiver, on few threads. Sessions take turns of a
 * few megabytes; within one, files are hashed in the order in which they were asked for, one at a
 * time. A file is open only while it is hashed. Whatever goes wrong, running out of memory too,
 * fails the one hash. Thread-safe.
 */
final class HashPool {
  private static final int READ_BYTES = 256 << 10;

  /** What opening a file costs, in bytes of a turn. */
  private static final int OPEN_BYTES = 64 << 10;

  private final Executor executor;
  private final int maxThreads;

  /** Queues that have something to do and whose turn comes. */
  private final ArrayDeque<Queue> ready = new ArrayDeque<>();

  private int threads;

  HashPool(Executor executor, int maxThreads) {
    this.executor = executor;
    this.maxThreads = maxThreads;
  }

  /** Opens what is to be hashed. */
  interface Source {
    FileChannel open() throws IOException;
  }

  private static final class Task {
    final Source source;
    final long lengthBytes;
    final CompletableFuture<MessageDigest> result = new CompletableFuture<>();
    @Nullable PrefixHash hash;

    Task(Source source, long lengthBytes) {
      this.source = source;
      this.lengthBytes = lengthBytes;
    }
  }

  /** A session's queue. */
  Queue queue() {
    return new Queue();
  }

  /** What one session wants hashed. Its fields belong to the pool's lock. */
  final class Queue implements Closeable {
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private boolean scheduled;
    private boolean closed;

    private Queue() {}

    /** Hashes the first {@code lengthBytes}; the result is the state, to go on with. */
    CompletableFuture<MessageDigest> prefix(Source source, long lengthBytes) {
      Task task = new Task(source, lengthBytes);
      boolean begins;
      synchronized (HashPool.this) {
        if (closed) {
          task.result.completeExceptionally(new CancellationException("the session is over"));
          return task.result;
        }
        tasks.add(task);
        begins = !scheduled;
        if (begins) {
          scheduled = true;
          ready.add(this);
        }
      }
      if (begins) {
        startThread();
      }
      return task.result;
    }

    /** Whether something is being hashed or waits for that. */
    boolean busy() {
      synchronized (HashPool.this) {
        return !tasks.isEmpty();
      }
    }

    /** The session is over: what is not hashed yet is cancelled. */
    @Override
    public void close() {
      synchronized (HashPool.this) {
        closed = true;
      }
    }

    private @Nullable Task head() {
      synchronized (HashPool.this) {
        return closed ? null : tasks.peek();
      }
    }

    private void remove(Task task) {
      synchronized (HashPool.this) {
        tasks.remove(task);
      }
    }

    /** After a turn. */
    private void reschedule() {
      ArrayDeque<Task> cancelled = new ArrayDeque<>();
      synchronized (HashPool.this) {
        if (closed) {
          cancelled.addAll(tasks);
          tasks.clear();
        }
        scheduled = !tasks.isEmpty();
        if (scheduled) {
          ready.add(this);
        }
      }
      cancelled.forEach(task -> fail(task, new CancellationException("the session is over")));
    }
  }

  private void startThread() {
    synchronized (this) {
      if (threads == maxThreads) {
        return; // one of them comes to it
      }
      threads++;
    }
    try {
      executor.execute(this::work);
    } catch (RuntimeException | Error noThread) {
      boolean none;
      synchronized (this) {
        threads--;
        none = threads == 0;
      }
      if (none) {
        failAll(noThread);
      }
    }
  }

  /** There is no thread at all to hash anything. */
  private void failAll(Throwable why) {
    ArrayDeque<Task> failed = new ArrayDeque<>();
    synchronized (this) {
      for (Queue queue : ready) {
        queue.scheduled = false;
        failed.addAll(queue.tasks);
        queue.tasks.clear();
      }
      ready.clear();
    }
    failed.forEach(task -> fail(task, why));
  }

  /** One of the threads, until there is nothing to do. */
  private void work() {
    @Nullable ByteBuffer buffer = null;
    while (true) {
      Queue queue;
      synchronized (this) {
        queue = ready.poll();
        if (queue == null) {
          threads--;
          return;
        }
      }
      buffer = turn(queue, buffer);
      queue.reschedule();
    }
  }

  private static @Nullable ByteBuffer turn(Queue queue, @Nullable ByteBuffer given) {
    ByteBuffer buffer = given;
    long left = ReceiveLimits.HASHING_TURN_BYTES;
    while (left > 0) {
      Task task = queue.head();
      if (task == null) {
        break;
      }
      try {
        if (buffer == null) {
          buffer = ByteBuffer.allocateDirect(READ_BYTES);
        }
        PrefixHash hash = task.hash;
        if (hash == null) {
          hash = new PrefixHash(task.source.open(), task.lengthBytes);
          task.hash = hash;
          left -= OPEN_BYTES;
        }
        while (!hash.done() && left > 0) {
          left -= hash.step(buffer);
        }
        if (hash.done()) {
          queue.remove(task);
          hash.close();
          task.result.complete(hash.state());
        }
      } catch (IOException | RuntimeException | Error failure) {
        queue.remove(task);
        fail(task, failure);
      }
    }
    return buffer;
  }

  private static void fail(Task task, Throwable why) {
    PrefixHash hash = task.hash;
    if (hash != null) {
      try {
        hash.close();
      } catch (IOException ignored) {
        // It was only read.
      }
    }
    task.result.completeExceptionally(why);
  }
}
