package ebb.ledbat.command;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for what blocks: disks, hashes, standard input. As many as there is such work, which its
 * givers bound; they do not keep the process alive.
 */
public final class IoThreads {
  private IoThreads() {}

  public static ExecutorService create() {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        10,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "ebb-io-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
