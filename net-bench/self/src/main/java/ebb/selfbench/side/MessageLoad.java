package ebb.selfbench.side;

import se.sics.kompics.network.Transport;

/**
 * Messages of one size by one transport, and how many of them may be unacknowledged: the
 * application acknowledges, because a Kompics port does not push back.
 *
 * @param transport UDP, TCP or LEDBAT
 * @param messageBytes payload of each message
 */
record MessageLoad(Transport transport, int messageBytes) {
  private static final int WINDOW_BYTES = 8 << 20;
  private static final int MIN_WINDOW = 16;
  private static final int MAX_WINDOW = 4_096;

  /** NettyNetwork's UDP socket buffers are 64 KiB: more than this is lost. */
  private static final int UDP_WINDOW_BYTES = 48 << 10;

  private static final int MAX_UDP_WINDOW = 32;

  /** Messages that may be unacknowledged. */
  int window() {
    return lossy()
        ? Math.max(1, Math.min(MAX_UDP_WINDOW, UDP_WINDOW_BYTES / messageBytes))
        : Math.max(MIN_WINDOW, Math.min(MAX_WINDOW, WINDOW_BYTES / messageBytes));
  }

  /** The receiver acknowledges every so many messages. */
  int messagesPerAck() {
    return Math.max(1, window() / 4);
  }

  /** Whether messages may be lost, and the sender goes on without them. */
  boolean lossy() {
    return transport == Transport.UDP;
  }
}
