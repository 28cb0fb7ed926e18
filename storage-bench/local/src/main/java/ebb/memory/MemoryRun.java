package ebb.memory;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.Human;
import ebb.machine.MachineCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole run: kernels, with C's in turn, blocks, pointers. Once; {@link #interrupt} may come
 * from any thread.
 */
final class MemoryRun implements MachineCommand.Measurement {
  private final MemoryPlan plan;
  private final boolean besideC;
  private volatile @Nullable CReference reference;
  private volatile boolean stopped;

  /**
   * A run.
   *
   * @param besideC whether the same kernels in C are run, too
   */
  MemoryRun(MemoryPlan plan, boolean besideC) {
    this.plan = plan;
    this.besideC = besideC;
  }

  @Override
  public void interrupt() {
    stopped = true;
    CReference c = reference;
    if (c != null) {
      c.stop();
    }
  }

  /**
   * Measures.
   *
   * @throws EbbException when the heap is too small, or there is no gcc for {@code besideC}
   */
  @Override
  public MemoryOutcome measure(Consumer<String> progress) throws InterruptedException {
    if (!besideC) {
      return measured(progress);
    }
    try (CReference c = new CReference()) {
      reference = c;
      return measured(progress);
    }
  }

  private MemoryOutcome measured(Consumer<String> progress) throws InterruptedException {
    MemoryOutcome outcome = new MemoryOutcome(plan, MemoryFacts.ofThisMachine(), besideC);
    try {
      streams(outcome, progress);
      blocks(outcome, progress);
      if (!stopped) {
        progress.accept("latency");
        outcome.latencies.addAll(
            PointerChase.measure(plan.areaBytes(), plan.seed(), () -> stopped));
      }
    } catch (OutOfMemoryError e) {
      long most = Math.max(3 * plan.streamBytes(), 2 * plan.areaBytes());
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          String.format(
              "arrays of %s do not fit into the JVM's %s of heap (EBB_JAVA_OPTS=-Xmx... gives"
                  + " more; --stream-size and --size ask for less)",
              Human.bytes((double) most), Human.bytes((double) Runtime.getRuntime().maxMemory())),
          e);
    }
    outcome.complete = !stopped;
    return outcome;
  }

  private void streams(MemoryOutcome outcome, Consumer<String> progress)
      throws InterruptedException {
    long before = MemoryFacts.hugePageBytes();
    StreamBench bench = new StreamBench(plan.streamElements());
    outcome.hugePages = MemoryFacts.hugePageBytes() - before > 3 * plan.streamBytes() / 2;
    for (int round = 1; round <= plan.rounds(); round++) {
      for (int threads : plan.threads()) {
        if (stopped) {
          return;
        }
        progress.accept("kernels, threads: " + threads + ", round " + round);
        CReference c = reference;
        // Who goes first changes from round to round.
        boolean first = c != null && round % 2 == 0;
        List<Double> early = c != null && first ? c(c, threads, outcome) : null;
        List<Double> ebb = bench.measure(threads, plan.repeats(), () -> stopped);
        List<Double> other = c == null || first ? early : c(c, threads, outcome);
        if (ebb == null || (c != null && other == null)) {
          return;
        }
        MemoryOutcome.Stream stream =
            outcome.streams.computeIfAbsent(threads, n -> new MemoryOutcome.Stream());
        stream.ebb.add(ebb);
        if (other != null) {
          stream.c.add(other);
        }
      }
    }
  }

  private @Nullable List<Double> c(CReference c, int threads, MemoryOutcome outcome)
      throws InterruptedException {
    return c.measure(plan.streamElements(), plan.repeats(), threads, outcome.hugePages);
  }

  private void blocks(MemoryOutcome outcome, Consumer<String> progress)
      throws InterruptedException {
    if (stopped) {
      return;
    }
    BlockBench bench = new BlockBench((int) plan.areaBytes(), plan.seed());
    for (int round = 1; round <= plan.rounds(); round++) {
      for (BlockCase what : cases()) {
        if (stopped) {
          return;
        }
        progress.accept(
            "blocks: "
                + what.access()
                + " "
                + what.operation()
                + " of "
                + what.blockBytes()
                + " B, threads: "
                + what.threads()
                + ", round "
                + round);
        BlockBench.Figures figures = bench.measure(what, plan.measureMicros(), () -> stopped);
        if (!stopped) {
          outcome.blocks.computeIfAbsent(what, w -> new ArrayList<>()).add(figures);
        }
      }
    }
  }

  private List<BlockCase> cases() {
    List<BlockCase> cases = new ArrayList<>();
    for (int block : plan.blocks()) {
      for (boolean random : new boolean[] {false, true}) {
        for (boolean write : new boolean[] {false, true}) {
          for (int threads : plan.threads()) {
            cases.add(new BlockCase(block, random, write, threads));
          }
        }
      }
    }
    return cases;
  }
}
