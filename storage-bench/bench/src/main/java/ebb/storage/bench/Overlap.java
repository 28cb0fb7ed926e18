package ebb.storage.bench;

import ebb.storage.bench.RunPlan.Fit;
import ebb.storage.bench.RunPlan.Item;
import java.util.List;

/**
 * Makes transfers that begin apart overlap, so that newcomers can be compared with those that run
 * already. How long one takes is taken from what was measured before, the fastest of all, for what
 * comes first is slow. It owns which interval and which size follow from that; {@link Newcomers}
 * owns the comparison.
 */
final class Overlap {
  /** What an interval is made, at most what is asked for; few, so that runs can be put together. */
  private static final long[] INTERVALS_MICROS = {5_000_000, 2_000_000, 1_000_000, 500_000};

  /**
   * A transfer lasts this long at least, where its size is free: twice the overlap that says
   * something, after the shortest interval.
   */
  private static final long MIN_TRANSFER_MICROS = 3 * Newcomers.MIN_OVERLAP_MICROS;

  /** What a size grows by at most: 128 MiB to 1 GiB, enough for 5.7 Gbit/s in each transfer. */
  private static final int MAX_GROWTH = 8;

  private Overlap() {}

  /**
   * The item as it is measured, after what has been measured.
   *
   * @param roomBytes that the store has for all of it
   */
  static Item fitted(RunPlan plan, Item item, List<Measurement> before, long roomBytes) {
    if (item.fit() == Fit.NOTHING) {
      return item;
    }
    long fastestMicros =
        before.stream()
            .filter(one -> one.item().of().equals(item.of()))
            .filter(one -> one.item().intervalMicros() == 0)
            .flatMap(one -> one.result().transfers().stream())
            .filter(transfer -> transfer.outcome().succeeded())
            .mapToLong(transfer -> Math.max(1, transfer.outcome().durationMicros()))
            .min()
            .orElse(Long.MAX_VALUE);
    int growth = 1;
    while (item.fit() == Fit.INTERVAL_AND_SIZE
        && growth < MAX_GROWTH
        && fastestMicros < MIN_TRANSFER_MICROS / growth
        && roomFor(plan, item, 2 * growth) <= roomBytes) {
      growth *= 2;
    }
    // Half of a transfer at most: the other half overlaps.
    long half = fastestMicros / 2 * growth;
    long interval = item.intervalMicros();
    for (long shorter : INTERVALS_MICROS) {
      if (interval > half && shorter < interval) {
        interval = shorter;
      }
    }
    return new Item(
        item.of(),
        item.processes(),
        interval,
        item.ratePerSecond(),
        growth == 1 ? 0 : growth * plan.objectBytes(),
        Fit.NOTHING);
  }

  /** Of the plan's own objects, and those that an item writes or reads beside them. */
  private static double roomFor(RunPlan plan, Item item, int growth) {
    return plan.bytesAtOnce() + (double) item.processes() * growth * plan.objectBytes();
  }
}
