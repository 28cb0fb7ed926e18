package ebb.net.load;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.Mechanisms;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoSchedule;
import ebb.net.echo.MarkLog;
import ebb.net.mechanism.ServiceMark;
import ebb.net.port.RunDirector;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import ebb.net.udp.UdpClientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Loads a path in one way after the other, beside a probe that goes all the time and knows nothing
 * of them: echoes over UDP, each at its planned time. It blocks; runs themselves are the
 * director's.
 */
public final class LoadRun {
  private static final long PROBE_WAIT_MICROS = 3_000_000;
  private static final long SLACK_SECONDS = 60;

  /** What the probe's flow takes to begin is not the path's. */
  public static final long PROBE_SETTLE_MICROS = 200_000;

  private final LoadPlan plan;
  private final RunDirector runs;
  private final CompletableFuture<Void> interrupted;
  private final EchoLog log = new EchoLog(PROBE_WAIT_MICROS, true, reply -> {});
  private final MarkLog marks;

  /** What has been measured; another thread may look. */
  private final List<Stretch> stretches = new CopyOnWriteArrayList<>();

  /** A stretch of time, and what filled it. */
  private record Stretch(
      String load, String way, long from, long to, double up, double down, String failure) {}

  /**
   * A run that has not started.
   *
   * @param runs who measures
   * @param interrupted done when what there is has to do
   */
  public LoadRun(LoadPlan plan, RunDirector runs, CompletableFuture<Void> interrupted) {
    this.plan = plan;
    marks = new MarkLog(plan.marks());
    this.runs = runs;
    this.interrupted = interrupted;
  }

