package ebb.ledbat.stream;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream: moves bytes between a connection and its user under the user's credit and demand. It
 * holds at most the credit on the way out; on the way in the connection's own window holds what was
 * not demanded yet. Everything here runs in the endpoint's context.
 */
public final class StreamFlow implements ConnectionListener {
  private static final Logger LOG = LoggerFactory.getLogger(StreamFlow.class);

  /** Largest {@link StreamEvents#onData}. */
  static final int MAX_CHUNK_BYTES = 256 << 10;

  /** Credit and acknowledgements are told in steps of this, or when nothing is left to tell. */
  private static final int REPORT_STEP_BYTES = 64 << 10;

  private static final ConnectionListener DEAF = new ConnectionListener() {};

  private record End(CloseReason reason, ConnectionStats stats) {}

  private final LongSupplier clock;
  private StreamEvents events;
  private final byte[] hello;
  private final InetSocketAddress remote;
  private final long creditBytes;
  private final ArrayDeque<ByteBuffer> pending = new ArrayDeque<>();
  private @Nullable LedbatConnection connection;
  private boolean established;
  private boolean finishRequested;
  private boolean peerFinished;
  private boolean peerFinishedTold;
  private boolean misused;

  // Bytes that the user wrote and that were not reported as written yet.
  private long outstandingBytes;
  // Of those, bytes that the connection has taken.
  private long unreportedBytes;
  private long takenBytes;
  private long ackedBytesTold;
  private long demandBytes;

  // What was still unread when the connection finished, and how it finished.
  private @Nullable ByteBuffer remainder;
  private @Nullable End closed;

  // The last call was made.
  private @Nullable End told;

  /**
   * @param clock the driver's, microseconds
   * @param creditBytes what the user may have outstanding
   */
  public StreamFlow(
      LongSupplier clock, InetSocketAddress remote, long creditBytes, StreamEvents events) {
    this(clock, remote, creditBytes, events, new byte[0]);
  }

  /**
   * The same with a hello.
   *
   * @param hello what goes before the user's bytes once it is connected, at most 64
   */
  public StreamFlow(
      LongSupplier clock,
      InetSocketAddress remote,
      long creditBytes,
      StreamEvents events,
      byte[] hello) {
    this.hello = hello.clone();
    this.clock = clock;
    this.remote = remote;
    this.creditBytes = creditBytes;
    this.events = events;
  }

  /** Whose bytes these are; once, before anything else. */
  public void attach(LedbatConnection connection) {
    this.connection = connection;
  }

  /** The connection was accepted and not opened here, so it is established. */
  public void accept(LedbatConnection accepted) {
    attach(accepted);
    established = true;
    accepted.setListener(this);
  }

  /**
   * From here on another user hears of the stream. It is told again how the stream ended, if it
   * did; data and credit that the first user had go on counting.
   */
  public void handOver(StreamEvents user) {
    events = user;
    if (peerFinishedTold) {
      user.onPeerFinished();
    }
    End end = told;
    if (end != null) {
      user.onClosed(end.reason, end.stats);
    }
  }

  /**
   * Sends the remaining bytes, which must not change until they are reported written. Writing
   * beyond the credit, or after {@link #finish}, aborts the stream.
   */
  public void write(ByteBuffer bytes, long nowMicros) {
    LedbatConnection out = connection;
    if (out == null || closed != null || misused || !bytes.hasRemaining()) {
      return;
    }
    long allowed = established ? creditBytes : 0;
    if (finishRequested || outstandingBytes + bytes.remaining() > allowed) {
      misused = true;
      LOG.warn(
          "stream to {}: {}; it is aborted",
          remote,
          finishRequested
              ? "written to after it was finished"
              : "%d bytes written with %d outstanding, the credit is %d"
                  .formatted(bytes.remaining(), outstandingBytes, allowed));
      pending.clear();
      out.abort(nowMicros);
      return;
    }
    outstandingBytes += bytes.remaining();
    pending.add(bytes.slice());
    pumpOut(out, nowMicros);
  }

  /** Allows that many more bytes of data. */
  public void demand(long bytes, long nowMicros) {
    if (bytes > 0) {
      long sum = demandBytes + bytes;
      demandBytes = sum < 0 ? Long.MAX_VALUE : sum;
      pumpIn(nowMicros);
    }
  }

  /** Half-close: a FIN follows the bytes written so far. */
  public void finish(long nowMicros) {
    LedbatConnection out = connection;
    if (out != null && closed == null && !finishRequested) {
      finishRequested = true;
      pumpOut(out, nowMicros);
    }
  }

  /** Drops the stream at once. */
  public void abort(long nowMicros) {
    if (closed != null) {
      tellClosed(closed);
    } else if (connection != null) {
      pending.clear();
      connection.abort(nowMicros);
    }
  }

  /** Changes TARGET (1..100,000 us) and the rate bound (bytes a second, 0 for none). */
  public void configure(long targetDelayMicros, long maxRateBytesPerSecond) {
    if (connection != null && closed == null) {
      connection.setTargetDelayMicros(targetDelayMicros);
      connection.setMaxRateBytesPerSecond(maxRateBytesPerSecond);
    }
  }

