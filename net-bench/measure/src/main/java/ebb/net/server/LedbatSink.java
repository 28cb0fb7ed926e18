package ebb.net.server;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.netty.NettyDriver;
import ebb.net.control.ControlCodec;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One LEDBAT connection from outside: shows a session's token first, then brings bytes. */
final class LedbatSink implements ConnectionListener {
  private static final long PREAMBLE_WAIT_MICROS = 5_000_000;

  private final NetServer server;
  private final NettyDriver driver;
  private final ByteBuffer preamble = ByteBuffer.allocate(ControlCodec.PREAMBLE_BYTES);
  private final ByteBuffer scratch;
  private @Nullable Session session;

  /**
   * A sink for one connection.
   *
   * @param scratch what is read goes there; shared by all connections of the driver
   */
  LedbatSink(NetServer server, NettyDriver driver, ByteBuffer scratch) {
    this.server = server;
    this.driver = driver;
    this.scratch = scratch;
  }

  /** Drops a connection that does not say soon whose it is. */
  void startWaiting(LedbatConnection connection) {
    driver.schedule(
        PREAMBLE_WAIT_MICROS,
        (endpoint, now) -> {
          if (session == null && !connection.isClosed()) {
            server.stranger();
            connection.abort(now);
          }
        });
  }

  @Override
  public void onReadable(LedbatConnection connection) {
    long now = driver.nowMicros();
    if (session == null && !identify(connection, now)) {
      return;
    }
    Session current = session;
    if (current == null) {
      return;
    }
    ServerTest test = current.test();
    if (test != null || current.isShared()) {
      boolean down = ControlCodec.isDown(preamble.array());
      if (test == null || !test.addLedbat(driver, connection, down)) {
        server.stranger();
        connection.abort(now);
      }
      return;
    }
    long bytes = 0;
    for (int n = read(connection, now); n > 0; n = read(connection, now)) {
      bytes += n;
    }
    current.onLedbatBytes(connection, bytes);
  }

  /** Whether it is known whose it is. */
  private boolean identify(LedbatConnection connection, long now) {
    connection.read(preamble, now);
    if (preamble.hasRemaining()) {
      return false;
    }
    session = server.sessionOf(preamble.array()).orElse(null);
    if (session == null) {
      server.stranger();
      connection.abort(now);
      return false;
    }
    return true;
  }

  private int read(LedbatConnection connection, long now) {
    scratch.clear();
    return connection.read(scratch, now);
  }

  @Override
  public void onPeerFinished(LedbatConnection connection) {
    onReadable(connection);
    connection.finish(driver.nowMicros());
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    Session current = session;
    if (current != null) {
      current.removeLedbat(connection);
    }
  }
}
