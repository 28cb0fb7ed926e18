package ebb.selfbench.subject;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The series of a run by their subjects' names, and what they say about targets. A ratio is the
 * median of the ratios of its rounds: a machine that is shared changes its pace from minute to
 * minute, and both sides of a round with it.
 */
public final class Results {
  private final Map<String, Series> byName = new LinkedHashMap<>();

  public Results(List<Series> series) {
    series.forEach(one -> byName.put(one.name(), one));
  }

  /** In the order in which they took turns. */
  public List<Series> series() {
    return List.copyOf(byName.values());
  }

  /** The median of the rounds' ratios of a figure; NaN when one of the two was not measured. */
  public double ratio(ToDoubleFunction<Sample> figure, String above, String below) {
    Series first = byName.get(above);
    Series second = byName.get(below);
    return first != null && second != null ? first.ratioTo(second, figure) : Double.NaN;
  }

  /** The median of the rounds' ratios of rates; NaN when one of the two was not measured. */
  public double rates(String above, String below) {
    return ratio(Sample::megabytesPerSecond, above, below);
  }

  /** The median rate in MB/s; NaN when it was not measured. */
  public double rate(String name) {
    Series series = byName.get(name);
    return series != null && series.measured() ? series.rate().median() : Double.NaN;
  }

  /** The median of a detail; NaN when it was not measured. */
  public double detail(String name, String detail) {
    Series series = byName.get(name);
    return series == null ? Double.NaN : series.detail(detail);
  }

  /**
   * The verdicts about the targets of all subjects: first those of commands, each ordered by their
   * numbers.
   */
  public List<Verdict> judge(List<Subject> all) {
    return Stream.of(true, false).flatMap(commands -> judged(all, commands)).toList();
  }

  private Stream<Verdict> judged(List<Subject> all, boolean commands) {
    return all.stream()
        .filter(subject -> subject.isCommand() == commands)
        .flatMap(subject -> subject.targets().stream())
        .sorted(Comparator.comparingInt(Target::number))
        .map(this::judge);
  }

  private Verdict judge(Target target) {
    double measured = target.figure().applyAsDouble(this);
    if (!Double.isNaN(measured)) {
      return new Verdict(target, measured, "", true);
    }
    for (String name : target.needed()) {
      Series series = byName.get(name);
      if (series == null) {
        return new Verdict(target, measured, name + " was not asked for", false);
      }
      if (!series.measured()) {
        String why = series.missing().isEmpty() ? name + " failed" : series.missing();
        return new Verdict(target, measured, why, true);
      }
    }
    return new Verdict(target, measured, "a figure is missing", true);
  }
}