  /** Replaces the congestion controller, or changes its weight. */
  public void setController(ControllerFactory factory, long nowMicros) {
    if (connection != null && closed == null) {
      connection.setController(factory, nowMicros);
    }
  }

  /** Statistics of the connection; null when it is gone. */
  public @Nullable ConnectionStats sample(long nowMicros) {
    return connection == null || closed != null ? null : connection.stats(nowMicros);
  }

  /** The endpoint goes away; the connection's own last call may or may not still come. */
  public void endpointClosed(long nowMicros) {
    LedbatConnection gone = connection;
    if (gone == null) {
      return;
    }
    if (closed != null) {
      tellClosed(closed);
      return;
    }
    ConnectionStats stats = gone.stats(nowMicros);
    gone.setListener(DEAF);
    gone.abort(nowMicros);
    end(CloseReason.ENDPOINT_CLOSED, stats);
  }

  @Override
  public void onConnected(LedbatConnection connection) {
    established = true;
    connection.write(ByteBuffer.wrap(hello), clock.getAsLong()); // nothing is before it, so it fits
    events.onConnected();
    if (finishRequested) {
      pumpOut(connection, clock.getAsLong());
    }
  }

  @Override
  public void onReadable(LedbatConnection connection) {
    pumpIn(clock.getAsLong());
  }

  @Override
  public void onWritable(LedbatConnection connection) {
    pumpOut(connection, clock.getAsLong());
  }

  @Override
  public void onAcked(LedbatConnection connection) {
    long acked = connection.stats(clock.getAsLong()).bytesAcked() - hello.length;
    if (acked - ackedBytesTold >= REPORT_STEP_BYTES
        || (acked == takenBytes && acked > ackedBytesTold)) {
      ackedBytesTold = acked;
      events.onAcked(acked);
    }
  }

  @Override
  public void onPeerFinished(LedbatConnection connection) {
    peerFinished = true;
    pumpIn(clock.getAsLong());
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    long nowMicros = clock.getAsLong();
    ConnectionStats stats = connection.stats(nowMicros);
    if (established) {
      pumpIn(nowMicros);
    }
    int unread = connection.readableBytes();
    boolean wholeAndUnread = reason == CloseReason.FINISHED && !misused && unread > 0;
    if (established && wholeAndUnread) {
      // The connection is done but its user is not: what it was sent in full it can still read.
      ByteBuffer rest = ByteBuffer.allocate(unread);
      connection.read(rest, nowMicros);
      remainder = rest.flip();
      closed = new End(reason, stats);
      pumpIn(nowMicros);
    } else {
      end(misused ? CloseReason.MISUSED : reason, stats);
    }
  }

  private void end(CloseReason reason, ConnectionStats stats) {
    if (established) {
      tellClosed(new End(reason, stats));
    } else {
      events.onConnectFailed(reason);
    }
  }

  private void tellClosed(End last) {
    remainder = null;
    pending.clear();
    told = last;
    events.onClosed(last.reason, last.stats);
  }

  private void pumpOut(LedbatConnection out, long nowMicros) {
    while (!pending.isEmpty()) {
      ByteBuffer head = pending.getFirst();
      int taken = out.write(head, nowMicros);
      unreportedBytes += taken;
      takenBytes += taken;
      if (head.hasRemaining()) {
        break;
      }
      pending.removeFirst();
    }
    if (unreportedBytes >= Math.min(REPORT_STEP_BYTES, creditBytes / 4)
        || (pending.isEmpty() && unreportedBytes > 0)) {
      long reported = unreportedBytes;
      unreportedBytes = 0;
      outstandingBytes -= reported;
      events.onWritten(reported);
    }
    if (finishRequested && established && pending.isEmpty()) {
      out.finish(nowMicros);
    }
  }

  private void pumpIn(long nowMicros) {
    while (demandBytes > 0) {
      int chunkBytes = (int) Math.min(Math.min(readableBytes(), MAX_CHUNK_BYTES), demandBytes);
      if (chunkBytes == 0) {
        break;
      }
      ByteBuffer chunk = events.room(chunkBytes).limit(chunkBytes);
      read(chunk, nowMicros);
      demandBytes -= chunk.flip().remaining();
      events.onData(chunk);
    }
    if (peerFinished && !peerFinishedTold && readableBytes() == 0) {
      peerFinishedTold = true;
      events.onPeerFinished();
    }
    if (closed != null && readableBytes() == 0) {
      tellClosed(closed);
    }
  }

  private int readableBytes() {
    if (remainder != null) {
      return remainder.remaining();
    }
    return connection == null || closed != null ? 0 : connection.readableBytes();
  }

  private void read(ByteBuffer target, long nowMicros) {
    ByteBuffer rest = remainder;
    if (rest != null) {
      int bytes = target.remaining();
      target.put(rest.slice(rest.position(), bytes));
      rest.position(rest.position() + bytes);
    } else if (connection != null) {
      connection.read(target, nowMicros);
    }
  }
}
