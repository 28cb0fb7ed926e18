package ebb.selfbench;

import ebb.core.cli.EbbException;
import ebb.core.cli.Output;
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
  private final Period period;
  private final Output output;

  InterleavedRun(List<Subject> subjects, Period period, Output output) {
    series = subjects.stream().map(Series::new).toList();
    this.period = period;
    this.output = output;
  }

  List<Series> run(int rounds) throws InterruptedException {
    for (Series one : series) {
      if (!one.missing().isEmpty()) {
        output.note("skipped: " + one.name() + " because " + one.missing());
      }
    }
    for (int round = 1; round <= rounds; round++) {
      for (Series one : series) {
        if (one.missing().isEmpty() && (round == 1 || one.subject().repeats())) {
          measure(one, round, rounds);
        }
      }
    }
    return series;
  }

  private void measure(Series one, int round, int rounds) throws InterruptedException {
    try {
      Sample sample = one.subject().measure(period);
      one.add(sample);
      output.note(
          String.format(Locale.ROOT, "%d/%d %-18s %s", round, rounds, one.name(), text(sample)));
    } catch (EbbException failure) {
      String reason = String.valueOf(failure.getMessage()).lines().findFirst().orElse("it failed");
      output.note(String.format(Locale.ROOT, "%d/%d %-18s %s", round, rounds, one.name(), reason));
      if (!one.measured()
          && (!one.subject().repeats() || round >= Math.min(rounds, ROUNDS_TO_TRY))) {
        one.giveUp(reason);
      }
    }
  }

  private static String text(Sample sample) {
    for (String figure :
        List.of("sender_p99_micros", "sender_delay_p99_micros", LongFatPath.UTILISATION)) {
      Double value = sample.details().get(figure);
      if (value != null) {
        return String.format(Locale.ROOT, "%s %.4g", figure.replace("sender_", ""), value);
      }
    }
    return String.format(
        Locale.ROOT,
        "%7.0f MB/s  %6.2f CPU s/GB",
        sample.megabytesPerSecond(),
        sample.cpuSecondsPerGigabyte());
  }
}
