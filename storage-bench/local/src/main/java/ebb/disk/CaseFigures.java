package ebb.disk;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one round of a case came to, or a part of it.
 *
 * @param part which
 * @param requests that were counted
 * @param seconds that they took, the final fsync included
 * @param syncSeconds of that the final fsync's
 * @param latencies in nanoseconds
 * @param steady whether the rate had settled ({@link Steadiness})
 * @param windowsPerSecond requests a second in each fifth of the time
 * @param clampedCount latencies that were longer than the histogram tells apart
 * @param unsent requests that a rate asked for and that could not be sent; of a side not known, 0
 */
record CaseFigures(
    DiskCase what,
    Part part,
    long requests,
    double seconds,
    double syncSeconds,
    Histogram latencies,
    boolean steady,
    List<Double> windowsPerSecond,
    long clampedCount,
    long unsent) {

  double perSecond() {
    return requests / seconds;
  }

  double bytesPerSecond() {
    return perSecond() * what.blockBytes();
  }

  double percentileNanos(double percent) {
    return requests == 0 ? Double.NaN : latencies.getValueAtPercentile(percent);
  }

  double meanNanos() {
    return requests == 0 ? Double.NaN : latencies.getMean();
  }

  double maxNanos() {
    return requests == 0 ? Double.NaN : latencies.getMaxValue();
  }
}
