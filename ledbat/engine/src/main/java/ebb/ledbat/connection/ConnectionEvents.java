package ebb.ledbat.connection;

import org.jspecify.annotations.Nullable;

/**
 * What a listener has not been told yet. Events are collected while packets are handled and told
 * afterwards, each kind once, so that a listener is never called from inside its own calls.
 */
final class ConnectionEvents {
  private static final int CONNECTED = 1;
  private static final int READABLE = 2;
  private static final int WRITABLE = 4;
  private static final int ACKED = 8;
  private static final int PEER_FINISHED = 16;

  private int pending;
  private @Nullable CloseReason closeReason;

  void connected() {
    pending |= CONNECTED;
  }

  void readable() {
    pending |= READABLE;
  }

  void writable() {
    pending |= WRITABLE;
  }

  void acked() {
    pending |= ACKED;
  }

  void peerFinished() {
    pending |= PEER_FINISHED;
  }

  void closed(CloseReason reason) {
    closeReason = reason;
  }

  boolean isEmpty() {
    return pending == 0 && closeReason == null;
  }

  void dispatch(LedbatConnection connection, ConnectionListener listener) {
    int now = pending;
    pending = 0;
    if ((now & CONNECTED) != 0) {
      listener.onConnected(connection);
    }
    if ((now & READABLE) != 0) {
      listener.onReadable(connection);
    }
    if ((now & WRITABLE) != 0) {
      listener.onWritable(connection);
    }
    if ((now & ACKED) != 0) {
      listener.onAcked(connection);
    }
    if ((now & PEER_FINISHED) != 0) {
      listener.onPeerFinished(connection);
    }
    CloseReason reason = closeReason;
    if (reason != null && pending == 0) {
      closeReason = null;
      listener.onClosed(connection, reason);
    }
  }
}
