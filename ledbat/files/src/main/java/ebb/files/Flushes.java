package ebb.files;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * When a file's content is flushed to the disk: amid the file, so that the disk works while more
 * comes, and at its end. It remembers a failure, which the kernel tells only once. What it returns
 * from {@link #ahead} may run on any thread; the rest belongs to the file's thread.
 */
final class Flushes {
  /** So much is worth a flush amid the file: enough for a disk to write in one go. */
  static final long AHEAD_BYTES = 64 << 20;

  /** Has the disk write what the file has. */
  interface Force {
    void run() throws IOException;
  }

  private long unflushedBytes;
  private volatile boolean aheadPending;
  private volatile @Nullable IOException failed;

  /**
   * So much is about to be written.
   *
   * @throws IOException when something written before could not be flushed
   */
  void wrote(int bytes) throws IOException {
    check();
    unflushedBytes += bytes;
  }

  /** Whether a flush amid the file is worth it, and none is under way. */
  boolean due() {
    return unflushedBytes >= AHEAD_BYTES && !aheadPending;
  }

  /** A flush amid the file; its failure is that of the next {@link #wrote} or {@link #last}. */
  Runnable ahead(Force force) {
    aheadPending = true;
    unflushedBytes = 0;
    return () -> {
      try {
        flush(force);
      } catch (IOException failure) {
        // Remembered; or the file is closed, for it is complete or its transfer broke.
      } finally {
        aheadPending = false;
      }
    };
  }

  /**
   * The flush at the end, after one that is under way.
   *
   * @throws IOException when this or an earlier one failed
   */
  void last(Force force) throws IOException {
    flush(force);
    check();
  }

  private synchronized void flush(Force force) throws IOException {
    try {
      force.run();
    } catch (ClosedChannelException closed) {
      throw closed;
    } catch (IOException failure) {
      failed = failure;
      throw failure;
    }
  }

  private void check() throws IOException {
    IOException failure = failed;
    if (failure != null) {
      throw failure;
    }
  }
}
