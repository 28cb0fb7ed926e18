package ebb.ledbat.kompics;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A connection that is bytes: takes what there is room for, and gives what a test put into it. */
final class ByteConnection implements LedbatConnection {
  final ByteArrayOutputStream written = new ByteArrayOutputStream();
  int room = Integer.MAX_VALUE;
  private ByteBuffer incoming = ByteBuffer.allocate(0);

  /** From here on there is that to read, and nothing else. */
  void arrives(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    incoming = ByteBuffer.wrap(all.toByteArray());
  }

  @Override
  public InetSocketAddress remote() {
    return VirtualNet.node(1);
  }

  @Override
  public boolean isInitiator() {
    return true;
  }

  @Override
  public void setListener(ConnectionListener listener) {}

  @Override
  public int write(ByteBuffer source, long nowMicros) {
    byte[] taken = new byte[Math.min(room, source.remaining())];
    source.get(taken);
    written.writeBytes(taken);
    room -= taken.length;
    return taken.length;
  }

  @Override
  public int writableBytes() {
    return room;
  }

  @Override
  public int read(ByteBuffer target, long nowMicros) {
    byte[] given = new byte[Math.min(target.remaining(), incoming.remaining())];
    incoming.get(given);
    target.put(given);
    return given.length;
  }

  @Override
  public int readableBytes() {
    return incoming.remaining();
  }

  @Override
  public void finish(long nowMicros) {}

  @Override
  public void abort(long nowMicros) {}

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {}

  @Override
  public void setController(ControllerFactory factory, long nowMicros) {}

  @Override
  public void setMaxRateBytesPerSecond(long bytesPerSecond) {}

  @Override
  public ConnectionStats stats(long nowMicros) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Object attachment() {
    return null;
  }

  @Override
  public void setAttachment(@Nullable Object attachment) {}
}
