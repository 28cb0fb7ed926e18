package ebb.net.report;

import ebb.core.stats.LatencyHistogram;

/** Round trips counted in bins of equal ratios, from the shortest to the longest. Immutable. */
final class EchoBins {
  private final long[] edges;
  private final long[] counts;

  private EchoBins(long[] edges, long[] counts) {
    this.edges = edges;
    this.counts = counts;
  }

  /** At most {@code wanted} bins; fewer where they would be narrower than a microsecond. */
  static EchoBins of(LatencyHistogram of, int wanted) {
    long low = Math.max(1, (long) of.minMicros());
    long high = Math.max(low + 1, (long) of.maxMicros());
    int bins = (int) Math.min(wanted, high - low);
    long[] edges = new long[bins + 1];
    long[] counts = new long[bins];
    edges[0] = low;
    long before = 0;
    for (int i = 0; i < bins; i++) {
      double even = low * Math.pow((double) high / low, (i + 1.0) / bins);
      edges[i + 1] = i + 1 == bins ? high : Math.max(edges[i] + 1, Math.round(even));
      long until = i + 1 == bins ? of.count() : of.countAtMost(edges[i + 1]);
      counts[i] = until - before;
      before = until;
    }
    return new EchoBins(edges, counts);
  }

  int count() {
    return counts.length;
  }

  /** Where a bin begins, and the one before ends. */
  long fromMicros(int bin) {
    return edges[bin];
  }

  /** More than its begin, at most its end; the first with its begin, too. */
  long inBin(int bin) {
    return counts[bin];
  }
}
