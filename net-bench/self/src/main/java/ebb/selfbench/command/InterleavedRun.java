package ebb.selfbench.command;

import ebb.core.cli.Output;
import ebb.core.text.OneLine;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Results;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Series;
import ebb.selfbench.subject.Subject;
import java.util.List;
import java.util.Locale;

/**
 * Measures subjects in turn, round by round, so that what the machine does meanwhile meets them
 * all. One that fails in a round is left out of that round; one that fails in the first two is left
 * out of the rest.
 */
final class InterleavedRun {
  private static final int ROUNDS_TO_TRY = 2;

  private final List<Series> series;
  private final List<Subject> chosen;
  private final BenchContext context;
  private final Period period;
  private final Output output;

  /**
   * A run of the chosen subjects, whose rounds go on after those that earlier runs measured.
   *
   * @param all in whose order the results stand
   */
  InterleavedRun(
      List<Subject> all,
      List<Subject> chosen,
      EarlierRounds earlier,
      BenchContext context,
      Period period,
      Output output) {
    this.chosen = chosen;
    series =
        all.stream()
            .filter(one -> chosen.contains(one) || earlier.measured(one.name()))
            .map(one -> earlier.series(one, chosen.contains(one) ? one.missing(context) : ""))
            .toList();
    this.context = context;
    this.period = period;
    this.output = output;
  }

  Results run(int rounds) throws InterruptedException {
    for (Series one : series) {
      if (!one.missing().isEmpty()) {
        output.note("skipped: " + one.name() + " because " + one.missing());
      }
    }
    int before = series.stream().mapToInt(Series::lastRound).max().orElse(0);
    for (int round = 1; round <= rounds; round++) {
      for (Series one : series) {
        if (one.missing().isEmpty()
            && chosen.contains(one.subject())
            && (one.subject().repeats() || !one.measured())) {
          measure(one, before, round, rounds);
        }
      }
    }
    return new Results(series);
  }

  private void measure(Series one, int before, int round, int rounds) throws InterruptedException {
    try {
      Sample sample = one.subject().measure(context, period);
      one.add(before + round, sample);
      output.note(
          String.format(
              Locale.ROOT,
              "%d/%d %-18s %s",
              round,
              rounds,
              one.name(),
              one.subject().headline().text(sample)));
    } catch (RuntimeException failure) {
      // An EbbException, or a fault in one of the subjects, which must not cost the others'
      // figures.
      String reason = OneLine.of(failure);
      output.note(String.format(Locale.ROOT, "%d/%d %-18s %s", round, rounds, one.name(), reason));
      if (!one.measured()
          && (!one.subject().repeats() || round >= Math.min(rounds, ROUNDS_TO_TRY))) {
        one.giveUp(reason);
      }
    }
  }
}