  /**
   * Measures; blocks.
   *
   * @param columns of a line with a small plot; 0 for none
   * @param lines takes a line of progress several times a second, one at a time
   * @throws EbbException when not even the probe could begin
   */
  public LoadOutcome measure(int columns, Consumer<String> lines) throws InterruptedException {
    LoadLine line = new LoadLine(log, columns, lines);
    CompletableFuture<Long> began = new CompletableFuture<>();
    line.begins("idle");
    RunDirector.Asked probe =
        runs.run(
            probe(),
            sample -> {
              began.complete(sample.startMicros());
              line.onProbe();
            },
            micros -> {});
    EbbException failure = null;
    try {
      long start = await(began, probe);
      pass(plan.idleMicros(), probe);
      stretches.add(
          new Stretch(
              LoadCell.IDLE,
              "",
              start + PROBE_SETTLE_MICROS,
              start + plan.idleMicros(),
              Double.NaN,
              Double.NaN,
              ""));
      for (Load load : plan.loads()) {
        for (Load.Way way : plan.ways()) {
          line.begins(load.name() + " " + way.words());
          stretches.add(load(load, way, probe, line));
          line.begins("pause");
          pass(LoadPlan.PAUSE_MICROS, probe);
        }
      }
    } catch (EbbException broken) {
      if (stretches.isEmpty()) {
        throw broken;
      }
      failure = broken;
    }
    probe.finish();
    try {
      var unused = probe.outcome().get(SLACK_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException late) {
      failure = failure == null ? known(late) : failure;
    }
    for (Stretch stretch : stretches) {
      if (!stretch.failure.isEmpty() && failure == null) {
        failure =
            new EbbException(
                ExitCode.INCOMPLETE, stretch.load + " " + stretch.way + ": " + stretch.failure);
      }
    }
    return found(failure);
  }

  /** What has been measured so far; any thread. */
  public LoadOutcome soFar() {
    return found(null);
  }

  private LoadOutcome found(@Nullable EbbException failure) {
    List<Stretch> done = List.copyOf(stretches);
    return new LoadOutcome(
        plan,
        done.stream().map(one -> cell(one, done.get(0).from)).toList(),
        log,
        marks.counts(),
        failure);
  }

  private NetPlan probe() {
    long maxMicros = 2 * plan.totalMicros() + SLACK_SECONDS * 1_000_000;
    TestSpec.Builder spec =
        TestSpec.of("udp", Mode.ECHO)
            .messageBytes(LoadPlan.PROBE_BYTES)
            .bitsPerSecond(8_000_000L * LoadPlan.PROBE_BYTES / plan.probeMicros())
            .maxMicros(maxMicros)
            .parameter(EchoSchedule.INTERVAL, plan.probeMicros());
    mark(spec, plan.probeTos());
    return NetPlan.of(plan.server(), Mechanisms.get("udp"), spec.build())
        .flows(UdpClientOptions.counting(log, marks))
        .intervalMicros(100_000)
        .durationMicros(maxMicros)
        .key(plan.key())
        .connectTimeoutMillis(plan.timeoutMillis())
        .build();
  }

  private static void mark(TestSpec.Builder spec, int tos) {
    if (tos != 0) {
      ServiceMark.put(spec, tos);
    }
  }

  private Stretch load(Load load, Load.Way way, RunDirector.Asked probe, LoadLine line)
      throws InterruptedException {
    var mechanism = Mechanisms.get(load.protocol());
    TestSpec.Builder spec =
        TestSpec.of(load.protocol(), Mode.STREAMING)
            .directions(way.up, way.down)
            .streams(plan.streams())
            .messageBytes(mechanism.usualMessageBytes(Mode.STREAMING))
            .maxMicros(plan.loadMicros())
            .verify(false);
    mark(spec, plan.loadTos());
    NetPlan asked =
        NetPlan.of(plan.server(), mechanism, spec.build())
            .flows(load.opening())
            .intervalMicros(200_000)
            .warmUpMicros(plan.settleMicros())
            .durationMicros(plan.loadMicros() - plan.settleMicros())
            .key(plan.key())
            .connectTimeoutMillis(plan.timeoutMillis())
            .build();
    CompletableFuture<Long> began = new CompletableFuture<>();
    RunDirector.Asked run =
        runs.run(
            asked,
            sample -> {
              began.complete(sample.startMicros());
              line.onLoad(sample);
            },
            micros -> {});
    RunOutcome outcome;
    long limit = plan.timeoutMillis() * 3 + plan.loadMicros() / 1_000 + SLACK_SECONDS * 1_000;
    try {
      CompletableFuture.anyOf(run.outcome(), probe.outcome(), interrupted)
          .get(limit, TimeUnit.MILLISECONDS);
      if (!run.outcome().isDone()) {
        throw broken(probe);
      }
      outcome = run.outcome().get();
    } catch (ExecutionException | TimeoutException failed) {
      throw known(failed);
    } finally {
      run.finish();
    }
    EbbException failed = outcome.failure();
    long start = began.getNow(0L);
    return new Stretch(
        load.name(),
        way.words(),
        start + plan.settleMicros(),
        start + plan.loadMicros(),
        way.up ? outcome.receivedBitsPerSecond(true) : Double.NaN,
        way.down ? outcome.receivedBitsPerSecond(false) : Double.NaN,
        failed == null ? "" : String.valueOf(failed.getMessage()));
  }

  /** The echoes that went in a stretch of time. */
  private LoadCell cell(Stretch stretch, long zero) {
    int kept = log.kept();
    long sent = 0;
    List<Long> answered = new ArrayList<>();
    for (int i = 0; i < kept; i++) {
      long at = log.sentMicros(i);
      if (at >= stretch.from && at < stretch.to) {
        sent++;
        long micros = log.roundTripMicros(i);
        if (micros != EchoLog.UNANSWERED) {
          answered.add(micros);
        }
      }
    }
    return new LoadCell(
        stretch.load,
        stretch.way,
        stretch.from - zero,
        stretch.to - zero,
        stretch.up,
        stretch.down,
        sent,
        answered,
        stretch.failure);
  }

  private void pass(long micros, RunDirector.Asked probe) throws InterruptedException {
    try {
      CompletableFuture.anyOf(probe.outcome(), interrupted).get(micros, TimeUnit.MICROSECONDS);
      throw broken(probe);
    } catch (TimeoutException passed) {
      return;
    } catch (ExecutionException failed) {
      throw known(failed);
    }
  }

  private long await(CompletableFuture<Long> began, RunDirector.Asked probe)
      throws InterruptedException {
    try {
      CompletableFuture.anyOf(began, probe.outcome(), interrupted)
          .get(3 * plan.timeoutMillis() + SLACK_SECONDS * 1_000, TimeUnit.MILLISECONDS);
      if (!began.isDone()) {
        throw broken(probe);
      }
      return began.join();
    } catch (TimeoutException | ExecutionException failed) {
      throw known(failed);
    }
  }

  /** Why it cannot go on: the probe has ended, or the user has. */
  private static EbbException broken(RunDirector.Asked probe) {
    if (probe.outcome().isDone()) {
      try {
        EbbException told = probe.outcome().join().failure();
        if (told != null) {
          return told;
        }
      } catch (java.util.concurrent.CompletionException failed) {
        return known(failed);
      }
    }
    return new EbbException(ExitCode.INCOMPLETE, "interrupted before the end");
  }

  private static EbbException known(Exception failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    if (cause instanceof EbbException known) {
      return known;
    }
    return failed instanceof TimeoutException
        ? new EbbException(ExitCode.INCOMPLETE, "the server does not answer any more", failed)
        : new EbbException(ExitCode.INTERNAL, String.valueOf(cause), failed);
  }
}
