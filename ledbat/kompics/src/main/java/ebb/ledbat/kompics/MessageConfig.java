package ebb.ledbat.kompics;

/**
 * Bounds and times of {@link LedbatNetwork}. Values out of range throw {@link
 * IllegalArgumentException} with one line.
 *
 * @param maxMessageBytes largest serialised message, sent or received
 * @param maxQueuedBytesPerPeer serialised messages that wait for one peer's connection or for its
 *     delivery answers; what goes beyond fails at once
 * @param maxQueuedBytes the same for all peers together; those of one IPv4 address, or of one IPv6
 *     network of 64 bits, get half of what the others leave
 * @param maxReceivedBytes received messages that are incomplete or not yet decoded, of all peers
 *     together; above it connections are read one after the other
 * @param maxSessions connections accepted from peers at a time
 * @param helloTimeoutMicros how long an accepted connection may stay silent before it is dropped
 * @param idleTimeoutMicros after how long without a message a connection is closed
 * @param stallTimeoutMicros how long the rest of a begun message may be missing
 * @param foreignSources whether a message may name another source in its header than the peer that
 *     it came from, as one that was passed on does. Who answers such a message connects to whatever
 *     address a stranger named; without it they are dropped
 */
public record MessageConfig(
    int maxMessageBytes,
    long maxQueuedBytesPerPeer,
    long maxQueuedBytes,
    long maxReceivedBytes,
    int maxSessions,
    long helloTimeoutMicros,
    long idleTimeoutMicros,
    long stallTimeoutMicros,
    boolean foreignSources) {
  private static final long SECOND = 1_000_000;

  private static final MessageConfig DEFAULTS =
      new MessageConfig(
          32 << 20,
          64L << 20,
          256L << 20,
          64L << 20,
          1_000,
          10 * SECOND,
          300 * SECOND,
          60 * SECOND,
          true);

  /** Checks every range. */
  public MessageConfig {
    range("maxMessageBytes", maxMessageBytes, 1 << 10, 1 << 30);
    range("maxQueuedBytesPerPeer", maxQueuedBytesPerPeer, maxMessageBytes, Long.MAX_VALUE);
    range("maxQueuedBytes", maxQueuedBytes, maxQueuedBytesPerPeer, Long.MAX_VALUE);
    range("maxReceivedBytes", maxReceivedBytes, 1 << 16, Long.MAX_VALUE);
    range("maxSessions", maxSessions, 1, 1 << 20);
    range("helloTimeoutMicros", helloTimeoutMicros, 1_000, 3_600 * SECOND);
    range("idleTimeoutMicros", idleTimeoutMicros, 1_000, 365L * 86_400 * SECOND);
    range("stallTimeoutMicros", stallTimeoutMicros, 1_000, 3_600 * SECOND);
  }

  /** 32 MiB messages, 64 MiB queued per peer, 256 MiB in all; idle after 5 minutes. */
  public static MessageConfig defaults() {
    return DEFAULTS;
  }

  /** The same, for a service that answers only where messages come from. */
  public MessageConfig withoutForeignSources() {
    return new MessageConfig(
        maxMessageBytes,
        maxQueuedBytesPerPeer,
        maxQueuedBytes,
        maxReceivedBytes,
        maxSessions,
        helloTimeoutMicros,
        idleTimeoutMicros,
        stallTimeoutMicros,
        false);
  }

  /**
   * The same, for a service with a heap of so many bytes: what waits to be sent takes a quarter of
   * it at most, what is received an eighth. Peers choose how full both are.
   *
   * @param heapBytes at least 1 MiB
   */
  public MessageConfig within(long heapBytes) {
    long queued = Math.min(maxQueuedBytes, heapBytes / 4);
    long ofPeer = Math.min(maxQueuedBytesPerPeer, queued / 4);
    return new MessageConfig(
        (int) Math.min(maxMessageBytes, ofPeer / 2),
        ofPeer,
        queued,
        Math.min(maxReceivedBytes, heapBytes / 8),
        maxSessions,
        helloTimeoutMicros,
        idleTimeoutMicros,
        stallTimeoutMicros,
        foreignSources);
  }

  private static void range(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be between " + min + " and " + max + ": " + value);
    }
  }
}
