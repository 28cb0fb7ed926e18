package ebb.storage.bench;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.kompics.PunctualComponent;
import ebb.storage.bench.BenchPort.CancelPhase;
import ebb.storage.bench.BenchPort.PhaseDone;
import ebb.storage.bench.BenchPort.PhaseProgress;
import ebb.storage.bench.BenchPort.RunPhase;
import ebb.storage.client.OperationRunner;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.CancelAll;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.Progress;
import ebb.storage.port.StoragePort.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.Negative;
import se.sics.kompics.Positive;
import se.sics.kompics.timer.ScheduleTimeout;
import se.sics.kompics.timer.Timeout;
import se.sics.kompics.timer.Timer;

/**
 * Drives whatever provides {@link StoragePort}: runs the lanes of a phase side by side and counts
 * what they come to. What a phase is made of is its user's affair.
 */
public final class StorageBench extends ComponentDefinition {
  private static final int MAX_FAILURES_IN_A_ROW = 3;
  private static final int MAX_KEPT = 10_000;
  private static final long PROGRESS_PERIOD_NANOS = 200_000_000;

  private final Negative<BenchPort> bench = provides(BenchPort.class);
  private final Positive<StoragePort> storage = requires(StoragePort.class);
  private final Positive<Timer> timer = requires(Timer.class);

  private final Map<Long, Asked> asked = new HashMap<>();
  private @Nullable Running running;

  /** A request under way, and how far it is. */
  private static final class Asked {
    final int lane;
    final String kind;

    /** On the clock of outcomes; -1 when it was not planned for a time. */
    final long plannedMicros;

    long bytes;
    long[] atMicros = new long[0];
    long[] moved = new long[0];
    int samples;

    Asked(int lane, String kind, long plannedMicros) {
      this.lane = lane;
      this.kind = kind;
      this.plannedMicros = plannedMicros;
    }

    long lateMicros(long startMicros) {
      return plannedMicros < 0 ? 0 : Math.max(0, startMicros - plannedMicros);
    }

    void sample(long micros, long now) {
      if (samples == atMicros.length) {
        atMicros = Arrays.copyOf(atMicros, Math.max(16, 2 * samples));
        moved = Arrays.copyOf(moved, atMicros.length);
      }
      atMicros[samples] = micros;
      moved[samples++] = now;
    }
  }

  /** The phase under way. */
  private static final class Running {
    final Phase phase;
    final long startMicros = System.nanoTime() / 1_000;
    final List<LaneResult> results = new ArrayList<>();
    final List<Transfer> transfers = new ArrayList<>();
    final List<ObjectEntry> entries = new ArrayList<>();
    final Map<String, LaneResult> kinds = new TreeMap<>();
    final Course course = new Course();
    final Spread spread = new Spread();
    final int[] failuresInARow;
    final int[] warmups;
    int open;

    /** Operations whose planned times have been taken by a lane. */
    long planned;

    boolean cancelled;
    long operations;
    long bytes;
    long nextProgressNanos = System.nanoTime();

    long sinceBegin() {
      return System.nanoTime() / 1_000 - startMicros;
    }

    /**
     * Whether an operation that began then belongs to the warm-up, which is looked for meanwhile.
     */
    boolean isWarmup(int lane, Outcome outcome) {
      SteadyState search = phase.search();
      long now = sinceBegin();
      if (search != null && outcome.succeeded()) {
        search.ended(now);
      }
      long until = search == null ? phase.warmupMicros() : search.endMicros();
      boolean warmup =
          warmups[lane] < phase.warmupOperations() && outcome.startMicros() - startMicros < until;
      warmups[lane] += warmup ? 1 : 0;
      if (search != null && warmups[lane] >= phase.warmupOperations()) {
        search.giveUp(now);
      }
      return warmup;
    }

