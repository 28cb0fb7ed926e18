package ebb.ledbat.endpoint;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * One burst to send: datagrams to one destination, laid end to end in {@link #buffer}, all of
 * {@link #segmentSizeBytes} except the last, which may be shorter. The driver owns it and reuses
 * it; {@link LedbatEndpoint#pollTransmit} fills it. With GSO it is one system call.
 */
public final class Transmit {
  /** Largest number of datagrams that the kernel takes in one GSO call. */
  public static final int MAX_SEGMENTS = 64;

  /** Largest UDP payload, and so the largest burst. */
  public static final int MAX_BURST_BYTES = 65_507;

  private static final InetSocketAddress NOWHERE = new InetSocketAddress(0);

  /** In: position 0, room for the burst. Out: position 0, limit at the end of the burst. */
  public final ByteBuffer buffer;

  /** In: how many datagrams the driver can send in one burst, 1..64. */
  public final int maxSegments;

  /** Out: where to. */
  public InetSocketAddress destination = NOWHERE;

  /** Out: length of every datagram but the last. */
  public int segmentSizeBytes;

  /**
   * Out: false asks the driver to let routers fragment this burst (a packet that was cut for a
   * larger path MTU than the path has now).
   */
  public boolean dontFragment = true;

  /** For bursts of any size. */
  public Transmit() {
    this(ByteBuffer.allocate(MAX_BURST_BYTES), MAX_SEGMENTS);
  }

  public Transmit(ByteBuffer buffer, int maxSegments) {
    this.buffer = buffer;
    this.maxSegments = maxSegments;
  }
}
