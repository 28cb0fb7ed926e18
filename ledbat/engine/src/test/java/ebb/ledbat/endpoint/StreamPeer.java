package ebb.ledbat.endpoint;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/** An application for tests: writes a known stream, checks the stream it reads. */
public final class StreamPeer implements ConnectionListener {
  /** A stream is made of rows of 256 bytes, each of which its first byte tells. */
  private static final byte[][] ROWS = new byte[256][256];

  static {
    for (int first = 0; first < ROWS.length; first++) {
      for (int i = 0; i < ROWS.length; i++) {
        ROWS[first][i] = (byte) (first + byteAt(i));
      }
    }
  }

  public final LongSupplier clock;
  public final long toWrite;
  public final boolean finishes;
  public long written;
  public long read;
  public long mismatches;
  public int connected;
  public int peerFinished;
  public int closedCalls;
  public int readChunk = Integer.MAX_VALUE;
  public boolean reading = true;
  public boolean finishAfterPeer;

  /** Every other piece is left where it is, and not copied. */
  public boolean sharing;

  public CloseReason closed;
  public LedbatConnection connection;

  public StreamPeer(LongSupplier clock, long toWrite, boolean finishes) {
    this.clock = clock;
    this.toWrite = toWrite;
    this.finishes = finishes;
  }

  private static byte byteAt(long offset) {
    return (byte) (offset * 31 + (offset >>> 8) * 7 + (offset >>> 16));
  }

  /** As {@link #byteAt}, a piece at a time. */
  private static byte[] bytesAt(long offset, int length) {
    byte[] bytes = new byte[length];
    for (int done = 0; done < length; ) {
      long at = offset + done;
      int low = (int) (at & 255);
      int n = Math.min(256 - low, length - done);
      System.arraycopy(ROWS[byteAt(at - low) & 255], low, bytes, done, n);
      done += n;
    }
    return bytes;
  }

  public void start(LedbatConnection c) {
    connection = c;
    pump();
  }

  public void pump() {
    long now = clock.getAsLong();
    while (written < toWrite && connection.writableBytes() > 0) {
      int n = (int) Math.min(Math.min(toWrite - written, 10_000), connection.writableBytes());
      ByteBuffer chunk = ByteBuffer.wrap(bytesAt(written, n));
      boolean share = sharing && written / 10_000 % 2 == 1;
      int taken = share ? connection.writeShared(chunk, now) : connection.write(chunk, now);
      written += taken;
      if (taken < n) {
        return;
      }
    }
    if (written == toWrite && finishes) {
      connection.finish(now);
    }
  }

  public void drain() {
    if (!reading) {
      return;
    }
    while (connection.readableBytes() > 0) {
      int n = Math.min(Math.min(readChunk, 65_536), connection.readableBytes());
      ByteBuffer target = ByteBuffer.allocate(n);
      connection.read(target, clock.getAsLong());
      target.flip();
      ByteBuffer expected = ByteBuffer.wrap(bytesAt(read, target.remaining()));
      read += target.remaining();
      for (int same = target.mismatch(expected); same >= 0; same = target.mismatch(expected)) {
        mismatches++;
        target.position(target.position() + same + 1);
        expected.position(expected.position() + same + 1);
      }
    }
  }

  @Override
  public void onConnected(LedbatConnection c) {
    connected++;
    pump();
  }

  @Override
  public void onReadable(LedbatConnection c) {
    drain();
  }

  @Override
  public void onWritable(LedbatConnection c) {
    pump();
  }

  @Override
  public void onPeerFinished(LedbatConnection c) {
    peerFinished++;
    if (finishAfterPeer) {
      c.finish(clock.getAsLong());
    }
  }

  @Override
  public void onClosed(LedbatConnection c, CloseReason reason) {
    closedCalls++;
    closed = reason;
  }
}
