package ebb.selfbench;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.testkit.file.ScenarioFileException;
import ebb.testkit.file.ScenarioFiles;
import ebb.testkit.file.ScenarioOutcome;
import ebb.testkit.file.ScenarioRunner;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One connection over 1 Gbit/s x 200 ms, on virtual time: 17,000 packets in flight, where 16-bit
 * sequence numbers can tell 32,767 apart and Ebb uses half of that.
 */
final class LongFatPath implements Subject {
  static final String NAME = "long-fat-path";
  static final String UTILISATION = "utilisation";

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
  public Sample measure(Period period) {
    try {
      ScenarioOutcome outcome = ScenarioRunner.run(ScenarioFiles.shipped(SCENARIO));
      Map<String, Double> details = new LinkedHashMap<>();
      details.put(UTILISATION, outcome.results().get(0).value());
      return new Sample(Double.NaN, Double.NaN, details);
    } catch (ScenarioFileException | RuntimeException failure) {
      throw new EbbException(ExitCode.INTERNAL, "the simulation failed: " + failure, failure);
    }
  }
}
