package ebb.selfbench.duel;

/**
 * What was measured of one cell, in the setup's interval unless said. NaN where a figure means
 * nothing. docs/duels.md defines each.
 *
 * @param utilisation of the link, by all flows
 * @param medianQueueMicros time that half of the packets waited less than
 * @param highQueueMicros time that 95% of the packets waited less than
 * @param share part of the link's capacity that the controller's flows took; in a newcomer's case
 *     the newcomer's
 * @param jain Jain's index of all flows
 * @param recoveryMicros after the TCP flow left; infinite when 90% was not reached
 * @param tcp of the TCP flow beside the controller's
 * @param waste of the controller's flows
 */
public record DuelFigures(
    double utilisation,
    double medianQueueMicros,
    double highQueueMicros,
    double share,
    double jain,
    double recoveryMicros,
    Tcp tcp,
    Waste waste) {

  /**
   * The rival.
   *
   * @param loss part of what it carries without the controller's flow, that it lost
   * @param alone part of the link that it carries without the controller's flow
   * @param lossFromStart the loss from the moment on when the second of the two came
   */
  public record Tcp(double loss, double alone, double lossFromStart) {
    static final Tcp NONE = new Tcp(Double.NaN, Double.NaN, Double.NaN);

    /** Part of what it carries alone, that it kept. */
    double keeps() {
      return 1 - loss;
    }

    /** The same, from the moment on when the second of the two came. */
    double keepsFromStart() {
      return 1 - lossFromStart;
    }

    Tcp plus(Tcp other) {
      return new Tcp(loss + other.loss, alone + other.alone, lossFromStart + other.lossFromStart);
    }

    Tcp dividedBy(int runs) {
      return new Tcp(loss / runs, alone / runs, lossFromStart / runs);
    }
  }

  /**
   * What a high utilisation can hide.
   *
   * @param resent part of the bytes sent that had been sent before
   * @param smallest what the flow with the least carried, of an equal part
   */
  public record Waste(double resent, double smallest) {}

  double tcpLoss() {
    return tcp.loss;
  }

  DuelFigures plus(DuelFigures other) {
    return new DuelFigures(
        utilisation + other.utilisation,
        medianQueueMicros + other.medianQueueMicros,
        highQueueMicros + other.highQueueMicros,
        share + other.share,
        jain + other.jain,
        recoveryMicros + other.recoveryMicros,
        tcp.plus(other.tcp),
        new Waste(waste.resent + other.waste.resent, waste.smallest + other.waste.smallest));
  }

  DuelFigures dividedBy(int runs) {
    return new DuelFigures(
        utilisation / runs,
        medianQueueMicros / runs,
        highQueueMicros / runs,
        share / runs,
        jain / runs,
        recoveryMicros / runs,
        tcp.dividedBy(runs),
        new Waste(waste.resent / runs, waste.smallest / runs));
  }
}
