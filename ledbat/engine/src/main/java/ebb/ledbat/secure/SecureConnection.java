package ebb.ledbat.secure;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.SourceShares;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose content a {@link SecureChannel} protects, over one that carries the records.
 * It keeps the rules of both interfaces: to the application it is a connection like any other,
 * which is connected, or accepted, once the peer has proven the key, and whose stream ends where
 * the peer's own authentic end is. It holds one record on the way out and at most {@link
 * PlainBuffer#MAX_BYTES} of content on the way in; the rest waits in the connection below, whose
 * window is the back-pressure.
 */
final class SecureConnection implements LedbatConnection, ConnectionListener {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Its place among the accepted ones that have proven nothing yet; null when there was none. */
  SourceShares<SecureConnection>.@Nullable Share share;

  private final SecureSessions sessions;
  private final SecureChannel channel;
  private final PlainBuffer plain = new PlainBuffer();
  private final AckMarks acks = new AckMarks();
  private ConnectionListener listener;
  private @Nullable LedbatConnection below;
  private @Nullable Object attachment;

  // A record that the connection below has not taken as a whole.
  private ByteBuffer outbox = NOTHING;
  private long proofDeadlineMicros;
  private long contentReceived;
  private boolean proven;
  private boolean closed;
  private boolean writerWaits;
  private boolean finishRequested;
  private boolean endSealed;
  private boolean peerStopped;
  private boolean peerFinishedTold;
  private @Nullable CloseReason failure;

  SecureConnection(SecureSessions sessions, SecureChannel channel, ConnectionListener listener) {
    this.sessions = sessions;
    this.channel = channel;
    this.listener = listener;
  }

  void attach(LedbatConnection connection) {
    below = connection;
  }

  private LedbatConnection below() {
    LedbatConnection connection = below;
    if (connection == null) {
      throw new IllegalStateException("not attached");
    }
    return connection;
  }

  long proofDeadlineMicros() {
    return proofDeadlineMicros;
  }

  void setProofDeadlineMicros(long deadlineMicros) {
    proofDeadlineMicros = deadlineMicros;
  }

  /** Drops a peer that has not proven the key. */
  void refuse(SecureRefusal refusal, long nowMicros) {
    if (failure == null) {
      fail(CloseReason.KEY_REFUSED, nowMicros);
      sessions.refused(this, refusal);
    }
  }

  /** Another peer has taken its place, which is already free; any of the port's contexts. */
  void crowdedOut(SecureSessions by) {
    if (by == sessions) {
      refuse(SecureRefusal.CROWDED_OUT, sessions.nowMicros());
    } else {
      sessions.later(this::refuseUnlessProven);
    }
  }

  private void refuseUnlessProven() {
    if (!proven && !closed) {
      refuse(SecureRefusal.CROWDED_OUT, sessions.nowMicros());
    }
  }

  // ---- what the connection below tells

  @Override
  public void onConnected(LedbatConnection connection) {
    sessions.awaitProof(this);
    flush(sessions.nowMicros());
  }

  @Override
  public void onReadable(LedbatConnection connection) {
    receiveAndTell(sessions.nowMicros());
  }

  @Override
  public void onWritable(LedbatConnection connection) {
    boolean empty = pumpOut(sessions.nowMicros());
    if (empty && writerWaits && proven) {
      writerWaits = false;
      listener.onWritable(this);
    }
  }

  @Override
  public void onAcked(LedbatConnection connection) {
    if (proven) {
      listener.onAcked(this);
    }
  }

  @Override
  public void onPeerFinished(LedbatConnection connection) {
    peerStopped = true;
    receiveAndTell(sessions.nowMicros());
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    receiveAndTell(sessions.nowMicros());
    closed = true;
    if (!proven && failure == null) {
      sessions.refused(this, SecureRefusal.GONE);
    }
    CloseReason told = translate(reason);
    if (told == CloseReason.KEY_REFUSED && isInitiator()) {
      sessions.notProven(this);
    }
    listener.onClosed(this, told);
  }

