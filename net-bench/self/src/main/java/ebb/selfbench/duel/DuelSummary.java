package ebb.selfbench.duel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What the tables say together: for each criterion a controller's median and worst case, and which
 * limits it keeps. It owns the criteria and the limits; the cells are the plan's.
 */
final class DuelSummary {
  private static final int LABEL_COLUMNS = 25;
  private static final String WINNER = " *";

  private final Map<DuelCell, DuelFigures> results;

  DuelSummary(Map<DuelCell, DuelFigures> results) {
    this.results = results;
  }

  /**
   * One figure over some cells.
   *
   * @param higherIsBetter which end is the worst case
   */
  private record Criterion(
      String label,
      Predicate<DuelCell> cells,
      ToDoubleFunction<DuelFigures> figure,
      boolean higherIsBetter,
      Function<Double, String> format) {}

  /** A bound that a figure must keep in each of some cells. */
  private record Limit(
      String label,
      Predicate<DuelCell> cells,
      ToDoubleFunction<DuelFigures> figure,
      boolean atLeast,
      double bound,
      Function<Double, String> format) {
    boolean isKeptBy(double value) {
      return atLeast ? value >= bound : value <= bound;
    }
  }

  private static List<Criterion> criteria() {
    Predicate<DuelCell> alone = cell -> cell.setup() == DuelSetup.ALONE;
    Predicate<DuelCell> clean = alone.and(DuelSummary::hasNoLoss);
    return List.of(
        new Criterion("utilisation alone", clean, DuelFigures::utilisation, true, ratio(2)),
        new Criterion(
            "the same, 1% random loss",
            alone.and(cell -> cell.link().loss() == 0.01),
            DuelFigures::utilisation,
            true,
            ratio(2)),
        new Criterion(
            "median queue alone, ms",
            clean,
            DuelFigures::medianQueueMicros,
            false,
            DuelTable::millis),
        new Criterion(
            "95% queue alone, ms", clean, DuelFigures::highQueueMicros, false, DuelTable::millis),
        new Criterion(
            "share beside TCP, %",
            DuelSummary::isBesideTcp, DuelFigures::share, false, DuelTable::percent),
        new Criterion(
            "TCP's loss, %",
            DuelSummary::isBesideTcp, DuelFigures::tcpLoss, false, DuelTable::percent),
        new Criterion(
            "recovery after TCP, s",
            cell -> isBesideTcp(cell) && hasNoLoss(cell),
            DuelFigures::recoveryMicros,
            false,
            DuelTable::seconds),
        new Criterion(
            "Jain, a newcomer",
            cell -> cell.setup() == DuelSetup.NEWCOMER,
            DuelFigures::jain,
            true,
            ratio(2)),
        new Criterion(
            "Jain, four flows",
            cell -> cell.setup() == DuelSetup.STAGGERED,
            DuelFigures::jain,
            true,
            ratio(2)),
        new Criterion(
            "Jain beside libutp-like",
            DuelSummary::isBesideLibutp,
            DuelFigures::jain,
            true,
            ratio(2)));
  }

  /** Issue-sized: what a background transfer must keep at 10 and 50 Mbit/s. */
  private static List<Limit> limits() {
    Predicate<DuelCell> usual =
        cell ->
            cell.link().rateBitsPerSecond() == 10_000_000
                || cell.link().rateBitsPerSecond() == 50_000_000;
    Predicate<DuelCell> clean = usual.and(DuelSummary::hasNoLoss);
    Predicate<DuelCell> alone = cell -> cell.setup() == DuelSetup.ALONE;
    Predicate<DuelCell> drift =
        cell ->
            cell.setup() == DuelSetup.CLOCK_GAINS
                || cell.setup() == DuelSetup.CLOCK_LOSES
                || cell.setup() == DuelSetup.LONGER_ROUTE;
    return List.of(
        new Limit(
            "alone: at least 0.97",
            clean.and(alone),
            DuelFigures::utilisation,
            true,
            0.97,
            ratio(3)),
        new Limit(
            "1% loss: at least 0.8",
            usual.and(alone).and(cell -> cell.link().loss() == 0.01),
            DuelFigures::utilisation,
            true,
            0.8,
            ratio(3)),
        new Limit(
            "median queue: 30 ms",
            clean.and(alone),
            DuelFigures::medianQueueMicros,
            false,
            30_000,
            DuelTable::millis),
        new Limit(
            "beside TCP: at most 5%",
            clean.and(DuelSummary::isBesideTcp),
            DuelFigures::share,
            false,
            0.05,
            DuelTable::percent),
        new Limit(
            "recovery: 2 s",
            clean.and(DuelSummary::isBesideTcp),
            DuelFigures::recoveryMicros,
            false,
            2_000_000,
            DuelTable::seconds),
        new Limit(
            "newcomer: Jain 0.95",
            clean.and(cell -> cell.setup() == DuelSetup.NEWCOMER),
            DuelFigures::jain,
            true,
            0.95,
            ratio(2)),
        new Limit(
            "drift, route: 0.9 of link", drift, DuelFigures::utilisation, true, 0.9, ratio(3)),
        new Limit(
            "drift, route: 30 ms",
            drift,
            DuelFigures::medianQueueMicros,
            false,
            30_000,
            DuelTable::millis));
  }

