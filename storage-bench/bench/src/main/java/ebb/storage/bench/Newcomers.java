package ebb.storage.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Whether transfers that begin later are faster than those that run already. For each newcomer its
 * rate is compared with the mean rate of those before it, from its begin until the next one begins
 * or one of them ends.
 */
final class Newcomers {
  /** Less than this says nothing: progress is seen ten times a second. */
  static final long MIN_OVERLAP_MICROS = 500_000;

  private Newcomers() {}

  /**
   * The mean over all newcomers of their rate over the others', less 1: 0.1 is 10% faster; empty
   * when no two transfers overlapped long enough.
   */
  static OptionalDouble advantage(List<Transfer> all) {
    List<Transfer> transfers = new ArrayList<>();
    all.stream()
        .filter(transfer -> transfer.outcome().succeeded())
        .sorted(Comparator.comparingLong(transfer -> transfer.outcome().startMicros()))
        .forEach(transfers::add);
    double sum = 0;
    int count = 0;
    for (int i = 1; i < transfers.size(); i++) {
      Transfer newcomer = transfers.get(i);
      long from = newcomer.outcome().startMicros();
      List<Transfer> others =
          transfers.subList(0, i).stream()
              .filter(other -> other.outcome().endMicros() >= from + MIN_OVERLAP_MICROS)
              .toList();
      long to = newcomer.outcome().endMicros();
      for (Transfer other : others) {
        to = Math.min(to, other.outcome().endMicros());
      }
      if (i + 1 < transfers.size()) {
        to = Math.min(to, transfers.get(i + 1).outcome().startMicros());
      }
      if (others.isEmpty() || to - from < MIN_OVERLAP_MICROS) {
        continue;
      }
      double theirs = 0;
      for (Transfer other : others) {
        theirs += other.bytesAt(to) - other.bytesAt(from);
      }
      if (theirs > 0) {
        double ours = newcomer.bytesAt(to) - newcomer.bytesAt(from);
        sum += ours / (theirs / others.size()) - 1;
        count++;
      }
    }
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / count);
  }
}
