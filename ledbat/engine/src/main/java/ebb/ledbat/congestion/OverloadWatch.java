package ebb.ledbat.congestion;

/**
 * Whose doing losses are of which no queue warns. Who alone sends more than the path takes goes on
 * losing for as long as that is sent. Losses that end although this connection sends a little more
 * than before had a cause that went away: somebody else stepped back, or it was chance. Owns the
 * counts of one such watch.
 *
 * <p>Not thread-safe.
 */
final class OverloadWatch {
  enum Verdict {
    /** Not known yet. */
    OPEN,
    /** The losses go on: this connection makes them. */
    GOES_ON,
    /** The losses have ended by themselves. */
    ENDED
  }

  /** A rival needs a round trip to see its losses, and one more until less arrives. */
  private static final int SETTLING_ROUNDS = 2;

  /** ... which is a longer one than the own where that is short. */
  private static final long SETTLING_MICROS = 60_000;

  /** So many stretches are watched, of a round trip and this many packets at least. */
  private static final int STRETCHES = 4;

  private static final double STRETCH_PACKETS = 15;

  /** A round trip of so many packets tells as much as two stretches. */
  private static final double PACKETS_OF_TWO = 60;

  private static final int LOSSY_STRETCHES = 3;
  private static final double LEAST_LOST = 4;

  /** A stretch that loses so many is not the last: a bucket had paid for those before it. */
  private static final double STILL_LOST = 3;

  /** Two stretches that lose this part need no more watching. */
  private static final double MUCH = 0.15;

  private static final int MUCH_STRETCHES = 2;

  private long settledMicros;
  private int settlingRounds;
  private long fromMicros;
  private double acked;
  private double packets;
  private double lost;
  private double allLost;
  private int stretches;
  private int lossy;
  private int heavy;

  void begin(long nowMicros) {
    settledMicros = nowMicros + SETTLING_MICROS;
    settlingRounds = SETTLING_ROUNDS;
  }

  /** A round trip ended with so many packets told of, of which so many were lost. */
  Verdict onRound(double roundPackets, double roundLost, long nowMicros) {
    if (settlingRounds > 0 || nowMicros < settledMicros) {
      settlingRounds--;
      startCounting(nowMicros);
      return Verdict.OPEN;
    }
    acked += roundPackets - roundLost;
    packets += roundPackets;
    lost += roundLost;
    if (packets < STRETCH_PACKETS) {
      return Verdict.OPEN;
    }
    int tells = packets >= PACKETS_OF_TWO ? 2 : 1;
    stretches += tells;
    lossy += lost > 0 ? tells : 0;
    heavy += lost > MUCH * packets ? 1 : 0;
    allLost += lost;
    boolean ended = lost < STILL_LOST;
    packets = 0;
    lost = 0;
    if (heavy >= MUCH_STRETCHES) {
      return Verdict.GOES_ON;
    }
    if (stretches < STRETCHES) {
      return Verdict.OPEN;
    }
    if (lossy >= LOSSY_STRETCHES && allLost >= LEAST_LOST) {
      return Verdict.GOES_ON;
    }
    return ended ? Verdict.ENDED : Verdict.OPEN;
  }

  private void startCounting(long nowMicros) {
    fromMicros = nowMicros;
    acked = 0;
    packets = 0;
    lost = 0;
    allLost = 0;
    stretches = 0;
    lossy = 0;
    heavy = 0;
  }

  /** Packets per second that arrived since the first losses settled. */
  double deliveredPerSecond(long nowMicros) {
    return acked * 1e6 / Math.max(1, nowMicros - fromMicros);
  }
}
