package ebb.ledbat.stream;

import ebb.ledbat.connection.CloseReason;
import java.io.IOException;

/** The stream ended before its user was done with it. The message is one line for people. */
public final class StreamBrokenException extends IOException {
  private static final long serialVersionUID = 1L;

  private final CloseReason reason;

  public StreamBrokenException(CloseReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  static StreamBrokenException of(CloseReason reason) {
    return new StreamBrokenException(reason, describe(reason));
  }

  public CloseReason reason() {
    return reason;
  }

  /** A close reason in words that complete "the connection ...". */
  public static String describe(CloseReason reason) {
    return switch (reason) {
      case FINISHED -> "the peer ended the connection early";
      case ABORTED -> "the connection was given up on this side";
      case RESET_BY_PEER -> "the peer dropped the connection";
      case REFUSED -> "nobody accepts connections on that port";
      case CONNECT_TIMEOUT -> "no answer";
      case TIMED_OUT -> "the peer stopped answering";
      case UNREACHABLE -> "the network says that the port or host cannot be reached";
      case ENDPOINT_CLOSED -> "the socket was closed";
      case NO_RESOURCES -> "too many connections";
      case KEY_REFUSED ->
          "refused: the other side drops the connection or does not prove that it has the key;"
              + " is --key-file the same there?";
      case FORGED -> "bytes came that the peer did not send";
      case FALSE_ACK -> "the peer acknowledged what it cannot have received";
      case TRUNCATED -> "the connection was cut off: the peer had not ended it";
      default -> "the connection ended: " + reason;
    };
  }
}
