package ebb.selfbench.subject;

import ebb.core.stats.Summary;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * All measurements of one subject by their rounds, from 1 on, or why there are none. Not
 * thread-safe.
 */
public final class Series {
  private final Subject subject;
  private final NavigableMap<Integer, Sample> samples = new TreeMap<>();
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

  /** By round; not to be changed. */
  public NavigableMap<Integer, Sample> samples() {
    return Collections.unmodifiableNavigableMap(samples);
  }

  /** The round's. */
  public void add(int round, Sample sample) {
    samples.put(round, sample);
  }

  /** The number of the last round that measured it; 0 when none did. */
  public int lastRound() {
    return samples.isEmpty() ? 0 : samples.lastKey();
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
    return Summary.of(all().stream().mapToDouble(Sample::megabytesPerSecond).toArray());
  }

  /** The median CPU seconds per GB; NaN when they are not known. */
  public double cpuSecondsPerGigabyte() {
    return median(all().stream().mapToDouble(Sample::cpuSecondsPerGigabyte).toArray());
  }

  /**
   * The median of the ratios of a figure to that of {@code other} in the rounds that measured both;
   * the ratio of the medians when none did; NaN when one of the two was never measured.
   */
  public double ratioTo(Series other, ToDoubleFunction<Sample> figure) {
    double[] both =
        samples.entrySet().stream()
            .filter(mine -> other.samples.containsKey(mine.getKey()))
            .mapToDouble(
                mine ->
                    figure.applyAsDouble(mine.getValue())
                        / figure.applyAsDouble(other.samples.get(mine.getKey())))
            .toArray();
    return both.length > 0
        ? median(both)
        : median(all().stream().mapToDouble(figure).toArray())
            / median(other.all().stream().mapToDouble(figure).toArray());
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

  private Collection<Sample> all() {
    return samples.values();
  }

  private double[] values(String name) {
    return all().stream()
        .mapToDouble(sample -> sample.detail(name))
        .filter(Double::isFinite)
        .toArray();
  }

  private static double median(double[] values) {
    double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
    return known.length == 0 ? Double.NaN : Summary.of(known).median();
  }
}
