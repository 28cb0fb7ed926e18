package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Headline;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Target;
import ebb.testkit.file.ScenarioFileException;
import ebb.testkit.file.ScenarioFiles;
import ebb.testkit.file.ScenarioOutcome;
import ebb.testkit.file.ScenarioRunner;
import java.util.List;
import java.util.Map;

/**
 * One connection over 1 Gbit/s x 200 ms, on virtual time: 17,000 packets in flight, where 16-bit
 * sequence numbers can tell 32,767 apart and Ebb uses half of that.
 */
final class LongFatPath implements Subject {
  private static final String NAME = "long-fat-path";
  private static final String UTILISATION = "utilisation";

  private static final String SCENARIO = "long-fat-gigabit";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String what() {
    return "Ebb in the simulator, 1 Gbit/s x 200 ms (" + SCENARIO + ")";
  }

  @Override
  public boolean repeats() {
    return false;
  }

  @Override
  public Headline headline() {
    return Headline.share(UTILISATION);
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.of(
                6,
                "1 Gbit/s x 200 ms, simulated: share of the link",
                run -> run.detail(NAME, UTILISATION),
                NAME)
            .atLeast(0.9));
  }

  @Override
  public Sample measure(BenchContext context, Period period) {
    try {
      ScenarioOutcome outcome = ScenarioRunner.run(ScenarioFiles.shipped(SCENARIO));
      return new Sample(
          Double.NaN, Double.NaN, Map.of(UTILISATION, outcome.results().get(0).value()));
    } catch (ScenarioFileException | RuntimeException failure) {
      throw new EbbException(ExitCode.INTERNAL, "the simulation failed: " + failure, failure);
    }
  }
}
