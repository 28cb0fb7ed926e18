package ebb.vm.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.core.time.SleepClock;
import ebb.vm.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes a run from step to step, and keeps each before the next. Whatever ends it early, what it
 * made is deleted; when this process dies, another one goes on from the state. It owns the order of
 * steps; {@link RunMachines} owns VMs and rules, {@link RunWatch} the time in between.
 */
public final class RunEngine {
  private final RunState state;
  private final RunFiles files;
  private final RunStore store;
  private final Surroundings around;
  private final RunMachines machines;
  private final RunWatch watch;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean interrupted;

  /**
   * What a run stands in.
   *
   * @param problems what the service lacks for the plan, a line each
   * @param progress a line for people
   * @param hook is told each point that has been reached, after it is kept; tests end the process
   *     there
   */
  public record Surroundings(
      Requests requests,
      Placement placement,
      Supplier<List<String>> problems,
      SleepClock clock,
      Consumer<String> progress,
      Consumer<String> hook) {}

  public RunEngine(RunState state, RunFiles files, RunStore store, Surroundings around) {
    this.state = state;
    this.files = files;
    this.store = store;
    this.around = around;
    Plan plan = state.plan();
    RunTasks tasks = new RunTasks(plan, around.placement().isOneComputer());
    machines = new RunMachines(state, plan, store, around, () -> interrupted);
    watch = new RunWatch(state, plan, tasks, store, machines, around, () -> interrupted);
  }

  /** Makes the run end soon, with what there is, and waits until it has; at most so long. */
  public boolean interrupt(long maxMillis) throws InterruptedException {
    interrupted = true;
    around.requests().cancelAll();
    return ended.await(maxMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Runs it to its end.
   *
   * @return INCOMPLETE when results are missing
   * @throws EbbException when there are no results, or something is left that has to be removed
   */
  public ExitCode run() {
    try {
      return toTheEnd();
    } finally {
      ended.countDown();
    }
  }

  private ExitCode toTheEnd() {
    EbbException failure = null;
    try {
      if (state.step() == RunStep.PLANNED) {
        keep(RunStep.PLANNED);
      }
      while (!state.isAbandoned() && state.step().compareTo(RunStep.MEASURED) < 0) {
        checkGoingOn();
        keep(next());
      }
    } catch (EbbException e) {
      failure = e;
      if (state.step() == RunStep.PLANNED) {
        // Nothing has been asked for.
        files.remove(state.runId());
        throw e;
      }
      state.warn(interrupted ? "the run was interrupted" : "the run ended early: " + OneLine.of(e));
      state.abandon();
      files.save(state);
      around.progress().accept("ending the run: " + OneLine.of(e));
    }
    ExitCode code = finish();
    if (failure != null && !interrupted) {
      throw failure;
    }
    return code;
  }

  private void checkGoingOn() {
    if (interrupted) {
      throw new EbbException(ExitCode.INCOMPLETE, "interrupted");
    }
    if (state.labels().isExpired(Instant.now())) {
      throw new EbbException(
          ExitCode.INCOMPLETE, "the run's time was over at " + state.labels().expires());
    }
  }

  private RunStep next() {
    switch (state.step()) {
      case PLANNED -> {
        List<String> problems = around.problems().get();
        problems.forEach(around.progress());
        if (!problems.isEmpty()) {
          throw new EbbException(
              ExitCode.USAGE,
              "the plan does not fit the service: "
                  + problems.size()
                  + (problems.size() == 1 ? " problem" : " problems")
                  + ", see above");
        }
        return RunStep.CHECKED;
      }
      case CHECKED -> {
        ship();
        return RunStep.SHIPPED;
      }
      case SHIPPED -> {
        machines.create();
        return RunStep.CREATED;
      }
      case CREATED -> {
        machines.open();
        return RunStep.OPENED;
      }
      case OPENED -> {
        watch.measure();
        return RunStep.MEASURED;
      }
      default -> throw new IllegalStateException("no step after " + state.step());
    }
  }

  private void ship() {
    Path jar = Path.of(state.setting().jar());
    try {
      around.progress().accept("the jar goes to " + store.jar());
      String sum = ShippedJar.sha256(jar);
      if (!sum.equals(state.setting().jarSha256())) {
        throw new EbbException(ExitCode.USAGE, jar + " is not the file that it was");
      }
      store.putJar(jar);
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          "the jar cannot be put where VMs fetch it: " + OneLine.of(e),
          e);
    }
  }

  private ExitCode finish() {
    boolean anything = state.step().compareTo(RunStep.CREATED) >= 0;
    if (state.step().compareTo(RunStep.COLLECTED) < 0) {
      if (anything) {
        collect();
      }
      keep(RunStep.COLLECTED);
    }
    if (state.step().compareTo(RunStep.DELETED) < 0) {
      machines.delete();
      keep(RunStep.DELETED);
    }
    Path out = Path.of(state.setting().out());
    RunReport report = new RunReport(state, out);
    if (!state.isAbandoned() || report.hasResults()) {
      ExitCode code = report.write();
      around.progress().accept("report: " + out.resolve(RunReport.PAGE));
      keep(RunStep.REPORTED);
      return code;
    }
    keep(RunStep.REPORTED);
    return ExitCode.INCOMPLETE;
  }

  private void collect() {
    machines.consoles();
    Path results = Path.of(state.setting().out()).resolve(RunReport.RESULTS);
    IOException failed = null;
    // Without results nothing was worth it; the VMs cost meanwhile, so not for long.
    for (int attempt = 1; attempt <= 3; attempt++) {
      try {
        Files.createDirectories(results);
        store.copyTo(results);
        return;
      } catch (IOException e) {
        failed = e;
      }
    }
    state.warn("not all results could be collected: " + OneLine.of(failed));
  }

  private void keep(RunStep step) {
    state.step(step);
    files.save(state);
    around.hook().accept(step.name());
  }
}
