package ebb.ledbat.endpoint;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/** An application for tests: writes a known stream, checks the stream it reads. */
public final class StreamPeer implements ConnectionListener {
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

  public static byte byteAt(long offset) {
    return (byte) (offset * 31 + (offset >>> 8) * 7 + (offset >>> 16));
  }

  public void start(LedbatConnection c) {
    connection = c;
    pump();
  }

  public void pump() {
    long now = clock.getAsLong();
    while (written < toWrite && connection.writableBytes() > 0) {
      int n = (int) Math.min(Math.min(toWrite - written, 10_000), connection.writableBytes());
      ByteBuffer chunk = ByteBuffer.allocate(n);
      for (int i = 0; i < n; i++) {
        chunk.put(byteAt(written + i));
      }
      chunk.flip();
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
    ByteBuffer target = ByteBuffer.allocate(Math.min(readChunk, 65_536));
    while (connection.readableBytes() > 0) {
      target.clear();
      connection.read(target, clock.getAsLong());
      target.flip();
      while (target.hasRemaining()) {
        if (target.get() != byteAt(read++)) {
          mismatches++;
        }
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
