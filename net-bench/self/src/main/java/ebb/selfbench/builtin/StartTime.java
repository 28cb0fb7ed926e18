package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Headline;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How long a command takes that only says something: starting Java is most of it. */
final class StartTime implements Subject {
  private static final String PREFIX = "start_";
  private static final int STARTS = 9;

  private final String word;
  private final double mostMillis;

  /**
   * @param word such as {@code --version}
   * @param mostMillis what is wanted
   */
  StartTime(String word, double mostMillis) {
    this.word = word;
    this.mostMillis = mostMillis;
  }

  @Override
  public String name() {
    return "start-" + word.substring(2);
  }

  @Override
  public String what() {
    return "ebb " + word + ", from its start to its end";
  }

  @Override
  public String missing(BenchContext context) {
    return EbbPrograms.missing();
  }

  @Override
  public Headline headline() {
    return Headline.latency(PREFIX);
  }

  @Override
  public List<Target> targets() {
    String median = headline().p50();
    return List.of(
        Target.of(11, "ebb " + word, run -> run.detail(name(), median) / 1e3, name())
            .atMost(mostMillis, "ms"));
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    double[] micros = new double[STARTS];
    for (int i = 0; i < STARTS; i++) {
      micros[i] = once();
    }
    Arrays.sort(micros);
    double longest = micros[STARTS - 1];
    return new Sample(
        Double.NaN,
        Double.NaN,
        Map.of(
            headline().p50(), micros[STARTS / 2],
            headline().p99(), longest,
            headline().p999(), longest));
  }

  private double once() throws InterruptedException {
    long nanos = System.nanoTime();
    try (PeerProcess program = new PeerProcess(name(), EbbPrograms.brief(List.of(word)))) {
      if (program.readAll().isBlank()) {
        throw new EbbException(ExitCode.INTERNAL, "ebb " + word + " said nothing");
      }
      program.end();
      return (System.nanoTime() - nanos) / 1e3;
    }
  }
}
