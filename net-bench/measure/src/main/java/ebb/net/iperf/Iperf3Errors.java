package ebb.net.iperf;

import java.util.Map;

/** iperf3's numbers for what went wrong, as its servers send them. */
public final class Iperf3Errors {
  /** The duration is out of range. */
  public static final int DURATION = 5;

  /** More is asked for than the server allows. */
  public static final int TOTAL_RATE = 27;

  /** The parameters cannot be read, or not be done. */
  public static final int PARAMETERS = 114;

  /** What came is out of turn. */
  public static final int MESSAGE = 110;

  private static final Map<Integer, String> WORDS =
      Map.ofEntries(
          Map.entry(DURATION, "the duration is out of its range"),
          Map.entry(6, "there are more parallel streams than it takes"),
          Map.entry(7, "the length of a message is out of its range"),
          Map.entry(8, "the socket buffer is larger than it takes"),
          Map.entry(TOTAL_RATE, "the rate is higher than it allows"),
          Map.entry(37, "the test is longer than it allows"),
          Map.entry(MESSAGE, "it was told what it does not know"),
          Map.entry(PARAMETERS, "it could not read the parameters"),
          Map.entry(117, "it could not send its results"),
          Map.entry(118, "it could not read the results"),
          Map.entry(120, "the server was terminated"),
          Map.entry(131, "it does not have that protocol"),
          Map.entry(142, "it wants a user and a password, which Ebb does not have"),
          Map.entry(144, "no data came for too long"));

  private Iperf3Errors() {}

  /** For people; one that Ebb does not know has its number. */
  static String words(int code) {
    return WORDS.getOrDefault(code, "its error " + code);
  }
}
