package ebb.ledbat.stream;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import java.nio.ByteBuffer;

/**
 * What the user of a {@link StreamFlow} hears of it. Called in the endpoint's context; must neither
 * block nor throw.
 */
public interface StreamEvents {
  /** The peer answered; the user may write. */
  void onConnected();

  /** The connection came to nothing; the last call. */
  void onConnectFailed(CloseReason reason);

  /** {@code bytes} of credit are back. */
  default void onWritten(long bytes) {}

  /** The peer's transport has acknowledged {@code totalBytes} since the stream began. */
  default void onAcked(long totalBytes) {}

  /**
   * Where the next received bytes are to be put: a buffer at position 0 with room for {@code
   * bytes}, at most {@value StreamFlow#MAX_CHUNK_BYTES}.
   */
  default ByteBuffer room(int bytes) {
    return ByteBuffer.allocate(bytes);
  }

  /** Received bytes, in order, in what {@link #room} gave; they are the user's. */
  default void onData(ByteBuffer bytes) {}

  /** All data was delivered and the peer will send no more. */
  default void onPeerFinished() {}

  /** The last call of a stream that was connected or accepted. */
  default void onClosed(CloseReason reason, ConnectionStats stats) {}
}
