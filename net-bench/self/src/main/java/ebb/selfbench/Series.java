package ebb.selfbench;

import ebb.core.stats.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** All measurements of one subject in one run, or why there are none. Not thread-safe. */
final class Series {
  private final Subject subject;
  private final List<Sample> samples = new ArrayList<>();
  private String missing;

  Series(Subject subject) {
    this.subject = subject;
    missing = subject.missing();
  }

  Subject subject() {
    return subject;
  }

  String name() {
    return subject.name();
  }

  List<Sample> samples() {
    return samples;
  }

  void add(Sample sample) {
    samples.add(sample);
  }

  /** It will not be measured any more. */
  void giveUp(String reason) {
    missing = reason;
  }

  /** Why it is not measured (any more); "" when it is. */
  String missing() {
    return missing;
  }

  boolean measured() {
    return !samples.isEmpty();
  }

  /** Whether there are rates: of latencies and simulations there are none. */
  boolean hasRate() {
    return measured()
        && Double.isFinite(samples.get(0).megabytesPerSecond())
        && !samples.get(0).details().containsKey("sender_p99_micros")
        && !samples.get(0).details().containsKey("sender_delay_p99_micros");
  }

  /** MB/s. */
  Summary rate() {
    return Summary.of(samples.stream().mapToDouble(Sample::megabytesPerSecond).toArray());
  }

  /** The median CPU seconds per GB; NaN when they are not known. */
  double cpuSecondsPerGigabyte() {
    return median(samples.stream().mapToDouble(Sample::cpuSecondsPerGigabyte).toArray());
  }

  /**
   * The median of the rounds' ratios of a figure to that of {@code other}; of all samples, when
   * some of either failed; NaN when there are none.
   */
  double ratioTo(Series other, ToDoubleFunction<Sample> figure) {
    double[] mine = samples.stream().mapToDouble(figure).toArray();
    double[] others = other.samples.stream().mapToDouble(figure).toArray();
    if (mine.length != others.length) {
      return median(mine) / median(others);
    }
    return median(IntStream.range(0, mine.length).mapToDouble(i -> mine[i] / others[i]).toArray());
  }

  /** The median of a detail; NaN when no sample has it. */
  double detail(String name) {
    return median(values(name));
  }

  /** The largest of a detail; NaN when no sample has it. */
  double largest(String name) {
    double[] values = values(name);
    return values.length == 0 ? Double.NaN : Summary.of(values).max();
  }

  private double[] values(String name) {
    return samples.stream()
        .mapToDouble(sample -> sample.details().getOrDefault(name, Double.NaN))
        .filter(Double::isFinite)
        .toArray();
  }

  private static double median(double[] values) {
    double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
    return known.length == 0 ? Double.NaN : Summary.of(known).median();
  }
}
