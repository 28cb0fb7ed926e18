package ebb.ledbat.congestion;

/**
 * Which losses are congestion. A path that loses at random loses the same share however little is
 * sent; a full queue, a policer and a rival's overflow lose more the more is sent. So the share
 * that the path always loses is learnt only from what is sent at a low rate, after congestion made
 * this connection step back, and never while it grows. Owns the counts of the running round trip
 * and of what was learnt.
 *
 * <p>Not thread-safe.
 */
final class LossJudge {
  /** So many losses at a low rate are needed before they count as the path's. */
  private static final double MIN_LOSSES = 2;

  /** What was learnt from more packets than this weighs half: paths change. */
  private static final double MEMORY_PACKETS = 4_000;

  /** A path that loses more than this is congested, whatever the rate. */
  private static final double MAX_RANDOM_SHARE = 0.1;

  private static final double FEW_SHARE = 0.02;

  private double roundAcked;
  private double roundLost;
  private double lowPackets;
  private double lowLost;

  void onAck(double packets) {
    roundAcked += packets;
  }

  void onLoss(double packets) {
    roundLost += packets;
  }

  /** So many that were told of as lost have arrived after all. */
  void onSpurious(double packets) {
    roundLost = Math.max(0, roundLost - packets);
  }

  /** So many of so many packets were lost by chance, whatever was sent. */
  void learn(double packets, double lost) {
    lowPackets = packets;
    lowLost = lost;
  }

  /** Packets of which the running round trip tells. */
  double roundPackets() {
    return roundAcked + roundLost;
  }

  /** Packets lost in the running round trip. */
  double roundLost() {
    return roundLost;
  }

  /** Whether the path is known to lose some at any rate: those of this kind then test for it. */
  boolean isLossy() {
    return randomShare() > 0;
  }

  /** The share that the path loses at any rate, as far as is known; 0 to 1. */
  double randomShare() {
    return lowLost < MIN_LOSSES ? 0 : Math.min(MAX_RANDOM_SHARE, lowLost / lowPackets);
  }

  /**
   * Ends a round trip.
   *
   * @param low whether it was one of a low rate, so that its losses cannot be this connection's
   * @return the part of it that was lost beyond what chance explains, 0 to 1
   */
  double endRound(boolean low) {
    double packets = roundAcked + roundLost;
    double lost = roundLost;
    roundAcked = 0;
    roundLost = 0;
    if (packets == 0) {
      return 0;
    }
    double expected = randomShare() * packets;
    // What few losses taught may be too little by two standard deviations of their number. Of what
    // follows from it three more are chance, and one packet for small numbers.
    double most = expected * (1 + 2 / Math.sqrt(Math.max(1, lowLost)));
    double byChance = expected == 0 ? 0 : most + 3 * Math.sqrt(most) + 1;
    if (low) {
      lowPackets += packets;
      // A burst is one event: a queue that overflows takes many at once, chance takes few.
      double few = Math.max(MIN_LOSSES, Math.max(4 * expected, FEW_SHARE * packets));
      lowLost += Math.min(lost, few);
      if (lowPackets > MEMORY_PACKETS) {
        lowPackets /= 2;
        lowLost /= 2;
      }
    }
    return lost > byChance ? (lost - expected) / packets : 0;
  }
}
