package ebb.files;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which session is writing which path, so that two senders never share a part file. A session whose
 * sender went silent, because its process or machine died, loses its claim to one that wants to go
 * on with the same file. Thread-safe.
 */
final class Claims {
  /** What has to be known about whoever holds a claim. */
  interface Holder {
    /** How long ago its peer was last heard. */
    long silentNanos();

    /** Ends the session, which releases its claims soon. */
    void evict(String why);
  }

  /** A live sender says something every two seconds at least. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** What is still on its way from a sender that died arrives within this. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How often a waiting session looks at the holder. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Map<Path, Holder> holders = new HashMap<>();

  /**
   * Claims the path; waits while its holder may be dead.
   *
   * @param pause runs a few times a second while waiting
   * @return false when the holder is alive
   */
  boolean claim(Path path, Holder holder, Hashing.Pause pause)
      throws java.io.IOException, InterruptedException {
    long start = System.nanoTime();
    boolean evicted = false;
    while (true) {
      Holder current;
      synchronized (this) {
        current = holders.putIfAbsent(path, holder);
      }
      if (current == null) {
        return true;
      }
      long waited = System.nanoTime() - start;
      long silent = current.silentNanos();
      if (current == holder || waited > PATIENCE_NANOS) {
        return false;
      }
      if (!evicted) {
        boolean spokeSinceGrace = waited - silent > GRACE_NANOS;
        if (spokeSinceGrace) {
          return false;
        }
        if (silent > SILENT_NANOS) {
          evicted = true;
          current.evict("its sender fell silent, and another goes on with its file");
        }
      }
      pause.run();
      awaitRelease(path);
    }
  }

  private synchronized void awaitRelease(Path path) throws InterruptedException {
    long deadline = System.nanoTime() + LOOK_NANOS;
    long left = LOOK_NANOS;
    while (holders.containsKey(path) && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = deadline - System.nanoTime();
    }
  }

  synchronized void release(Path path, Holder holder) {
    if (holders.remove(path, holder)) {
      notifyAll();
    }
  }
}
