package ebb.ledbat.stream;

import ebb.ledbat.connection.CloseReason;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Two streams joined in memory with the rules of the LedbatStreams port: credit, demand, half-close
 * and abort. One thread plays the transport.
 */
public final class StreamPair implements AutoCloseable {
  private static final long CREDIT_BYTES = 1 << 20;
  private static final int MAX_DELIVERY_BYTES = 100_000;

  public final BlockingStream left;
  public final BlockingStream right;

  /** Breaks the connection once the left side has sent that much. */
  public final AtomicLong breakAfterBytes = new AtomicLong(Long.MAX_VALUE);

  private final ScheduledExecutorService transport =
      Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "transport"));
  private final long delayMillis;
  private final Side leftSide = new Side();
  private final Side rightSide = new Side();
  private boolean closed;
  private boolean dead;

  public StreamPair() {
    this(0);
  }

  /** A pair whose bytes take that long each way. */
  public StreamPair(long delayMillis) {
    this.delayMillis = delayMillis;
    left =
        new BlockingStream(new InetSocketAddress("127.0.0.1", 1), CREDIT_BYTES, 1 << 20, leftSide);
    right =
        new BlockingStream(new InetSocketAddress("127.0.0.1", 2), CREDIT_BYTES, 1 << 20, rightSide);
    leftSide.own = left;
    leftSide.peer = rightSide;
    rightSide.own = right;
    rightSide.peer = leftSide;
    left.open();
    right.open();
  }

  /** From now on nothing is delivered any more, and nobody is told. */
  public void goSilent() {
    run(() -> dead = true);
  }

  private void run(Runnable task) {
    try {
      transport.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException over) {
      return; // the test is over
    }
  }

  private void end(CloseReason forLeft, CloseReason forRight) {
    if (!closed) {
      closed = true;
      left.onClosed(forLeft);
      right.onClosed(forRight);
    }
  }

  @Override
  public void close() {
    transport.shutdownNow();
  }

  private final class Side implements StreamCommands {
    BlockingStream own;
    Side peer;
    final ArrayDeque<ByteBuffer> pending = new ArrayDeque<>();
    long demand;
    long sent;
    boolean finished;
    boolean finishTold;

    @Override
    public void write(ByteBuffer bytes) {
      run(
          () -> {
            pending.add(bytes.slice());
            peer.pump();
          });
    }

    @Override
    public void demand(long bytes) {
      run(
          () -> {
            demand += bytes;
            pump();
          });
    }

    @Override
    public void finish() {
      run(
          () -> {
            finished = true;
            peer.pump();
            if (peer.finished && finishTold && peer.finishTold) {
              end(CloseReason.FINISHED, CloseReason.FINISHED);
            }
          });
    }

    @Override
    public void abort() {
      run(
          () -> {
            if (dead) {
              own.onClosed(CloseReason.ABORTED);
            } else {
              boolean isLeft = this == leftSide;
              end(
                  isLeft ? CloseReason.ABORTED : CloseReason.RESET_BY_PEER,
                  isLeft ? CloseReason.RESET_BY_PEER : CloseReason.ABORTED);
            }
          });
    }

    /** Delivers to this side what the peer wrote. */
    private void pump() {
      if (closed || dead) {
        return;
      }
      while (demand > 0 && !peer.pending.isEmpty()) {
        ByteBuffer head = peer.pending.getFirst();
        int length = (int) Math.min(Math.min(head.remaining(), demand), MAX_DELIVERY_BYTES);
        byte[] copy = new byte[length];
        head.get(copy);
        demand -= length;
        peer.sent += length;
        own.onData(ByteBuffer.wrap(copy).asReadOnlyBuffer());
        if (!head.hasRemaining()) {
          peer.pending.removeFirst();
        }
        peer.own.onWritten(length);
        if (leftSide.sent >= breakAfterBytes.get()) {
          end(CloseReason.TIMED_OUT, CloseReason.TIMED_OUT);
          return;
        }
      }
      if (peer.finished && peer.pending.isEmpty() && !finishTold) {
        finishTold = true;
        own.onPeerFinished();
        if (finished && peer.finishTold) {
          end(CloseReason.FINISHED, CloseReason.FINISHED);
        }
      }
    }
  }
}
