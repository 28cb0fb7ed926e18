package ebb.testkit.tcp;

/** What a TCP model's application has to send, and when. Times are virtual. */
public sealed interface TcpSource {
  /** Always more. */
  TcpSource ENDLESS = new Endless();

  /** See {@link #ENDLESS}. */
  record Endless() implements TcpSource {}

  /**
   * A constant rate, in blocks of 10 ms: a call, a live stream.
   *
   * @param bitsPerSecond of IP bytes; at least 1000
   */
  record Constant(long bitsPerSecond) implements TcpSource {
    /** Ranges are checked. */
    public Constant {
      if (bitsPerSecond < 1_000) {
        throw new IllegalArgumentException(
            "an application sends at least 1 kbit/s: " + bitsPerSecond);
      }
    }
  }

  /**
   * More than the path takes for some time, then nothing for some time, in turns.
   *
   * @param onMicros above 0
   * @param offMicros above 0
   */
  record OnOff(long onMicros, long offMicros) implements TcpSource {
    /** Ranges are checked. */
    public OnOff {
      if (onMicros < 1 || offMicros < 1) {
        throw new IllegalArgumentException("on and off must be above 0");
      }
    }
  }

  /**
   * Pages: objects of Pareto's lengths (exponent 1.2, up to a hundred times the mean), and after
   * each an exponential pause.
   *
   * @param meanBytes of an object's payload, about
   * @param meanPauseMicros above 0
   */
  record Web(long meanBytes, long meanPauseMicros) implements TcpSource {
    /** Ranges are checked. */
    public Web {
      if (meanBytes < 1 || meanPauseMicros < 1) {
        throw new IllegalArgumentException("objects and pauses must be above 0");
      }
    }
  }
}
