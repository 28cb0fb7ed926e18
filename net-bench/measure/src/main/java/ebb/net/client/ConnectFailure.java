package ebb.net.client;

import ebb.core.text.OneLine;
import java.net.NoRouteToHostException;
import org.jspecify.annotations.Nullable;

/** Why a TCP connection to a server did not come about, in words for people. */
public final class ConnectFailure {
  /** What a library makes of an exception without a message, before the address. */
  private static final String NOTHING = "null: ";

  private ConnectFailure() {}

  /** One line. */
  public static String words(@Nullable Throwable cause) {
    return words(cause, "ebb net server");
  }

  /** The same where another program is to listen. */
  static String words(@Nullable Throwable cause, String program) {
    if (cause == null) {
      return "unknown reason";
    }
    String said = OneLine.of(cause);
    if (said.contains("refused")) {
      return "connection refused, no '" + program + "' listens there";
    }
    if (said.contains("timed out")) {
      return "no answer";
    }
    if (cause instanceof NoRouteToHostException || said.contains("unreachable")) {
      return "there is no way to it: a link, an interface or its machine is gone";
    }
    return said.startsWith(NOTHING) ? "it broke at once, without a reason" : said;
  }
}
