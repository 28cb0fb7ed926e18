package ebb.net.control;

/**
 * What client and server say to each other on a TCP connection. {@link ControlCodec} owns how it is
 * written; this owns what there is to say.
 */
public sealed interface ControlMessage {
  /** The version of everything but {@link Hello} and {@link Refused}, which never change. */
  int VERSION = 8;

  /** Bytes of a session's token. */
  int TOKEN_BYTES = 16;

  /** Characters of a reason that travel; the rest is cut off. */
  int MAX_REASON_CHARS = 300;

  /** What a TCP connection is for. */
  enum Purpose {
    /** The messages of one session, which measures. */
    SESSION(0),
    /** Bytes to be counted; after its {@link Hello} nothing but those comes. */
    DATA(1),
    /** Bytes that the server sends, after the {@link Hello}, when the test goes. */
    DATA_DOWN(2),
    /** Keeps all but the sessions that show its token away from the server; measures nothing. */
    RESERVATION(3);

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
    ENDING(4),
    /** The client has not proven that it has the server's key. */
    KEY(5),
    /** The server does not allow what is asked for. */
    NOT_ALLOWED(6),
    /** A flow does not come from the address of its session's control connection. */
    ADDRESS(7);

    final int code;

    Refusal(int code) {
      this.code = code;
    }
  }

  /**
   * The first message on every connection to a server.
   *
   * @param version the client's
   * @param token of the session that data belong to, or of the reservation under which a session
   *     measures; else zeros
   */
  record Hello(int version, Purpose purpose, Token token) implements ControlMessage {}

  /**
   * Means nothing. It follows the {@link Hello} of a control connection, so that a server of
   * another program, {@code iperf3 -s}, has the bytes that it waits for and tells by its answer
   * what it is.
   */
  record Filler() implements ControlMessage {}

  /**
   * The server's answer to a session or a reservation: it is open.
   *
   * @param token to be shown on whatever belongs to it
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

  /** The client has what it wanted; the session is over. */
  record End() implements ControlMessage {}

  /**
   * Before a {@link Welcome}: the client is to prove that it has the server's key.
   *
   * @param nonce random
   */
  record Challenge(Token nonce) implements ControlMessage {}

  /**
   * The answer to a {@link Challenge}.
   *
   * @param first half of an HMAC-SHA256 over the nonce
   * @param second half of it
   */
  record Proof(Token first, Token second) implements ControlMessage {}

  /** What the client wants to measure; once a session. */
  record Begin(TestSpec spec) implements ControlMessage {}

  /**
   * The server is willing.
   *
   * @param port where it takes the flows
   */
  record Ready(int port) implements ControlMessage {}

  /** All flows are connected: whoever sends begins. */
  record Go() implements ControlMessage {}

  /** The warm-up is over. */
  record Mark() implements ControlMessage {}

  /** The server's senders have sent everything that was asked of them. */
  record SentAll() implements ControlMessage {}

  /** The client sends no more; the server is to end its flows and to give its last counts. */
  record Stop() implements ControlMessage {}

  /**
   * What the server has counted so far.
   *
   * @param last whether nothing will change any more
   * @param serverMicros when that was so, since the session began, on the server's clock; of the
   *     last words when the client's last byte came
   * @param cameBytes from the client, also those that nobody has read yet, and those that wait
   *     behind a hole
   * @param receivingMicros from {@link Go}, or the {@link Mark} after it, until the client's bytes
   *     last came
   * @param received from the client
   * @param sent to the client
   * @param receivedAtMark the same at the end of the warm-up, zeros without one
   * @param sentAtMark the same at the end of the warm-up, zeros without one
   */
  record Counts(
      boolean last,
      long serverMicros,
      long cameBytes,
      long receivingMicros,
      FlowCounts received,
      FlowCounts sent,
      FlowCounts receivedAtMark,
      FlowCounts sentAtMark)
      implements ControlMessage {}

  /**
   * Not a message: what could not be read.
   *
   * @param why one line, without anything of what came
   */
  record Malformed(String why) implements ControlMessage {}
}
