package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.process.Mark;
import ebb.selfbench.process.MeasuredProcess;
import ebb.selfbench.side.BenchMode;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Results;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Target;
import java.util.List;

/**
 * A transfer of a given size in two JVMs with 256 MiB of heap and the default collector: how much
 * of the heap it needs, and how long the collector stops it.
 */
final class BulkTransfer implements Subject {
  private static final String NAME = "ebb-10g";
  private static final long BYTES = 10L << 30;
  private static final double MEBIBYTE = 1 << 20;
  private static final long LOOK_MILLIS = 100;
  private static final long LIMIT_MILLIS = 300_000;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String what() {
    return "Ebb, one connection, 10 GiB from its start";
  }

  @Override
  public boolean repeats() {
    return false;
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.of(
                7,
                "longest pause of the collector",
                run -> larger(run, "sender_gc_max_millis", "receiver_gc_max_millis"),
                NAME)
            .atMost(10, "ms"),
        Target.of(
                7,
                "heap of a 10 GiB transfer",
                run -> larger(run, "sender_heap_peak_bytes", "receiver_heap_peak_bytes") / MEBIBYTE,
                NAME)
            .atMost(256, "MiB"));
  }

  private static double larger(Results run, String one, String other) {
    return Math.max(run.detail(NAME, one), run.detail(NAME, other));
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    return BuiltInSubjects.ebb(BenchMode.AUTO).run(context, BulkTransfer::transfer);
  }

  private static Sample transfer(MeasuredProcess to, MeasuredProcess from)
      throws InterruptedException {
    Mark to0 = to.mark();
    Mark from0 = from.mark();
    Mark to1 = to0;
    long longestPause = 0;
    for (long waited = 0;
        to1.since(to0, Mark.BYTES) < BYTES && waited < LIMIT_MILLIS;
        waited += LOOK_MILLIS) {
      Thread.sleep(LOOK_MILLIS);
      to1 = to.mark();
      longestPause = Math.max(longestPause, to1.get(Mark.GC_MAX_MILLIS));
    }
    if (to1.since(to0, Mark.BYTES) < BYTES) {
      throw new EbbException(
          ExitCode.INCOMPLETE, "not done after " + LIMIT_MILLIS / 1_000 + " seconds");
    }
    Sample sample = Sample.between(to0, to1, from0, from.mark());
    return sample.with("receiver_gc_max_millis", (double) longestPause);
  }
}
