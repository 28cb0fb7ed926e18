package ebb.net.mechanism;

import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.Column;
import java.util.List;

/**
 * A protocol that {@code ebb net} measures by: opens a client's flows, accepts a server's, and says
 * which figures its flows have. Options, tables, results and charts ask it; {@code
 * ebb.net.Mechanisms} finds it. One instance serves a process; thread-safe.
 *
 * <p>One from outside is a public class with a constructor without arguments, named in {@code
 * META-INF/services/ebb.net.mechanism.Mechanism}.
 */
public interface Mechanism {
  /** Of a message of stop-and-wait where nobody says otherwise. */
  int USUAL_STOP_AND_WAIT_BYTES = 64;

  /**
   * How options, rows and the control connection name it: a lower-case word such as {@code tcp}.
   * People see it in capitals.
   */
  String name();

  /** What {@code --help} says of the option that chooses it, with a full stop. */
  String summary();

  /** The options that choose it. */
  default List<String> optionNames() {
    return List.of("--" + name());
  }

  /**
   * Whether messages are datagrams, which may be lost, repeated and overtaken while streaming:
   * results then tell loss, jitter, order and one-way delays.
   */
  default boolean isDatagrams() {
    return false;
  }

  /** Whether it sends echoes: messages that are answered each for itself, and may be lost. */
  default boolean echoes() {
    return false;
  }

  /** The largest message. */
  default int maxMessageBytes() {
    return TestSpec.MAX_MESSAGE_BYTES;
  }

  /** The size of a message where none was asked for. */
  default int usualMessageBytes(Mode mode) {
    return mode == Mode.STOP_AND_WAIT ? USUAL_STOP_AND_WAIT_BYTES : maxMessageBytes();
  }

  /** The rate of a flow where none was asked for; 0 for no bound. */
  default long usualBitsPerSecond(Mode mode) {
    return 0;
  }

  /**
   * Whether it can do this test. The server asks as well as the client.
   *
   * @throws IllegalArgumentException with one line when it cannot
   */
  default void check(TestSpec spec) {
    if (spec.mode() == Mode.ECHO && (!echoes() || spec.down())) {
      throw new IllegalArgumentException(
          "there are no echoes by "
              + spec.protocol().toUpperCase(java.util.Locale.ROOT)
              + (echoes() ? " from the server" : ""));
    }
    if (spec.messageBytes() > maxMessageBytes()) {
      throw new IllegalArgumentException(
          "a "
              + spec.protocol().toUpperCase(java.util.Locale.ROOT)
              + (isDatagrams() ? " datagram" : " message")
              + " carries at most "
              + maxMessageBytes()
              + " bytes: "
              + spec.messageBytes());
    }
  }

  /** What its flows tell of themselves, in the order of the rows. */
  List<Column> columns();

  /** A client's options, as they are without a command line. */
  ClientOptions clientOptions();

  /** A server's options, as they are without a command line. */
  ServerOptions serverOptions();
}