  private CloseReason translate(CloseReason reason) {
    if (failure != null) {
      return failure;
    }
    if (reason == CloseReason.FINISHED || reason == CloseReason.RESET_BY_PEER) {
      if (!proven) {
        return CloseReason.KEY_REFUSED;
      }
      // The transport's FIN proves nothing, the last record does.
      return reason == CloseReason.FINISHED && !channel.peerEnded()
          ? CloseReason.TRUNCATED
          : reason;
    }
    return reason;
  }

  // ---- receiving

  /** Takes what is there and tells the listener; only outside of the application's calls. */
  private void receiveAndTell(long nowMicros) {
    boolean wasProven = proven;
    int before = plain.size();
    receive(nowMicros);
    if (channel.isOpen() && !wasProven && failure == null) {
      proven = true;
      sessions.proven(this);
      if (isInitiator()) {
        listener.onConnected(this);
      }
      pumpOut(nowMicros);
      if (writerWaits && !outbox.hasRemaining()) {
        writerWaits = false;
        listener.onWritable(this);
      }
    }
    if (proven && plain.size() > before) {
      listener.onReadable(this);
    }
    tellPeerFinished();
  }

  private void tellPeerFinished() {
    if (proven && channel.peerEnded() && !peerFinishedTold && failure == null && !closed) {
      peerFinishedTold = true;
      listener.onPeerFinished(this);
    }
  }

  /** Decrypts what is there as far as there is room for its content. */
  private void receive(long nowMicros) {
    LedbatConnection in = below();
    while (failure == null) {
      ByteBuffer room = plain.withRoom(channel.neededRoomBytes());
      if (room == null) {
        return; // The application reads first.
      }
      // Never more than the next step, so that nothing is taken that cannot be kept.
      ByteBuffer scratch = sessions.scratch().clear().limit(channel.wantedBytes());
      if (in.read(scratch, nowMicros) == 0) {
        break;
      }
      int before = plain.size();
      SecureFailure wrong = channel.receive(scratch.flip(), room);
      contentReceived += plain.size() - before;
      if (wrong == SecureFailure.NOT_THE_KEY) {
        refuse(SecureRefusal.NOT_THE_KEY, nowMicros);
      } else if (wrong != null) {
        fail(CloseReason.FORGED, nowMicros);
      } else if (channel.output().hasRemaining()) {
        // Only the handshake: what else waits goes on in onWritable, which a write here would use
        // up while the application waits for it.
        flush(nowMicros);
      }
    }
    if (peerStopped && failure == null && !channel.peerEnded()) {
      if (channel.isOpen()) {
        fail(CloseReason.TRUNCATED, nowMicros);
      } else {
        refuse(SecureRefusal.GONE, nowMicros);
      }
    }
  }

  private void fail(CloseReason reason, long nowMicros) {
    if (failure == null) {
      failure = reason;
      outbox = NOTHING;
      below().abort(nowMicros);
    }
  }

  @Override
  public int read(ByteBuffer target, long nowMicros) {
    int total = 0;
    if (!proven) {
      return total;
    }
    while (target.hasRemaining() && plain.size() > 0) {
      total += plain.read(target);
      boolean ended = channel.peerEnded();
      receive(nowMicros);
      if (channel.peerEnded() && !ended) {
        sessions.later(this::tellPeerFinished);
      }
    }
    return total;
  }

  @Override
  public int readableBytes() {
    return proven ? plain.size() : 0;
  }

  // ---- sending

  @Override
  public int write(ByteBuffer source, long nowMicros) {
    if (!proven || finishRequested || failure != null || isClosed()) {
      writerWaits |= !proven;
      return 0;
    }
    int start = source.position();
    while (source.hasRemaining() && flush(nowMicros)) {
      int before = source.position();
      int recordBytes = sealInPlace(source, nowMicros);
      if (recordBytes == 0) {
        if (!seal(source)) {
          fail(CloseReason.ABORTED, nowMicros);
          break;
        }
        recordBytes = outbox.remaining();
      }
      acks.sealed(recordBytes, source.position() - before);
    }
    writerWaits |= !flush(nowMicros);
    return source.position() - start;
  }

