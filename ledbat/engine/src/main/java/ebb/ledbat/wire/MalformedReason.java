package ebb.ledbat.wire;

/** Why a datagram is not a uTP packet. Each is counted by the endpoint and the datagram dropped. */
public enum MalformedReason {
  /** Shorter than the 20-byte header. */
  TRUNCATED_HEADER,
  /** The low four bits of the first byte are not 1. */
  BAD_VERSION,
  /** The high four bits of the first byte are above 4. */
  BAD_TYPE,
  /** An extension's header or its bytes run past the end of the datagram. */
  EXTENSION_OVERRUN,
  /** More extensions than any honest sender chains. */
  TOO_MANY_EXTENSIONS,
  /** A selective ack without a byte. */
  BAD_SELECTIVE_ACK,
  /** A fixed-length extension (extension bits, close reason) of another length. */
  BAD_EXTENSION_LENGTH
}