    /** What the warm-up was; null for none. */
    @Nullable Discarded discarded(long elapsedMicros) {
      if (phase.warmupMicros() == 0) {
        return null;
      }
      SteadyState search = phase.search();
      if (search != null) {
        search.giveUp(elapsedMicros);
      }
      return new Discarded(
          search == null ? phase.warmupMicros() : search.endMicros(),
          Arrays.stream(warmups).asLongStream().sum(),
          search == null ? Discarded.Why.FIXED : search.why());
    }

    Running(Phase phase) {
      this.phase = phase;
      failuresInARow = new int[phase.lanes().size()];
      warmups = new int[phase.lanes().size()];
      open = phase.lanes().size();
      phase.lanes().forEach(lane -> results.add(new LaneResult()));
    }
  }

  /** A lane's time has come: to begin, or to send what was planned for now. */
  private static final class LaneStart extends Timeout {
    final Running of;
    final int lane;
    final long plannedMicros;

    LaneStart(ScheduleTimeout request, Running of, int lane, long plannedMicros) {
      super(request);
      this.of = of;
      this.lane = lane;
      this.plannedMicros = plannedMicros;
    }
  }

  public StorageBench() {
    super(PunctualComponent.class);
    subscribe(handleRun, bench);
    subscribe(handleCancel, bench);
    subscribe(handleDone, storage);
    subscribe(handleProgress, storage);
    subscribe(handleLaneStart, timer);
  }

  private final Handler<RunPhase> handleRun =
      new Handler<>(RunPhase.class) {
        @Override
        public void handle(RunPhase run) {
          if (running != null) {
            throw new IllegalStateException("a phase at a time");
          }
          Running begun = new Running(run.phase());
          running = begun;
          int lanes = begun.phase.lanes().size();
          if (lanes == 0) {
            finish(begun);
          }
          for (int lane = 0; lane < lanes; lane++) {
            start(begun, lane);
          }
        }
      };

  private void start(Running run, int lane) {
    long delayMicros = run.phase.lanes().get(lane).delayMicros();
    if (delayMicros == 0) {
      next(run, lane);
    } else {
      wakeUp(run, lane, delayMicros / 1_000, -1);
    }
  }

  private void wakeUp(Running run, int lane, long millis, long plannedMicros) {
    ScheduleTimeout schedule = new ScheduleTimeout(millis);
    schedule.setTimeoutEvent(new LaneStart(schedule, run, lane, plannedMicros));
    trigger(schedule, timer);
  }

  private final Handler<LaneStart> handleLaneStart =
      new Handler<>(LaneStart.class) {
        @Override
        public void handle(LaneStart start) {
          // A phase that was cancelled waits for its answers only.
          if (start.of != running || start.of.cancelled) {
            return;
          }
          if (start.plannedMicros >= 0) {
            send(start.of, start.lane, start.plannedMicros);
          } else {
            next(start.of, start.lane);
          }
        }
      };

  private void next(Running run, int lane) {
    boolean goOn =
        !run.cancelled
            && run.failuresInARow[lane] < MAX_FAILURES_IN_A_ROW
            && run.phase.lanes().get(lane).requests().hasNext();
    Phase.Pace pace = run.phase.pace();
    if (goOn && pace == null) {
      send(run, lane, -1);
    } else if (goOn && pace != null && pace.plannedMicros(run.planned) < pace.micros()) {
      long planned = run.startMicros + pace.plannedMicros(run.planned++);
      long early = planned - System.nanoTime() / 1_000;
      if (early > 0) {
        wakeUp(run, lane, (early + 999) / 1_000, planned);
      } else {
        send(run, lane, planned);
      }
    } else if (--run.open == 0) {
      finish(run);
    }
  }

  private void send(Running run, int lane, long plannedMicros) {
    Request request = run.phase.lanes().get(lane).requests().next();
    asked.put(request.id(), new Asked(lane, OperationRunner.name(request), plannedMicros));
    trigger(request, storage);
  }

