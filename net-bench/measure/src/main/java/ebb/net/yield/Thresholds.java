package ebb.net.yield;

import java.util.List;

/**
 * What a scavenger must keep to; each an upper bound, {@link Double#POSITIVE_INFINITY} for none.
 *
 * @param maxShareRatio LEDBAT's share of the contended phase
 * @param maxTcpLossRatio what TCP loses of its rate
 * @param maxRecoveryMicros until LEDBAT is back at 90%
 * @param maxQueueMicros the median queuing delay of LEDBAT alone
 */
public record Thresholds(
    double maxShareRatio, double maxTcpLossRatio, double maxRecoveryMicros, double maxQueueMicros) {

  /** One bound and what was measured; a figure that could not be measured does not hold. */
  record Check(String key, String words, double value, double limit, boolean isTime) {
    boolean holds() {
      return limit == Double.POSITIVE_INFINITY || value <= limit;
    }
  }

  List<Check> judge(YieldFigures figures, Yielder yielder) {
    String it = yielder.word();
    double queue =
        figures.phases().stream()
            .filter(phase -> phase.phase().kind() == Phase.Kind.ALONE)
            .mapToDouble(YieldFigures.PhaseFigures::queueMedianMicros)
            .findFirst()
            .orElse(Double.NaN);
    return List.of(
        new Check(
            "share",
            it + "'s share while both run",
            figures.share().wholeRatio(),
            maxShareRatio,
            false),
        new Check("tcp_loss", "what TCP lost", figures.tcp().lossRatio(), maxTcpLossRatio, false),
        new Check(
            "recovery",
            it + " at 90% again after",
            figures.recoveryMicros(),
            maxRecoveryMicros,
            true),
        new Check("queue", "median queue of " + it + " alone", queue, maxQueueMicros, true));
  }
}
