package ebb.disk;

import ebb.core.stats.Summary;
import ebb.disk.FioReference.Engine;
import ebb.disk.FioReference.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The rounds of one case, with fio's beside them. Medians are over the rounds. */
final class CaseResult {
  /**
   * One round.
   *
   * @param parts the whole first; the same in each round
   * @param fio of the engines that were asked
   */
  record Round(List<CaseFigures> parts, Map<Engine, FioReference.Found> fio) {
    Round {
      parts = List.copyOf(parts);
      fio = Map.copyOf(fio);
    }

    CaseFigures ebb() {
      return parts.get(0);
    }

    /** Fio's; null where it was not asked, or does not tell. */
    @Nullable Figures fio(Engine engine, Part part) {
      FioReference.Found found = fio.get(engine);
      return found == null ? null : found.of(part);
    }

    private CaseFigures of(Part part) {
      return parts.stream().filter(one -> one.part().equals(part)).findFirst().orElseThrow();
    }
  }

  final DiskCase what;
  final List<Round> rounds = new ArrayList<>();

  CaseResult(DiskCase what) {
    this.what = what;
  }

  /** The whole first. */
  List<Part> parts() {
    return rounds.get(0).parts.stream().map(CaseFigures::part).toList();
  }

  double median(ToDoubleFunction<CaseFigures> figure) {
    return median(Part.WHOLE, figure);
  }

  double median(Part part, ToDoubleFunction<CaseFigures> figure) {
    return median(rounds.stream().mapToDouble(r -> figure.applyAsDouble(r.of(part))).toArray());
  }

  double perSecond(Engine engine, Part part) {
    return median(rounds.stream().mapToDouble(r -> perSecond(r.fio(engine, part))).toArray());
  }

  /**
   * Of requests a second, and so of bytes, for the blocks are the same: the median of the rounds'
   * own ratios, for the disk is more like itself within a round than from one to the next. NaN
   * without fio.
   */
  double ratio(Engine engine, Part part) {
    return median(
        rounds.stream()
            .mapToDouble(r -> r.of(part).perSecond() / perSecond(r.fio(engine, part)))
            .toArray());
  }

  boolean isSteady() {
    return isSteady(Part.WHOLE);
  }

  boolean isSteady(Part part) {
    return rounds.stream().allMatch(r -> r.of(part).steady());
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
