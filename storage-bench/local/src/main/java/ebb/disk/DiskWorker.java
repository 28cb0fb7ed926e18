package ebb.disk;

import ebb.core.rand.SeededRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One thread's requests, one after the other. With a rate, every request has a time at which it is
 * due, and its latency counts from then: a slow request makes those behind it late instead of
 * making them fewer (no coordinated omission). Not thread-safe.
 */
final class DiskWorker {
  /** Below this a thread that sleeps would wake too late. */
  private static final long SPIN_NANOS = 100_000;

  /** How many times its time a phase may last to send what was due in it. */
  private static final int OVERTIME = 2;

  private static final int PERCENT = 100;

  private final DiskCase what;
  private final FileChannel channel;
  private final ByteBuffer buffer;
  private final SeededRandom random;
  private final boolean syncEach;
  private final long blocks;
  private final long firstBlock;
  private final long ownBlocks;
  private final int readPercent;

  /** Those of a mixture walk each by themselves, as fio's do. */
  private long nextRead;

  private long nextWrite;

  /** What each side came to. */
  final Map<DiskCase.Operation, Tally> tallies = new EnumMap<>(DiskCase.Operation.class);

  /** Requests that a rate asked for and that were never sent. */
  long unsent;

  /**
   * A worker that has done nothing yet.
   *
   * @param index 0 to threads - 1
   * @param readPercent of a mixture's requests
   */
  DiskWorker(
      DiskCase what,
      int index,
      FileChannel channel,
      long fileBytes,
      int alignment,
      long seed,
      boolean syncEach,
      int readPercent) {
    this.what = what;
    this.readPercent = readPercent;
    what.operation().sides().forEach(side -> tallies.put(side, new Tally()));
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
      DiskCase.Operation side = side();
      request(side);
      sent++;
      now = System.nanoTime();
      long at = now - from;
      if (at >= lengthNanos) {
        if (intervalNanos > 0 && counted) {
          // It was due in time and is late: leaving it out would hide the slowest.
          record(side, now - begin, lengthNanos - 1, lengthNanos);
          done++;
          continue;
        }
        break;
      }
      if (counted) {
        record(side, now - begin, at, lengthNanos);
      }
      done++;
    }
    return done;
  }

  private void record(DiskCase.Operation side, long nanos, long at, long lengthNanos) {
    Tally tally = tallies.get(side);
    if (tally != null) {
      tally.record(nanos, at, lengthNanos);
    }
  }

  /** What the next request is. */
  private DiskCase.Operation side() {
    if (what.operation() != DiskCase.Operation.MIXED) {
      return what.operation();
    }
    return Math.floorMod(random.nextLong(), PERCENT) < readPercent
        ? DiskCase.Operation.READ
        : DiskCase.Operation.WRITE;
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

  private void request(DiskCase.Operation side) throws IOException {
    long at = position(side);
    buffer.clear();
    if (side == DiskCase.Operation.READ) {
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

  private long position(DiskCase.Operation side) {
    if (what.access() == DiskCase.Access.RANDOM) {
      return Math.floorMod(random.nextLong(), blocks) * what.blockBytes();
    }
    boolean read = side == DiskCase.Operation.READ;
    long next = read ? nextRead : nextWrite;
    long after = next + 1 == ownBlocks ? 0 : next + 1;
    if (read) {
      nextRead = after;
    } else {
      nextWrite = after;
    }
    return (firstBlock + next) * what.blockBytes();
  }
}
