package ebb.vm.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Ends a run whose VMs and rules have been removed by somebody else. */
public final class RunCleanup {
  private RunCleanup() {}

  /**
   * Removes the run's objects, and notes that it is over.
   *
   * @param local whether runs on this machine are meant
   * @param even those that have not expired
   * @param storage where buckets are; null for the environment's, else Google's own
   * @return whether there was anything to do
   */
  public static boolean forget(
      RunFiles files, String runId, boolean local, boolean even, @Nullable String storage) {
    RunState state = files.load(runId);
    if (state.step() == RunStep.REPORTED
        || state.setting().provider().equals("local") != local
        || !(even || state.labels().isExpired(Instant.now()))) {
      return false;
    }
    try (RunFiles.Lock held = files.lock(runId);
        RunStore store = RunStores.open(state, files, storage)) {
      store.remove();
      state.abandon();
      state.warn("the run was given up; what it had was removed");
      state.step(RunStep.REPORTED);
      files.save(state);
      return held.isHeld();
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.INCOMPLETE, "the objects of run " + runId + ": " + OneLine.of(e), e);
    }
  }
}
