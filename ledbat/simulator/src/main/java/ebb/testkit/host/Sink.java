package ebb.testkit.host;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.testkit.link.ByteSeries;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads everything at once, compares it with the pattern, and finishes when the peer has. */
public final class Sink implements ConnectionListener {
  private static final int CHUNK_BYTES = 1 << 16;

  private final SimHost host;
  private final StreamPattern pattern;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
  private final ByteSeries goodput = new ByteSeries();
  private long received;
  private long firstDifference = -1;
  private boolean peerFinished;
  private @Nullable CloseReason closeReason;

  public Sink(SimHost host, StreamPattern pattern) {
    this.host = host;
    this.pattern = pattern;
  }

  /** Payload bytes in order, by virtual time of arrival. */
  public ByteSeries goodput() {
    return goodput;
  }

  public long received() {
    return received;
  }

  /** Offset of the first byte that was not as sent; -1 when there is none. */
  public long firstDifference() {
    return firstDifference;
  }

  /** Whether the peer's FIN came, behind everything it sent. */
  public boolean peerFinished() {
    return peerFinished;
  }

  public @Nullable CloseReason closeReason() {
    return closeReason;
  }

  @Override
  public void onReadable(LedbatConnection connection) {
    drain(connection);
  }

  @Override
  public void onPeerFinished(LedbatConnection connection) {
    drain(connection);
    peerFinished = true;
    connection.finish(host.nowMicros());
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    drain(connection);
    closeReason = reason;
  }

  private void drain(LedbatConnection connection) {
    while (connection.read(chunk.clear(), host.nowMicros()) > 0) {
      int length = chunk.position();
      if (firstDifference < 0) {
        firstDifference = pattern.firstDifference(chunk.array(), length, received);
      }
      received += length;
      goodput.add(host.virtualMicros(), length);
    }
  }
}
