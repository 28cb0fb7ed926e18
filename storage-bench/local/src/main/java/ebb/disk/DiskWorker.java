package ebb.disk;

import ebb.core.rand.SeededRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * One thread's requests, one after the other. With a rate, every request has a time at which it is
 * due, and its latency counts from then: a slow request makes those behind it late instead of
 * making them fewer (no coordinated omission). Not thread-safe.
 */
final class DiskWorker {
  /** The longest latency that is told from longer ones. */
  static final long MAX_NANOS = 3_600_000_000_000L;

  private static final int SIGNIFICANT_DIGITS = 3;

  /** Below this a thread that sleeps would wake too late. */
  private static final long SPIN_NANOS = 100_000;

  /** How many times its time a phase may last to send what was due in it. */
  private static final int OVERTIME = 2;

  private final DiskCase what;
  private final FileChannel channel;
  private final ByteBuffer buffer;
  private final SeededRandom random;
  private final boolean syncEach;
  private final long blocks;
  private final long firstBlock;
  private final long ownBlocks;
  private long nextBlock;

  final Histogram latencies = new Histogram(MAX_NANOS, SIGNIFICANT_DIGITS);
  final long[] windows = new long[Steadiness.WINDOWS];
  long clampedCount;

  /** Requests that a rate asked for and that were never sent. */
  long unsent;

  /**
   * A worker that has done nothing yet.
   *
   * @param index 0 to threads - 1
   */
  DiskWorker(
      DiskCase what,
      int index,
      FileChannel channel,
      long fileBytes,
      int alignment,
      long seed,
      boolean syncEach) {
    this.what = what;
    this.channel = channel;
    this.syncEach = syncEach;
    random = new SeededRandom(seed + index);
    buffer = BenchFile.buffer(what.blockBytes(), alignment);
    for (int i = 0; i < what.blockBytes(); i++) {
      if (i % Long.BYTES == 0 && what.blockBytes() - i >= Long.BYTES) {
        buffer.putLong(i, random.nextLong());
      }
    }
    blocks = fileBytes / what.blockBytes();
    ownBlocks = blocks / what.threads();
    firstBlock = ownBlocks * index;
  }

  /**
   * Sends requests until the time is over.
   *
   * @param from when to begin, by {@link System#nanoTime}
   * @param lengthNanos of the phase
   * @param intervalNanos between two of this worker's requests; 0 for one right after the other
   * @param counted whether what happens is recorded
   * @return how many requests ended in time
   */
  long run(long from, long lengthNanos, double intervalNanos, boolean counted, BooleanSupplier stop)
      throws IOException {
    long done = 0;
    long sent = 0;
    unsent = 0;
    long now = System.nanoTime();
    while (!stop.getAsBoolean()) {
      long begin = now;
      if (intervalNanos > 0) {
        begin = from + (long) (sent * intervalNanos);
        if (begin - from >= lengthNanos || !awaitTime(begin, stop)) {
          break;
        }
        if (now - from >= OVERTIME * lengthNanos) {
          // The rate is out of reach: what is still due would take for ever.
          unsent += (long) Math.ceil(lengthNanos / intervalNanos) - sent;
          break;
        }
      }
      request();
      sent++;
      now = System.nanoTime();
      long at = now - from;
      if (at >= lengthNanos) {
        if (intervalNanos > 0 && counted) {
          // It was due in time and is late: leaving it out would hide the slowest.
          record(now - begin, lengthNanos - 1, lengthNanos);
          done++;
          continue;
        }
        break;
      }
      if (counted) {
        record(now - begin, at, lengthNanos);
      }
      done++;
    }
    return done;
  }

  private void record(long nanos, long at, long lengthNanos) {
    if (nanos > MAX_NANOS) {
      clampedCount++;
    }
    latencies.recordValue(Math.min(Math.max(0, nanos), MAX_NANOS));
    windows[(int) Math.max(0, at * Steadiness.WINDOWS / lengthNanos)]++;
  }

  private static boolean awaitTime(long time, BooleanSupplier stop) {
    for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
      if (stop.getAsBoolean()) {
        return false;
      }
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
    return true;
  }

  private void request() throws IOException {
    long at = position();
    buffer.clear();
    if (what.operation() == DiskCase.Operation.READ) {
      while (buffer.hasRemaining()) {
        int read = channel.read(buffer, at + buffer.position());
        if (read < 0) {
          throw new IOException("the file became shorter");
        }
      }
      return;
    }
    while (buffer.hasRemaining()) {
      channel.write(buffer, at + buffer.position());
    }
    if (syncEach) {
      channel.force(false);
    }
  }

  private long position() {
    if (what.access() == DiskCase.Access.RANDOM) {
      return Math.floorMod(random.nextLong(), blocks) * what.blockBytes();
    }
    long block = firstBlock + nextBlock;
    nextBlock = nextBlock + 1 == ownBlocks ? 0 : nextBlock + 1;
    return block * what.blockBytes();
  }
}
