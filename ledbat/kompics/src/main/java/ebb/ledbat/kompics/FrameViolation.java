package ebb.ledbat.kompics;

/** Why the bytes on a message connection are not what this protocol sends; each is counted. */
public enum FrameViolation {
  /** The first bytes are not the magic number: some other protocol. */
  BAD_MAGIC,
  /** A version of the framing that is not known here. */
  BAD_VERSION,
  /** The announced address has no IP address' length or no port. */
  BAD_ADDRESS,
  /** A frame type that does not exist. */
  UNKNOWN_FRAME,
  /** A message of no bytes. */
  EMPTY_MESSAGE,
  /** A message that is announced as larger than the limit. */
  MESSAGE_TOO_LARGE,
  /** A message inside another one. */
  NESTED_MESSAGE,
  /** A segment that belongs to no message. */
  STRAY_SEGMENT,
  /** A segment that is empty or goes beyond its message's end. */
  BAD_SEGMENT_LENGTH,
  /** A message after the sender had said that none would follow. */
  MESSAGE_AFTER_BYE
}
