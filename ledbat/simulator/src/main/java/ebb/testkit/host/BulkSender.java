package ebb.testkit.host;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a number of bytes, or without end, as fast as the connection takes them; then finishes.
 * Bytes that come back are read and ignored.
 */
public final class BulkSender implements ConnectionListener {
  /** A number of bytes that is never reached. */
  public static final long ENDLESS = Long.MAX_VALUE;

  private static final int CHUNK_BYTES = 1 << 14;

  private final SimHost host;
  private final StreamPattern pattern;
  private final long totalBytes;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
  private final ByteBuffer ignored = ByteBuffer.allocate(CHUNK_BYTES);
  private long written;
  private boolean finished;
  private long connectedAtMicros = -1;
  private long closedAtMicros = -1;
  private @Nullable CloseReason closeReason;

  public BulkSender(SimHost host, StreamPattern pattern, long totalBytes) {
    this.host = host;
    this.pattern = pattern;
    this.totalBytes = totalBytes;
  }

  /** Bytes that the connection took. */
  public long written() {
    return written;
  }

  /** Virtual time, -1 while it is not. */
  public long connectedAtMicros() {
    return connectedAtMicros;
  }

  /** Virtual time, -1 while it is not. */
  public long closedAtMicros() {
    return closedAtMicros;
  }

  public @Nullable CloseReason closeReason() {
    return closeReason;
  }

  @Override
  public void onConnected(LedbatConnection connection) {
    connectedAtMicros = host.virtualMicros();
    pump(connection);
  }

  @Override
  public void onWritable(LedbatConnection connection) {
    pump(connection);
  }

  @Override
  public void onReadable(LedbatConnection connection) {
    while (connection.read(ignored.clear(), host.nowMicros()) > 0) {
      // Nobody wants it.
    }
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    closedAtMicros = host.virtualMicros();
    closeReason = reason;
  }

  private void pump(LedbatConnection connection) {
    while (written < totalBytes) {
      chunk.clear().limit((int) Math.min(CHUNK_BYTES, totalBytes - written));
      pattern.fill(chunk, written);
      chunk.flip();
      int offered = chunk.remaining();
      int taken = connection.write(chunk, host.nowMicros());
      written += taken;
      if (taken < offered) {
        return;
      }
    }
    if (!finished) {
      finished = true;
      connection.finish(host.nowMicros());
    }
  }
}
