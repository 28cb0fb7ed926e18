package ebb.vm.provider;

import ebb.vm.port.FailureKind;
import ebb.vm.port.Outcome;
import ebb.vm.port.ProvisionPort.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One request under way: its clock, its attempts, its progress. Used by one thread. */
public final class Call {
  private static final int MAX_TROUBLES = 8;

  private final Pause pause;
  private final BooleanSupplier cancelled;
  private final BiConsumer<Step, String> progress;
  private final long startMicros;
  private final List<String> troubles = new ArrayList<>();
  private int requests;
  private int retries;
  private long backoffMicros;

  /**
   * A call that begins now.
   *
   * @param cancelled asked before each request and pause; true ends it
   * @param progress is told how far it has come
   */
  public Call(Pause pause, BooleanSupplier cancelled, BiConsumer<Step, String> progress) {
    this.pause = pause;
    this.cancelled = cancelled;
    this.progress = progress;
    startMicros = pause.nowMicros();
  }

  /** A call that nobody watches. */
  public static Call plain(Pause pause) {
    return new Call(pause, () -> false, (step, text) -> {});
  }

  public long elapsedMicros() {
    return pause.nowMicros() - startMicros;
  }

  public void countRequest() throws ProviderException {
    checkCancelled();
    requests++;
  }

  public void progress(Step step, String text) {
    progress.accept(step, text);
  }

  /** Notes a failure that is tried again, and waits before that. */
  public void backOff(Duration time, String trouble) throws ProviderException {
    retries++;
    if (troubles.size() < MAX_TROUBLES) {
      troubles.add(trouble);
    }
    progress.accept(Step.BACKING_OFF, trouble + "; again in " + time.toMillis() + " ms");
    long from = pause.nowMicros();
    try {
      sleep(time);
    } finally {
      backoffMicros += pause.nowMicros() - from;
    }
  }

  public void sleep(Duration time) throws ProviderException {
    checkCancelled();
    try {
      pause.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProviderException(FailureKind.CANCELLED, "interrupted", e);
    }
    checkCancelled();
  }

  public void checkCancelled() throws ProviderException {
    if (cancelled.getAsBoolean()) {
      throw new ProviderException(FailureKind.CANCELLED, "cancelled");
    }
  }

  public int retries() {
    return retries;
  }

  /** How it ended; {@code failure} is null for a success. */
  public Outcome outcome(@Nullable ProviderException failure) {
    return new Outcome(
        elapsedMicros(),
        requests,
        retries,
        backoffMicros,
        troubles,
        failure == null ? null : failure.kind(),
        failure == null ? "" : failure.line());
  }
}
