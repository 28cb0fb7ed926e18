package ebb.vm.provider;

import ebb.core.attempts.Attempts;
import ebb.core.time.SleepClock;
import ebb.vm.port.ProvisionPort.Step;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** One request under way, with its progress. Used by one thread. */
public final class ProviderCall extends Attempts {
  private final BiConsumer<Step, String> progress;

  /**
   * A call that begins now.
   *
   * @param cancelled asked before each request and pause; true ends it
   * @param progress is told how far it has come
   */
  public ProviderCall(
      SleepClock clock, BooleanSupplier cancelled, BiConsumer<Step, String> progress) {
    super(clock, cancelled);
    this.progress = progress;
  }

  /** A call that nobody watches. */
  public static ProviderCall plain(SleepClock clock) {
    return new ProviderCall(clock, () -> false, (step, text) -> {});
  }

  public void progress(Step step, String text) {
    progress.accept(step, text);
  }

  @Override
  protected void onBackOff(Duration time, String trouble) {
    progress(Step.BACKING_OFF, trouble + "; again in " + time.toMillis() + " ms");
  }
}