  /** Puts the next record where it is sent from; 0 when there is no room for one. */
  private int sealInPlace(ByteBuffer content, long nowMicros) {
    return below()
        .writeInPlace(
            SecureChannel.OVERHEAD_BYTES + 1, room -> channel.seal(content, room), nowMicros);
  }

  /** Puts the next record into the outbox, which is empty; null for the last. */
  private boolean seal(@Nullable ByteBuffer content) {
    int length =
        content == null ? 0 : Math.min(content.remaining(), SecureChannel.MAX_CONTENT_BYTES);
    int needed = length + SecureChannel.OVERHEAD_BYTES;
    if (outbox.capacity() < needed) {
      outbox = ByteBuffer.allocate(Math.max(needed, Integer.highestOneBit(needed)));
    }
    outbox.clear();
    boolean sealed = content == null ? channel.sealEnd(outbox) : channel.seal(content, outbox);
    outbox.flip();
    return sealed;
  }

  /** Hands on what is to go out; true when nothing of it is left. */
  private boolean flush(long nowMicros) {
    ByteBuffer handshake = channel.output();
    if (handshake.hasRemaining()) {
      acks.handshake(below().write(handshake, nowMicros));
    }
    if (!handshake.hasRemaining() && outbox.hasRemaining()) {
      below().write(outbox, nowMicros);
    }
    return !handshake.hasRemaining() && !outbox.hasRemaining();
  }

  /** Goes on with what could not be sent before; true when nothing is left. */
  private boolean pumpOut(long nowMicros) {
    boolean empty = flush(nowMicros);
    if (empty && finishRequested && proven && !endSealed && failure == null) {
      endSealed = seal(null);
      empty = flush(nowMicros);
    }
    if (empty && endSealed) {
      below().finish(nowMicros);
    }
    return empty;
  }

  @Override
  public int writableBytes() {
    if (!proven || finishRequested || failure != null || isClosed() || outbox.hasRemaining()) {
      return 0;
    }
    // One record is always taken.
    return Math.max(SecureChannel.MAX_CONTENT_BYTES, below().writableBytes());
  }

  @Override
  public void finish(long nowMicros) {
    if (!finishRequested) {
      finishRequested = true;
      pumpOut(nowMicros);
    }
  }

  @Override
  public void abort(long nowMicros) {
    below().abort(nowMicros);
  }

  // ---- the same as below

  @Override
  public InetSocketAddress remote() {
    return below().remote();
  }

  @Override
  public boolean isInitiator() {
    return below().isInitiator();
  }

  @Override
  public void setListener(ConnectionListener listener) {
    this.listener = listener;
  }

  @Override
  public boolean isClosed() {
    return below().isClosed();
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    below().setTargetDelayMicros(targetDelayMicros);
  }

  @Override
  public void setController(ControllerFactory factory, long nowMicros) {
    below().setController(factory, nowMicros);
  }

  @Override
  public void setMaxRateBytesPerSecond(long bytesPerSecond) {
    below().setMaxRateBytesPerSecond(bytesPerSecond);
  }

  @Override
  public void setReceiveMaxRateBytesPerSecond(long bytesPerSecond) {
    below().setReceiveMaxRateBytesPerSecond(bytesPerSecond);
  }

  @Override
  public void setReceiveTargetDelayMicros(long targetDelayMicros) {
    below().setReceiveTargetDelayMicros(targetDelayMicros);
  }

  /** Acknowledged and received bytes are content; all others are what the transport carries. */
  @Override
  public ConnectionStats stats(long nowMicros) {
    ConnectionStats stats = below().stats(nowMicros);
    return stats.withContent(acks.ackedContent(stats.bytesAcked()), contentReceived);
  }

  @Override
  public @Nullable Object attachment() {
    return attachment;
  }

  @Override
  public void setAttachment(@Nullable Object attachment) {
    this.attachment = attachment;
  }
}
