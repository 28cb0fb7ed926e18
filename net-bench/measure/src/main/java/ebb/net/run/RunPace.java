package ebb.net.run;

import ebb.core.time.MicroClock;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * When samples of a run are due, when its warm-up is over, and when its time is. What is found is
 * {@link RunFindings}'. On the run's loop.
 */
final class RunPace {
  /** For so long after its end a run waits for the first byte, such as on an overloaded machine. */
  private static final long PATIENCE_MICROS = 10_000_000;

  private static final long LOOK_MICROS = 10_000;

  private final NetPlan plan;
  private final RunFindings findings;
  private final RunFlows flows;
  private final MicroClock clock;
  private final EventLoop loop;
  private final CompletableFuture<Void> timeIsOver;
  private final Runnable onMark;
  private CompletableFuture<Void> sampling = CompletableFuture.completedFuture(null);
  private boolean over;
  private long nextSample;
  private long mark;
  private long end;

  /**
   * A pace that has not started.
   *
   * @param timeIsOver is completed then, or by somebody else
   * @param onMark hears that the warm-up is over
   */
  RunPace(
      NetPlan plan,
      RunFindings findings,
      RunFlows flows,
      MicroClock clock,
      EventLoop loop,
      CompletableFuture<Void> timeIsOver,
      Runnable onMark) {
    this.plan = plan;
    this.findings = findings;
    this.flows = flows;
    this.clock = clock;
    this.loop = loop;
    this.timeIsOver = timeIsOver;
    this.onMark = onMark;
  }

  /** The run has started. */
  void start() {
    long start = findings.startMicros();
    nextSample = start + plan.intervalMicros();
    mark = plan.warmUpMicros() > 0 ? start + plan.warmUpMicros() : Long.MAX_VALUE;
    end = endOf(start + plan.warmUpMicros());
    tick();
  }

  private long endOf(long fromMicros) {
    return plan.durationMicros() > 0 ? fromMicros + plan.durationMicros() : Long.MAX_VALUE;
  }

  private void tick() {
    long now = clock.nowMicros();
    if (timeIsOver.isDone() || over) {
      return;
    }
    if (now >= mark) {
      mark = Long.MAX_VALUE;
      after(
          sample(true, false),
          () -> {
            onMark.run();
            findings.mark(flows);
            nextSample = findings.markMicros() + plan.intervalMicros();
            // What was promised is measured in full, however late the mark was.
            end = endOf(findings.markMicros());
          });
    } else if (now >= nextSample && nextSample < end) {
      after(sample(mark != Long.MAX_VALUE, false), this::later);
    } else if (now >= end && (findings.hasMoved(flows) || now - end >= PATIENCE_MICROS)) {
      timeIsOver.complete(null);
    } else {
      long wait =
          now >= end ? LOOK_MICROS : Math.max(1, Math.min(Math.min(nextSample, mark), end) - now);
      var unused = loop.schedule(this::tick, wait, TimeUnit.MICROSECONDS);
    }
  }

  /** Who is late leaves intervals out: one of a few moments would have any rate. */
  private void later() {
    long sampled = findings.startMicros() + findings.sampledMicros();
    while (nextSample - sampled < plan.intervalMicros() / 2) {
      nextSample += plan.intervalMicros();
    }
  }

  private void after(CompletableFuture<Void> sampled, Runnable then) {
    var unused =
        sampled.thenRunAsync(
            () -> {
              then.run();
              tick();
            },
            loop);
  }

  /** The last interval, which ended when the run did; there is no other. */
  CompletableFuture<Void> last() {
    over = true;
    return sample(false, true);
  }

  /** One interval more, behind the one before. */
  private CompletableFuture<Void> sample(boolean warmUp, boolean last) {
    sampling =
        sampling.thenComposeAsync(
            before ->
                flows.look(clock).thenAcceptAsync(looks -> findings.add(looks, warmUp, last), loop),
            loop);
    return sampling;
  }
}
