package ebb.disk;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.Human;
import ebb.disk.FioReference.Engine;
import ebb.machine.MachineCommand;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole run: makes the files, measures all cases round by round, with fio in turn, removes the
 * files. Once; {@link #interrupt} may come from any thread.
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
    try (BenchFiles files = BenchFiles.open(plan)) {
      List<CaseResult> results = new ArrayList<>();
      for (DiskCase what : cases(plan, files)) {
        results.add(new CaseResult(what));
      }
      fill(files, progress);
      String refusal = fio == null || stopped ? "" : fio.ioUringRefusal(files.all().get(0));
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
          CaseResult.Round measured = round(result.what, files, refusal.isEmpty(), round);
          if (measured != null) {
            result.rounds.add(measured);
          }
        }
      }
      results.removeIf(result -> result.rounds.isEmpty());
      return new DiskOutcome(plan, FileFacts.of(files), fioVersion, refusal, results, !stopped);
    }
  }

  /**
   * One round of a case. Who goes first changes from round to round: a disk drifts, and what ran
   * before leaves its caches and its collection of garbage behind.
   */
  private CaseResult.@Nullable Round round(
      DiskCase what, BenchFiles files, boolean ioUring, int number) throws InterruptedException {
    List<Engine> engines = fio == null ? List.of() : Engine.beside(what, ioUring);
    int parties = 1 + engines.size();
    List<CaseFigures> ebb = null;
    Map<Engine, FioReference.Found> found = new EnumMap<>(Engine.class);
    for (int i = 0; i < parties; i++) {
      int turn = (number + i) % parties;
      if (turn == 0 || fio == null) {
        ebb = CaseRun.measure(plan, what, files, () -> stopped);
      } else {
        Engine engine = engines.get(turn - 1);
        FioReference.Found one = fio.measure(plan, what, files, engine);
        if (one != null) {
          found.put(engine, one);
        }
      }
      if (stopped) {
        return null;
      }
    }
    return ebb == null ? null : new CaseResult.Round(ebb, found);
  }

  private void fill(BenchFiles files, Consumer<String> progress) {
    long seed = plan.seed();
    for (BenchFile file : files.all()) {
      if (!file.isOurs()) {
        continue;
      }
      file.fill(
          seed++,
          () -> stopped,
          bytes ->
              progress.accept(
                  "writing the file in "
                      + file.name()
                      + ": "
                      + Human.bytes((double) bytes)
                      + " of "
                      + Human.bytes((double) plan.fileBytes())));
    }
  }

  /** The cases in the order of the table. */
  static List<DiskCase> cases(DiskPlan plan, BenchFiles files) {
    boolean only = plan.io() == DiskPlan.Io.DIRECT;
    if (only && !files.hasDirect()) {
      BenchFile without =
          files.all().stream().filter(file -> !file.hasDirect()).findFirst().orElseThrow();
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          String.format(
              "%s is on %s, which has no direct I/O (without --io direct the page cache is used)",
              without.name(), without.fileSystem()));
    }
    List<DiskCase> cases = new ArrayList<>();
    for (int block : plan.blocks()) {
      boolean possible = files.isDirectFor(block);
      if (only && !possible) {
        throw new EbbException(
            ExitCode.USAGE,
            String.format(
                "direct I/O on this file system takes blocks of multiples of %s, not of %s",
                DiskCase.block(files.alignment()), DiskCase.block(block)));
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
