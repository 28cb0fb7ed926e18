package ebb.ledbat.secure;

/** What was wrong with what a peer sent. The connection that it came on is of no use any more. */
public enum SecureFailure {
  /** Its handshake message does not fit the key, the purpose or the version. */
  NOT_THE_KEY,
  /** A record is not what the peer sent: changed, left out, repeated or moved. */
  RECORD_FORGED,
  /** A record has a length that no record has. */
  RECORD_LENGTH,
  /** A record of an unknown type; only somebody with the key can send one. */
  RECORD_TYPE,
  /** There was more after the end of the stream. */
  AFTER_END
}
