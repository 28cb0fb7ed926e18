package ebb.ledbat.congestion;

/**
 * Whether losses depend on the own rate: for a second less is sent, and what is lost then is
 * compared with what was lost before. Owns the counts of one such test.
 *
 * <p>Not thread-safe.
 */
final class LossTest {
  private static final long MIN_MICROS = 1_000_000;
  private static final int ROUND_TRIPS = 8;

  /** What was sent before the test is lost and found missing for so long. */
  static final int SETTLING_ROUND_TRIPS = 4;

  /** Tests cost a part of the rate: not more often. */
  private static final long GAP_MICROS = 5_000_000;

  /** Losses that go on like this with less sent are the path's. */
  private static final double GOES_ON = 0.3;

  /** ... and these are those of a full queue or policer, which somebody else fills. */
  private static final double BURST_SHARE = 0.1;

  private static final int BURST_PACKETS = 3;

  private long beganMicros = Long.MIN_VALUE / 2;
  private long untilMicros;
  private double shareBefore;
  private double rateBefore;
  private double cwndBefore;
  private double packets;
  private double lost;

  boolean isDue(long nowMicros) {
    return nowMicros - beganMicros > GAP_MICROS;
  }

  /**
   * A test begins.
   *
   * @param share the part of the last round trip that was lost
   * @param delivered bytes per second that arrived in it; 0 where a queue had warned
   * @param cwnd the window in it
   */
  void begin(double share, double delivered, double cwnd, QueueEstimate queue, long nowMicros) {
    beganMicros = nowMicros;
    untilMicros =
        nowMicros
            + SETTLING_ROUND_TRIPS * queue.latestRttMicros()
            + Math.max(MIN_MICROS, ROUND_TRIPS * queue.minRttMicros());
    shareBefore = share;
    rateBefore = delivered;
    cwndBefore = cwnd;
    packets = 0;
    lost = 0;
  }

  /**
   * A round trip of the test ended, after what was sent before it has settled.
   *
   * @return whether it lost a burst, which is nobody's chance
   */
  boolean onRound(double roundPackets, double roundLost) {
    packets += roundPackets;
    lost += roundLost;
    return roundLost >= BURST_PACKETS && roundLost > BURST_SHARE * roundPackets;
  }

  boolean isOver(long nowMicros) {
    return nowMicros >= untilMicros;
  }

  /** Whether the path loses as much whatever is sent; {@code known}: what it is known to lose. */
  boolean isRandom(double known) {
    boolean goesOn = lost > 0 && lost >= GOES_ON * shareBefore * packets;
    return goesOn || (known > 0 && shareBefore < 3 * known);
  }

  /** What arrived before it; 0 where a queue had warned. */
  double rateBefore() {
    return rateBefore;
  }

  double cwndBefore() {
    return cwndBefore;
  }
}