  private final Handler<Progress> handleProgress =
      new Handler<>(Progress.class) {
        @Override
        public void handle(Progress progress) {
          Asked one = asked.get(progress.id());
          Running run = running;
          if (one == null || run == null) {
            return;
          }
          if (run.phase.keepEach()) {
            one.sample(System.nanoTime() / 1_000, progress.bytes());
          }
          run.course.moved(run.sinceBegin(), progress.bytes() - one.bytes);
          run.bytes += progress.bytes() - one.bytes;
          one.bytes = progress.bytes();
          tell(run);
        }
      };

  private final Handler<Done> handleDone =
      new Handler<>(Done.class) {
        @Override
        public void handle(Done done) {
          Asked one = asked.remove(done.id());
          Running run = running;
          if (one == null || run == null) {
            return; // Another user's of the same port.
          }
          boolean warmup = run.isWarmup(one.lane, done.outcome());
          long lateMicros = one.lateMicros(done.outcome().startMicros());
          run.results.get(one.lane).count(done, warmup, lateMicros);
          if (!warmup && done.outcome().succeeded()) {
            run.spread.add(
                done.outcome().startMicros() - run.startMicros,
                run.sinceBegin(),
                done.moved().bytes());
          }
          run.kinds
              .computeIfAbsent(one.kind, any -> new LaneResult())
              .count(done, warmup, lateMicros);
          if (run.phase.persistent()) {
            run.entries.addAll(done.entries()); // To be removed; measured listings only count.
          }
          if (run.phase.keepEach() && run.transfers.size() < MAX_KEPT) {
            run.transfers.add(
                new Transfer(
                    run.phase.lanes().get(one.lane).process(),
                    done.outcome(),
                    done.moved().bytes(),
                    Arrays.copyOf(one.atMicros, one.samples),
                    Arrays.copyOf(one.moved, one.samples)));
          }
          run.course.moved(run.sinceBegin(), done.moved().bytes() - one.bytes);
          run.course.ended(
              run.sinceBegin(),
              done.outcome().succeeded(),
              done.outcome().durationMicros() + lateMicros);
          run.operations++;
          run.bytes += done.moved().bytes() - one.bytes;
          judge(run, one.lane, done.outcome().failure());
          tell(run);
          next(run, one.lane);
        }
      };

  /** What cannot succeed a little later is not asked for again and again. */
  private static void judge(Running run, int lane, @Nullable FailureKind failure) {
    if (failure == null || run.phase.persistent()) {
      run.failuresInARow[lane] = 0;
    } else {
      run.failuresInARow[lane] += failure.isRetryable() ? 1 : MAX_FAILURES_IN_A_ROW;
    }
  }

  private void tell(Running run) {
    long now = System.nanoTime();
    if (now >= run.nextProgressNanos) {
      run.nextProgressNanos = now + PROGRESS_PERIOD_NANOS;
      trigger(new PhaseProgress(run.phase.name(), run.operations, run.bytes), bench);
    }
  }

  private final Handler<CancelPhase> handleCancel =
      new Handler<>(CancelPhase.class) {
        @Override
        public void handle(CancelPhase cancel) {
          Running run = running;
          if (run == null || run.phase.persistent()) {
            return;
          }
          run.cancelled = true;
          trigger(new CancelAll(), storage);
          // Lanes that wait for their time end now, the others with their requests.
          run.open = asked.size();
          if (run.open == 0) {
            finish(run);
          }
        }
      };

  private void finish(Running run) {
    running = null;
    run.results.forEach(LaneResult::end);
    List<Integer> processes = run.phase.lanes().stream().map(Phase.Lane::process).toList();
    run.kinds.values().forEach(LaneResult::end);
    Phase.Pace pace = run.phase.pace();
    long elapsed = System.nanoTime() / 1_000 - run.startMicros;
    trigger(
        new PhaseDone(
            new PhaseResult(
                run.cancelled,
                processes,
                run.results,
                run.transfers,
                run.entries,
                run.kinds,
                pace == null ? null : Math.max(0, pace.plannedBy(elapsed) - run.planned),
                run.course.windows(elapsed),
                run.discarded(elapsed),
                new PhaseResult.Time(run.startMicros, run.spread),
                null)),
        bench);
  }
}
