package ebb.ledbat.stream;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One stream between event handlers, which never block, and a session's threads, which do. It keeps
 * the transport's rules: at most the credit outstanding, and at most {@code windowBytes} demanded
 * and not yet read. One thread reads, one writes; the {@code on} methods are called in order by
 * whoever delivers the transport's events.
 *
 * <p>The quick ways are {@link #sendFrom} and {@link #receiveTo}, which use memory again, and
 * {@link #read} with {@link #recycle}. A writer that had to wait is woken when half of its credit
 * is back, not for each piece of it.
 */
public final class BlockingStream {
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What a pipe gives at once. */
  private static final int CHUNK_BYTES = 64 << 10;

  private static final int MAX_SEND_CHUNKS = 64;

  /** After which a channel that neither blocks nor moves anything is tried again. */
  private static final long RETRY_MILLIS = 1;

  private record Outstanding(long endOffset, Runnable released) {}

  private final InetSocketAddress remote;
  private final StreamCommands commands;
  private final long windowBytes;
  private final ReentrantLock lock = new ReentrantLock();

  /** For the reader. */
  private final Condition readable = lock.newCondition();

  /** For who awaits the end, and nothing before it. */
  private final Condition ended = lock.newCondition();

  /** For the writer. */
  private final Condition writable = lock.newCondition();

  private final ReceiveChunks chunks;
  private final long fullCreditBytes;

  private final ArrayDeque<ByteBuffer> inbox = new ArrayDeque<>();
  private final ArrayDeque<Outstanding> outstanding = new ArrayDeque<>();
  private long creditBytes;
  private long offeredBytes;
  private long writtenBytes;
  private long readNotDemandedBytes;
  private long readTimeoutNanos = Long.MAX_VALUE;
  private long writeTimeoutNanos = Long.MAX_VALUE;

  /** Since when the writer has waited for credit; only while {@link #writeBlocked}. */
  private long writeBlockedSinceNanos;

  private boolean writeBlocked;
  private long lastReceivedNanos = System.nanoTime();
  private boolean peerFinished;
  private @Nullable CloseReason closed;
  private @Nullable ConnectionStats stats;

  /**
   * @param creditBytes what may be outstanding
   * @param windowBytes what is demanded ahead of reading; the most that waits here
   */
  public BlockingStream(
      InetSocketAddress remote, long creditBytes, long windowBytes, StreamCommands commands) {
    this.remote = remote;
    this.creditBytes = creditBytes;
    this.windowBytes = windowBytes;
    this.commands = commands;
    fullCreditBytes = creditBytes;
    // As much as waits here may be in use by the reader.
    chunks = new ReceiveChunks(2 * Math.min(windowBytes, Long.MAX_VALUE / 2));
  }

  /** Asks for the first window of data. */
  public void open() {
    commands.demand(windowBytes);
  }

  public InetSocketAddress remote() {
    return remote;
  }

  /** How long {@link #read} waits for the next byte before it gives the stream up. */
  public void setReadTimeout(long timeout, TimeUnit unit) {
    lock.lock();
    try {
      readTimeoutNanos = unit.toNanos(timeout);
      readable.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How long {@link #write} waits for any credit before it gives the stream up. */
  public void setWriteTimeout(long timeout, TimeUnit unit) {
    lock.lock();
    try {
      writeTimeoutNanos = unit.toNanos(timeout);
      writable.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** For how long {@link #write} has been waiting for credit, in nanoseconds; 0 when it is not. */
  public long writeBlockedNanos() {
    lock.lock();
    try {
      return writeBlocked ? System.nanoTime() - writeBlockedSinceNanos : 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next received bytes; blocks. They do not change before they are given to {@link #recycle}.
   *
   * @return null when the peer finished and everything was read
   * @throws StreamBrokenException when the stream broke or nothing came for the read timeout
   */
  public @Nullable ByteBuffer read() throws StreamBrokenException, InterruptedException {
    ByteBuffer next;
    long demand = 0;
    lock.lockInterruptibly();
    try {
      long waited = 0;
      while (inbox.isEmpty()) {
        if (peerFinished) {
          return null;
        }
        if (closed != null) {
          throw StreamBrokenException.of(closed);
        }
        if (waited >= readTimeoutNanos) {
          throw new StreamBrokenException(
              CloseReason.TIMED_OUT,
              "nothing was heard for " + TimeUnit.NANOSECONDS.toSeconds(waited) + " s");
        }
        long askedNanos = Math.min(readTimeoutNanos - waited, LONGEST_WAIT_NANOS);
        long start = System.nanoTime();
        readable.awaitNanos(askedNanos);
        // Longer only when this process was suspended, and that is not the peer's silence.
        waited += Math.min(System.nanoTime() - start, askedNanos);
      }
      next = inbox.removeFirst();
      readNotDemandedBytes += next.remaining();
      if (readNotDemandedBytes >= windowBytes / 4) {
        demand = readNotDemandedBytes;
        readNotDemandedBytes = 0;
      }
    } finally {
      lock.unlock();
    }
    if (demand > 0) {
      commands.demand(demand);
    }
    return next;
  }

  /**
   * Gives a buffer of {@link #read} back, whose bytes are needed no longer; what comes next may be
   * put there. Any thread; who does not call it gets new memory each time.
   */
  public void recycle(ByteBuffer bytes) {
    lock.lock();
    try {
      chunks.give(bytes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes what comes to {@code target} until the peer finishes; blocks.
   *
   * @return how many bytes that were
   * @throws StreamBrokenException as {@link #read}
   * @throws IOException when the target fails; what it did not take is lost
   */
  public long receiveTo(WritableByteChannel target) throws IOException, InterruptedException {
    long total = 0;
    for (ByteBuffer bytes = read(); bytes != null; bytes = read()) {
      total += bytes.remaining();
      while (bytes.hasRemaining()) {
        if (target.write(bytes) == 0) {
          TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
      }
      recycle(bytes);
    }
    return total;
  }

  /**
   * Sends what {@code source} has, to its end, each piece as soon as it was read; blocks. It does
   * not {@link #finish}.
   *
   * @return how many bytes that were
   * @throws StreamBrokenException as {@link #write}
   * @throws IOException when the source fails
   */
  public long sendFrom(ReadableByteChannel source) throws IOException, InterruptedException {
    long total = 0;
    SendChunks memory = new SendChunks();
    while (true) {
      ByteBuffer chunk = memory.take();
      int length = source.read(chunk);
      if (length < 0) {
        return total;
      }
      if (length == 0) {
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        memory.give(chunk);
      } else {
        total += length;
        write(chunk.flip(), () -> memory.give(chunk));
      }
    }
  }

  /** What {@link #sendFrom} reads into: as many chunks as may be outstanding. */
  private final class SendChunks {
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private int left = (int) Math.max(2, Math.min(MAX_SEND_CHUNKS, fullCreditBytes / CHUNK_BYTES));

    /** A chunk that nothing refers to; blocks. */
    ByteBuffer take() throws StreamBrokenException, InterruptedException {
      lock.lockInterruptibly();
      try {
        awaitRoom(() -> left > 0 || !free.isEmpty());
        ByteBuffer chunk = free.pollLast();
        if (chunk == null) {
          left--;
          chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        }
        return chunk.clear();
      } finally {
        lock.unlock();
      }
    }

    /** Any thread. */
    void give(ByteBuffer chunk) {
      lock.lock();
      try {
        free.addLast(chunk);
        signalRoom();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Whether {@link #read} would return or throw without waiting. */
  public boolean readable() {
    lock.lock();
    try {
      return !inbox.isEmpty() || peerFinished || closed != null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends the remaining bytes; blocks for credit, not for delivery.
   *
   * @param released runs, on any thread, once the bytes may be overwritten; if the stream breaks
   *     inside this call it may never run
   */
  public void write(ByteBuffer bytes, Runnable released)
      throws StreamBrokenException, InterruptedException {
    while (bytes.hasRemaining()) {
      ByteBuffer piece;
      lock.lockInterruptibly();
      try {
        awaitRoom(() -> creditBytes > 0);
        int length = (int) Math.min(creditBytes, bytes.remaining());
        piece = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        creditBytes -= length;
        offeredBytes += length;
        if (!bytes.hasRemaining()) {
          outstanding.addLast(new Outstanding(offeredBytes, released));
        }
      } finally {
        lock.unlock();
      }
      commands.write(piece);
    }
  }

  /** The same for bytes that are not changed afterwards. */
  public void write(ByteBuffer bytes) throws StreamBrokenException, InterruptedException {
    write(bytes, () -> {});
  }

  private void awaitRoom(BooleanSupplier there) throws StreamBrokenException, InterruptedException {
    long waited = 0;
    try {
      while (closed == null && !there.getAsBoolean()) {
        long start = System.nanoTime();
        if (!writeBlocked) {
          writeBlocked = true;
          writeBlockedSinceNanos = start;
        }
        if (waited >= writeTimeoutNanos) {
          throw new StreamBrokenException(
              CloseReason.TIMED_OUT,
              "nothing was taken for " + TimeUnit.NANOSECONDS.toSeconds(waited) + " s");
        }
        long askedNanos = Math.min(writeTimeoutNanos - waited, LONGEST_WAIT_NANOS);
        writable.awaitNanos(askedNanos);
        // As in read: a suspended process is not the peer's fault.
        waited += Math.min(System.nanoTime() - start, askedNanos);
      }
    } finally {
      writeBlocked = false;
    }
    if (closed != null) {
      throw StreamBrokenException.of(closed);
    }
  }

  /** Wakes the writer once there is so much room that it can go on for a while. */
  private void signalRoom() {
    if (writeBlocked && creditBytes >= fullCreditBytes / 2) {
      writable.signalAll();
    }
  }

  /** Half-close after everything written so far. */
  public void finish() {
    commands.finish();
  }

  /** Drops the stream at once. */
  public void abort() {
    commands.abort();
  }

  /**
   * Waits for the stream's end.
   *
   * @return null when it did not end in time
   */
  public @Nullable CloseReason awaitClosed(long timeout, TimeUnit unit)
      throws InterruptedException {
    long deadline = System.nanoTime() + unit.toNanos(timeout);
    lock.lockInterruptibly();
    try {
      while (closed == null) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return null;
        }
        ended.awaitNanos(left);
      }
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Why it ended; null while it lives. */
  public @Nullable CloseReason closeReason() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** The latest statistics; null before the first. */
  public @Nullable ConnectionStats stats() {
    lock.lock();
    try {
      return stats;
    } finally {
      lock.unlock();
    }
  }

  /** How long ago the last byte came, in nanoseconds. */
  public long silentNanos() {
    lock.lock();
    try {
      return System.nanoTime() - lastReceivedNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Where the next received bytes go, as {@link StreamEvents#room}. */
  public ByteBuffer room(int bytes) {
    lock.lock();
    try {
      return chunks.take(bytes);
    } finally {
      lock.unlock();
    }
  }

  public void onData(ByteBuffer bytes) {
    lock.lock();
    try {
      inbox.addLast(bytes);
      lastReceivedNanos = System.nanoTime();
      readable.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void onWritten(long bytes) {
    ArrayDeque<Runnable> released = new ArrayDeque<>();
    lock.lock();
    try {
      creditBytes += bytes;
      writtenBytes += bytes;
      for (Outstanding head = outstanding.peekFirst();
          head != null && head.endOffset <= writtenBytes;
          head = outstanding.peekFirst()) {
        released.addLast(head.released);
        outstanding.removeFirst();
      }
      signalRoom();
    } finally {
      lock.unlock();
    }
    released.forEach(Runnable::run);
  }

  public void onStats(ConnectionStats latest) {
    lock.lock();
    try {
      stats = latest;
    } finally {
      lock.unlock();
    }
  }

  public void onPeerFinished() {
    lock.lock();
    try {
      peerFinished = true;
      readable.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void onClosed(CloseReason reason) {
    ArrayDeque<Outstanding> released;
    lock.lock();
    try {
      closed = reason;
      released = new ArrayDeque<>(outstanding);
      outstanding.clear();
      readable.signalAll();
      writable.signalAll();
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    // Whoever waits for a buffer must wake up to see that the stream is gone.
    released.forEach(waiting -> waiting.released.run());
  }
}
