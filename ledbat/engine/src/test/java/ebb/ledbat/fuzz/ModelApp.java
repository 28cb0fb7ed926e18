package ebb.ledbat.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An application on Ebb's side: writes the pattern when told, and holds every byte it reads and
 * every event it hears against what the peer's model has sent.
 */
final class ModelApp implements ConnectionListener {
  private static final ByteBuffer SCRATCH = ByteBuffer.allocate(1 << 16);

  private final LongSupplier clock;

  /** The model of the other side; null for a connection that nobody modelled. */
  final @Nullable ModelPeer peer;

  LedbatConnection connection;
  boolean reading = true;
  boolean finished;
  long written;
  long read;
  int connectedCalls;
  int peerFinishedCalls;
  @Nullable CloseReason closed;

  /** True while this calls the connection: no listener may be called meanwhile. */
  private boolean calling;

  ModelApp(LongSupplier clock, @Nullable ModelPeer peer) {
    this.clock = clock;
    this.peer = peer;
  }

  void write(int bytes) {
    SCRATCH.clear();
    int length = Math.min(bytes, SCRATCH.capacity());
    if (peer == null) {
      SCRATCH.position(length);
    } else {
      peer.toPeer.put(written, length, SCRATCH);
    }
    SCRATCH.flip();
    int writable = connection.writableBytes();
    calling = true;
    int taken = connection.write(SCRATCH, clock.getAsLong());
    calling = false;
    if (taken < 0 || taken > Math.min(length, writable)) {
      throw new AssertionError(taken + " bytes taken, of " + writable);
    }
    written += taken;
  }

  void read(int bytes) {
    int readable = connection.readableBytes();
    SCRATCH.clear().limit(Math.min(bytes, SCRATCH.capacity()));
    calling = true;
    int got = connection.read(SCRATCH, clock.getAsLong());
    calling = false;
    if (got != Math.min(readable, SCRATCH.limit())) {
      throw new AssertionError(got + " bytes read, of " + readable);
    }
    if (peer != null) {
      peer.checkDelivered(read, SCRATCH.array(), got);
    }
    read += got;
  }

  void readAll() {
    while (connection.readableBytes() > 0) {
      read(SCRATCH.capacity());
    }
  }

  void finish() {
    finished = true;
    calling = true;
    connection.finish(clock.getAsLong());
    calling = false;
  }

  void abort() {
    calling = true;
    connection.abort(clock.getAsLong());
    calling = false;
  }

  /** For messages. */
  String describe() {
    return "initiator %s, written %d, read %d of %d, finished %s, %s"
        .formatted(
            connection.isInitiator(),
            written,
            read,
            peer == null ? -1 : peer.cutBytes(),
            finished,
            connection.stats(clock.getAsLong()));
  }

  private void checkEvent() {
    if (calling || closed != null) {
      throw new AssertionError("called from inside a call, or after onClosed");
    }
  }

  @Override
  public void onConnected(LedbatConnection c) {
    checkEvent();
    assertThat(++connectedCalls).isEqualTo(1);
    assertThat(c.isInitiator()).isTrue();
  }

  @Override
  public void onReadable(LedbatConnection c) {
    checkEvent();
    if (reading) {
      readAll();
    }
  }

  @Override
  public void onWritable(LedbatConnection c) {
    checkEvent();
  }

  @Override
  public void onAcked(LedbatConnection c) {
    checkEvent();
  }

  @Override
  public void onPeerFinished(LedbatConnection c) {
    checkEvent();
    assertThat(++peerFinishedCalls).isEqualTo(1);
    if (peer != null) {
      peer.checkEnd(read + c.readableBytes());
    }
  }

  @Override
  public void onClosed(LedbatConnection c, CloseReason reason) {
    checkEvent();
    assertThat(c.isClosed()).isTrue();
    readAll();
    closed = reason;
    if (reason == CloseReason.FINISHED) {
      assertThat(finished).as("FINISHED, and this side has not finished").isTrue();
      assertThat(peerFinishedCalls).as("FINISHED before the peer did").isEqualTo(1);
      if (peer != null) {
        peer.checkEnd(read);
        peer.checkAllSent(written);
      }
    }
  }
}
