package ebb.net.control;

/**
 * What client and server say to each other on a TCP connection. {@link ControlCodec} owns how it is
 * written; this owns what there is to say.
 */
public sealed interface ControlMessage {
  /** The version of everything but {@link Hello} and {@link Refused}, which never change. */
  int VERSION = 1;

  /** Bytes of a session's token. */
  int TOKEN_BYTES = 16;

  /** Characters of a reason that travel; the rest is cut off. */
  int MAX_REASON_CHARS = 300;

  /** What a TCP connection is for. */
  enum Purpose {
    /** The messages of one session. */
    CONTROL(0),
    /** Bytes to be counted; after its {@link Hello} nothing but those comes. */
    DATA(1);

    final int code;

    Purpose(int code) {
      this.code = code;
    }
  }

  /** Why a server will not serve. */
  enum Refusal {
    /** It measures with somebody else. */
    BUSY(0),
    /** It speaks another version. */
    VERSION(1),
    /** The token is not of a session that is open. */
    UNKNOWN_SESSION(2),
    /** It could not read what came, or it came out of turn. */
    MALFORMED(3),
    /** The server is ending. */
    ENDING(4);

    final int code;

    Refusal(int code) {
      this.code = code;
    }
  }

  /**
   * The first message on every connection to a server.
   *
   * @param version the client's
   * @param token of the session that a {@link Purpose#DATA} connection belongs to, else zeros
   */
  record Hello(int version, Purpose purpose, Token token) implements ControlMessage {}

  /**
   * The server's answer to a {@link Purpose#CONTROL} connection: a session is open.
   *
   * @param token to be shown on the session's other connections, TCP and LEDBAT
   */
  record Welcome(Token token) implements ControlMessage {}

  /**
   * The last message on a connection.
   *
   * @param version the server's
   */
  record Refused(int version, Refusal refusal, String reason) implements ControlMessage {}

  /**
   * A question for the server's clock, and a sign of life.
   *
   * @param clientMicros comes back unchanged
   */
  record Ping(long clientMicros) implements ControlMessage {}

  /**
   * The answer to a {@link Ping}.
   *
   * @param serverMicros since the session began, on the server's clock
   */
  record Pong(long clientMicros, long serverMicros) implements ControlMessage {}

  /**
   * What has arrived at the server so far in this session, in order.
   *
   * @param serverMicros since the session began, on the server's clock
   * @param ledbatBytes payload over LEDBAT
   * @param tcpBytes payload over TCP
   */
  record Arrived(long serverMicros, long ledbatBytes, long tcpBytes) implements ControlMessage {}

  /** The client has what it wanted; the session is over. */
  record End() implements ControlMessage {}

  /**
   * Not a message: what could not be read.
   *
   * @param why one line, without anything of what came
   */
  record Malformed(String why) implements ControlMessage {}
}
