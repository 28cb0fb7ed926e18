package ebb.selfbench.subject;

import ebb.core.stats.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** All measurements of one subject in one run, or why there are none. Not thread-safe. */
public final class Series {
  private final Subject subject;
  private final List<Sample> samples = new ArrayList<>();
  private String missing;

  /**
   * An empty one.
   *
   * @param missing why the subject cannot be measured; "" when it can
   */
  public Series(Subject subject, String missing) {
    this.subject = subject;
    this.missing = missing;
  }

  public Subject subject() {
    return subject;
  }

  public String name() {
    return subject.name();
  }

  public List<Sample> samples() {
    return samples;
  }

  public void add(Sample sample) {
    samples.add(sample);
  }

  /** It will not be measured any more. */
  public void giveUp(String reason) {
    missing = reason;
  }

  /** Why it is not measured (any more); "" when it is. */
  public String missing() {
    return missing;
  }

  public boolean measured() {
    return !samples.isEmpty();
  }

  /** Whether it was measured, and people look at its rate first. */
  public boolean hasRate() {
    return measured() && subject.headline().kind() == Headline.Kind.RATE;
  }

  /** MB/s. */
  public Summary rate() {
    return Summary.of(samples.stream().mapToDouble(Sample::megabytesPerSecond).toArray());
  }

  /** The median CPU seconds per GB; NaN when they are not known. */
  public double cpuSecondsPerGigabyte() {
    return median(samples.stream().mapToDouble(Sample::cpuSecondsPerGigabyte).toArray());
  }

  /**
   * The median of the rounds' ratios of a figure to that of {@code other}; of all samples, when
   * some of either failed; NaN when there are none.
   */
  public double ratioTo(Series other, ToDoubleFunction<Sample> figure) {
    double[] mine = samples.stream().mapToDouble(figure).toArray();
    double[] others = other.samples.stream().mapToDouble(figure).toArray();
    if (mine.length != others.length) {
      return median(mine) / median(others);
    }
    return median(IntStream.range(0, mine.length).mapToDouble(i -> mine[i] / others[i]).toArray());
  }

  /** The median of a detail; NaN when no sample has it. */
  public double detail(String name) {
    return median(values(name));
  }

  /** The largest of a detail; NaN when no sample has it. */
  public double largest(String name) {
    double[] values = values(name);
    return values.length == 0 ? Double.NaN : Summary.of(values).max();
  }

  private double[] values(String name) {
    return samples.stream()
        .mapToDouble(sample -> sample.detail(name))
        .filter(Double::isFinite)
        .toArray();
  }

  private static double median(double[] values) {
    double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
    return known.length == 0 ? Double.NaN : Summary.of(known).median();
  }
}
