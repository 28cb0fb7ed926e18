package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.kompics.KompicsSystem;
import ebb.net.port.RunDirector;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import ebb.net.run.RunSample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one command. When the process is interrupted they end with what there is, and the
 * process stays until the command has shown that and closed this. Open it before whatever has to be
 * closed by then, such as a log. Kompics starts with the first run.
 */
final class NetSession implements AutoCloseable {
  private static final long STOP_MILLIS = 8_000;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Interrupts.Registration interrupts;
  private @Nullable KompicsSystem<RunDirector> system;
  private final List<RunDirector.Asked> toFinish = new ArrayList<>();
  private final boolean finishes;
  private boolean stopped;

  private NetSession(ExitCode whenInterrupted, boolean finishes) {
    this.finishes = finishes;
    interrupts = Interrupts.onInterrupt(STOP_MILLIS, whenInterrupted, this::interrupt);
  }

  static NetSession open() {
    return new NetSession(ExitCode.INCOMPLETE, false);
  }

  /** One that goes on until it is interrupted, which is a good end. */
  static NetSession openEndless() {
    return new NetSession(ExitCode.DONE, false);
  }

  /** One whose runs end in an orderly way, and complete, when they are interrupted. */
  static NetSession openUntilInterrupted() {
    return new NetSession(ExitCode.DONE, true);
  }

  /** Begins a run; what it finds out, or why it could not begin, is the future's. */
  synchronized CompletableFuture<RunOutcome> start(
      NetPlan plan, Consumer<RunSample> onSample, LongConsumer onRoundTrip)
      throws InterruptedException {
    if (stopped) {
      return CompletableFuture.failedFuture(
          new EbbException(ExitCode.INCOMPLETE, "interrupted before it began"));
    }
    RunDirector.Asked asked = director().run(plan, onSample, onRoundTrip);
    if (finishes) {
      toFinish.add(asked);
    }
    return asked.outcome();
  }

  /** Who asks for runs. */
  synchronized RunDirector director() throws InterruptedException {
    KompicsSystem<RunDirector> started = system == null ? RunDirector.start() : system;
    system = started;
    return started.handle();
  }

  /**
   * What a run that was started found out.
   *
   * @throws EbbException why there is nothing
   */
  static RunOutcome await(CompletableFuture<RunOutcome> run) throws InterruptedException {
    try {
      return run.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof EbbException known) {
        throw known;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  /** One run from begin to end, without its samples. */
  RunOutcome run(NetPlan plan) throws InterruptedException {
    return await(start(plan, sample -> {}, micros -> {}));
  }

  /** Whether the process was interrupted, so that no further run should begin. */
  synchronized boolean stopped() {
    return stopped;
  }

  /** Waits so long, or until the process is interrupted. */
  synchronized void pause(long millis) throws InterruptedException {
    long until = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; left > 0 && !stopped; left = (until - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
  }

  /** Ends its runs with what there is, and waits until they have been shown. */
  void interrupt() {
    synchronized (this) {
      stopped = true;
      notifyAll();
      toFinish.forEach(RunDirector.Asked::finish);
      if (system != null && !finishes) {
        system.handle().stop();
      }
    }
    try {
      var unused = closed.await(STOP_MILLIS - 1_000, TimeUnit.MILLISECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    KompicsSystem<RunDirector> running;
    synchronized (this) {
      running = system;
    }
    interrupts.close();
    if (running != null) {
      running.close();
    }
    closed.countDown();
  }
}
