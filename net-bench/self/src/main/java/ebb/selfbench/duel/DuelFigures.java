package ebb.selfbench.duel;

/**
 * What was measured of one cell, in the setup's interval unless said. NaN where a figure means
 * nothing. docs/duels.md defines each.
 *
 * @param utilisation of the link, by all flows
 * @param medianQueueMicros time that half of the packets waited less than
 * @param highQueueMicros time that 95% of the packets waited less than
 * @param share part of the link's capacity that the controller's flow took; in a newcomer's case
 *     the newcomer's
 * @param tcpLoss part of what the TCP flow carries without the controller's flow, that it lost
 * @param jain Jain's index of all flows
 * @param recoveryMicros after the TCP flow left; infinite when 90% was not reached
 */
public record DuelFigures(
    double utilisation,
    double medianQueueMicros,
    double highQueueMicros,
    double share,
    double tcpLoss,
    double jain,
    double recoveryMicros) {

  DuelFigures plus(DuelFigures other) {
    return new DuelFigures(
        utilisation + other.utilisation,
        medianQueueMicros + other.medianQueueMicros,
        highQueueMicros + other.highQueueMicros,
        share + other.share,
        tcpLoss + other.tcpLoss,
        jain + other.jain,
        recoveryMicros + other.recoveryMicros);
  }

  DuelFigures dividedBy(int runs) {
    return new DuelFigures(
        utilisation / runs,
        medianQueueMicros / runs,
        highQueueMicros / runs,
        share / runs,
        tcpLoss / runs,
        jain / runs,
        recoveryMicros / runs);
  }
}