  /** The lines of both tables' bodies, each with its head. */
  List<String> criteriaLines() {
    List<String> lines = new ArrayList<>();
    lines.add(DuelTable.line(LABEL_COLUMNS, "median / worst case", DuelPlan.CONTROLLERS));
    lines.add(DuelTable.ruler(LABEL_COLUMNS, DuelPlan.CONTROLLERS.size()));
    for (Criterion criterion : criteria()) {
      lines.add(line(criterion));
    }
    return lines;
  }

  private String line(Criterion criterion) {
    List<List<Double>> columns = new ArrayList<>();
    for (String controller : DuelPlan.CONTROLLERS) {
      columns.add(bestFirst(criterion, controller));
    }
    // What the reader sees decides: controllers whose worst cases look the same share the star.
    double best = Double.NaN;
    String shown = "";
    for (List<Double> values : columns) {
      if (values.isEmpty()) {
        continue;
      }
      double worst = values.get(values.size() - 1);
      boolean better = criterion.higherIsBetter() ? worst > best : worst < best;
      if (Double.isNaN(best) || better) {
        best = worst;
        shown = criterion.format().apply(worst);
      }
    }
    List<String> cells = new ArrayList<>();
    for (List<Double> values : columns) {
      if (values.isEmpty()) {
        cells.add("-");
        continue;
      }
      String worst = criterion.format().apply(values.get(values.size() - 1));
      String median = criterion.format().apply(values.get((values.size() - 1) / 2));
      cells.add(median + "/" + worst + (worst.equals(shown) ? WINNER : ""));
    }
    return DuelTable.line(LABEL_COLUMNS, criterion.label(), cells);
  }

  private List<Double> bestFirst(Criterion criterion, String controller) {
    List<Double> values = new ArrayList<>();
    for (DuelCell cell : DuelPlan.cells()) {
      if (cell.controller().equals(controller) && criterion.cells().test(cell)) {
        values.add(criterion.figure().applyAsDouble(result(cell)));
      }
    }
    values.sort((a, b) -> criterion.higherIsBetter() ? b.compareTo(a) : a.compareTo(b));
    return values;
  }

  List<String> limitLines() {
    List<String> lines = new ArrayList<>();
    lines.add(DuelTable.line(LABEL_COLUMNS, "kept, and worst case", DuelPlan.CONTROLLERS));
    lines.add(DuelTable.ruler(LABEL_COLUMNS, DuelPlan.CONTROLLERS.size()));
    for (Limit limit : limits()) {
      List<String> cells = new ArrayList<>();
      for (String controller : DuelPlan.CONTROLLERS) {
        cells.add(verdict(limit, controller));
      }
      lines.add(DuelTable.line(LABEL_COLUMNS, limit.label(), cells));
    }
    return lines;
  }

  private String verdict(Limit limit, String controller) {
    int all = 0;
    int kept = 0;
    double worst = limit.atLeast() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    for (DuelCell cell : DuelPlan.cells()) {
      if (cell.controller().equals(controller) && limit.cells().test(cell)) {
        double value = limit.figure().applyAsDouble(result(cell));
        all++;
        kept += limit.isKeptBy(value) ? 1 : 0;
        worst = limit.atLeast() ? Math.min(worst, value) : Math.max(worst, value);
      }
    }
    String count = kept == all ? "all" : kept + "/" + all;
    return count + " " + limit.format().apply(worst);
  }

  private DuelFigures result(DuelCell cell) {
    DuelFigures figures = results.get(cell);
    if (figures == null) {
      throw new IllegalStateException("not simulated: " + cell.id());
    }
    return figures;
  }

  private static boolean hasNoLoss(DuelCell cell) {
    return cell.link().loss() == 0;
  }

  private static boolean isBesideTcp(DuelCell cell) {
    return cell.setup().rival().isTcp() && cell.setup() != DuelSetup.CUBIC_VISITS;
  }

  private static boolean isBesideLibutp(DuelCell cell) {
    return cell.setup().rival() == DuelSetup.Rival.LIBUTP;
  }

  private static Function<Double, String> ratio(int decimals) {
    return value -> DuelTable.decimals(value, decimals);
  }
}
