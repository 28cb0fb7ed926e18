package ebb.ledbat.endpoint;

import ebb.core.rand.RandomSource;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Many connections behind one datagram address, sans-IO: bytes and time go in, bytes and deadlines
 * come out. It owns no clock, thread or socket. Not thread-safe: a driver makes all calls.
 *
 * <p>The driver's cycle is: {@link #receive} for every burst that arrived, {@link #onTimeout} if
 * {@link #nextTimeoutMicros} has passed, {@link #endOfBurst} once, then {@link #pollTransmit} until
 * it gives nothing, then sleep until the next timeout or datagram.
 */
public final class LedbatEndpoint {
  public LedbatEndpoint(LedbatConfig config, RandomSource random, EndpointListener listener) {}

  /** Whether a datagram that starts with this byte can be uTP; others belong to somebody else. */
  public static boolean looksLikeUtp(byte firstByte) {
    return (firstByte & 0xf) == 1 && (firstByte >>> 4 & 0xf) <= 4;
  }

  /**
   * Takes a burst from one peer: the bytes between {@code burst}'s position and limit are datagrams
   * of {@code segmentSizeBytes}, the last perhaps shorter. The buffer is not kept.
   */
  public void receive(
      InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes, long nowMicros) {}

  /** Ends a cycle's input: decides on acknowledgements, then calls the listeners. */
  public void endOfBurst(long nowMicros) {}

  /** Handles every deadline at or before {@code nowMicros}. */
  public void onTimeout(long nowMicros) {}

  /** The earliest deadline, {@link Long#MAX_VALUE} when there is none. */
  public long nextTimeoutMicros() {
    return Long.MAX_VALUE;
  }

  /**
   * Fills {@code out} with the next burst.
   *
   * @return false when there is nothing to send now
   */
  public boolean pollTransmit(Transmit out, long nowMicros) {
    return false;
  }

  /** The kernel refused a datagram of this size (EMSGSIZE). */
  public void onTooLarge(InetSocketAddress destination, int datagramBytes, long nowMicros) {}

  /** ICMP said that {@code remote} cannot be reached. */
  public void onUnreachable(InetSocketAddress remote, long nowMicros) {}

  /** Opens a connection. Failure is told to the listener's onClosed, also when a cap is reached. */
  @SuppressWarnings("DoNotCallSuggester")
  public LedbatConnection connect(
      InetSocketAddress remote, ConnectionListener listener, long nowMicros) {
    throw new UnsupportedOperationException("not yet");
  }

  public int connectionCount() {
    return 0;
  }

  /** Aborts every connection; what has to be sent for it is polled afterwards. */
  public void close(long nowMicros) {}
}
