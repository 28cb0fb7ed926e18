package ebb.disk;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.Human;
import ebb.disk.FioReference.Engine;
import ebb.disk.FioReference.Figures;
import ebb.machine.MachineCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole run: makes the file, measures all cases round by round, with fio in turn, removes the
 * file. Once; {@link #interrupt} may come from any thread.
 */
final class DiskRun implements MachineCommand.Measurement {
  private final DiskPlan plan;
  private final @Nullable FioReference fio;
  private volatile boolean stopped;

  DiskRun(DiskPlan plan, @Nullable FioReference fio) {
    this.plan = plan;
    this.fio = fio;
  }

  @Override
  public void interrupt() {
    stopped = true;
    FioReference reference = fio;
    if (reference != null) {
      reference.stop();
    }
  }

  @Override
  public DiskOutcome measure(Consumer<String> progress) throws InterruptedException {
    String fioVersion = fio == null ? "" : fio.version();
    try (BenchFile file = BenchFile.create(plan.directory(), plan.fileBytes())) {
      List<CaseResult> results = new ArrayList<>();
      for (DiskCase what : cases(plan, file)) {
        results.add(new CaseResult(what));
      }
      file.fill(
          plan.seed(),
          () -> stopped,
          bytes ->
              progress.accept(
                  "writing the file: "
                      + Human.bytes((double) bytes)
                      + " of "
                      + Human.bytes((double) plan.fileBytes())));
      int number = 0;
      for (int round = 0; round < plan.rounds() && !stopped; round++) {
        for (CaseResult result : results) {
          if (stopped) {
            break;
          }
          number++;
          progress.accept(
              String.format(
                  Locale.ROOT,
                  "%d of %d: %s",
                  number,
                  results.size() * plan.rounds(),
                  result.what.words()));
          CaseResult.Round measured = round(result.what, file, round);
          if (measured != null) {
            result.rounds.add(measured);
          }
        }
      }
      results.removeIf(result -> result.rounds.isEmpty());
      return new DiskOutcome(plan, FileFacts.of(file), fioVersion, results, !stopped);
    }
  }

  /**
   * One round of a case. Who goes first changes from round to round: a disk drifts, and what ran
   * before leaves its caches and its collection of garbage behind.
   */
  private CaseResult.@Nullable Round round(DiskCase what, BenchFile file, int number)
      throws InterruptedException {
    FioReference reference = fio;
    if (reference == null) {
      CaseFigures ebb = CaseRun.measure(plan, what, file, () -> stopped);
      return ebb == null ? null : new CaseResult.Round(ebb, null, null);
    }
    // One thread with one request outstanding is what psync is; without direct I/O libaio blocks.
    int parties = what.threads() > 1 && what.direct() ? 3 : 2;
    CaseFigures ebb = null;
    Figures psync = null;
    Figures libaio = null;
    for (int i = 0; i < parties; i++) {
      switch ((number + i) % parties) {
        case 0 -> ebb = CaseRun.measure(plan, what, file, () -> stopped);
        case 1 -> psync = reference.measure(plan, what, file, Engine.PSYNC);
        default -> libaio = reference.measure(plan, what, file, Engine.LIBAIO);
      }
      if (stopped) {
        return null;
      }
    }
    return ebb == null ? null : new CaseResult.Round(ebb, psync, libaio);
  }

  /** The cases in the order of the table. */
  static List<DiskCase> cases(DiskPlan plan, BenchFile file) {
    boolean only = plan.io() == DiskPlan.Io.DIRECT;
    if (only && !file.hasDirect()) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          String.format(
              "%s is on %s, which has no direct I/O (without --io direct the page cache is used)",
              plan.directory(), file.fileSystem()));
    }
    List<DiskCase> cases = new ArrayList<>();
    for (int block : plan.blocks()) {
      boolean possible = file.isDirectFor(block);
      if (only && !possible) {
        throw new EbbException(
            ExitCode.USAGE,
            String.format(
                "direct I/O on this file system takes blocks of multiples of %s, not of %s",
                DiskCase.block(file.alignment()), DiskCase.block(block)));
      }
      List<Boolean> ways =
          switch (plan.io()) {
            case AUTO, DIRECT -> List.of(possible);
            case CACHE -> List.of(false);
            case BOTH -> possible ? List.of(true, false) : List.of(false);
          };
      for (boolean direct : ways) {
        for (DiskCase.Access access : plan.accesses()) {
          for (DiskCase.Operation operation : plan.operations()) {
            for (int threads : plan.threads()) {
              cases.add(new DiskCase(access, operation, block, threads, direct));
            }
          }
        }
      }
    }
    return cases;
  }
}
