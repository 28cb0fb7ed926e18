package ebb.example.bittorrent;

import java.io.Serial;

/** What came is not what the protocol or the format allows; the message is one line. */
public final class ProtocolException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  public ProtocolException(String message) {
    super(message);
  }
}
