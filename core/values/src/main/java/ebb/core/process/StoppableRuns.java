package ebb.core.process;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Programs that one thread runs, one after the other, until another thread says stop. It owns the
 * one that runs.
 */
public final class StoppableRuns {
  private @Nullable Process running;
  private boolean stopped;

  /**
   * Runs a program to its end, or until {@link #stop}.
   *
   * @return null when it was stopped
   * @throws IOException as {@link Program#run}
   */
  public Program.@Nullable Ended run(Program program, Duration atMost)
      throws IOException, InterruptedException {
    Process process;
    synchronized (this) {
      if (stopped) {
        return null;
      }
      process = program.start(null);
      running = process;
    }
    try {
      Program.Ended ended = program.finish(process, atMost);
      return isStopped() ? null : ended;
    } finally {
      synchronized (this) {
        running = null;
      }
    }
  }

  /** Ends what runs; nothing runs from now on. From any thread. */
  public synchronized void stop() {
    stopped = true;
    if (running != null) {
      running.destroy();
    }
  }

  public synchronized boolean isStopped() {
    return stopped;
  }
}
