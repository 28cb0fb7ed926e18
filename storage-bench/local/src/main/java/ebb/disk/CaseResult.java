package ebb.disk;

import ebb.core.stats.Summary;
import ebb.disk.FioReference.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The rounds of one case, with fio's beside them. Medians are over the rounds. */
final class CaseResult {
  /** One round; null for an engine that was not asked. */
  record Round(CaseFigures ebb, @Nullable Figures psync, @Nullable Figures libaio) {}

  final DiskCase what;
  final List<Round> rounds = new ArrayList<>();

  CaseResult(DiskCase what) {
    this.what = what;
  }

  double median(ToDoubleFunction<CaseFigures> figure) {
    double[] values = rounds.stream().mapToDouble(r -> figure.applyAsDouble(r.ebb)).toArray();
    return median(values);
  }

  double psyncPerSecond() {
    return median(rounds.stream().mapToDouble(r -> perSecond(r.psync)).toArray());
  }

  double libaioPerSecond() {
    return median(rounds.stream().mapToDouble(r -> perSecond(r.libaio)).toArray());
  }

  /**
   * Of requests a second, and so of bytes, for the blocks are the same: the median of the rounds'
   * own ratios, for the disk is more like itself within a round than from one to the next. NaN
   * without fio.
   */
  double psyncRatio() {
    return ratio(Round::psync);
  }

  double libaioRatio() {
    return ratio(Round::libaio);
  }

  private double ratio(Function<Round, @Nullable Figures> other) {
    return median(
        rounds.stream()
            .mapToDouble(round -> round.ebb.perSecond() / perSecond(other.apply(round)))
            .toArray());
  }

  boolean isSteady() {
    return rounds.stream().allMatch(r -> r.ebb.steady());
  }

  private static double perSecond(@Nullable Figures figures) {
    return figures == null ? Double.NaN : figures.perSecond();
  }

  private static double median(double... values) {
    for (double value : values) {
      if (!Double.isFinite(value)) {
        return Double.NaN;
      }
    }
    return values.length == 0 ? Double.NaN : Summary.of(values).median();
  }
}
