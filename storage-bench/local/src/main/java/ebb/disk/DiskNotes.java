package ebb.disk;

import ebb.core.cli.TerminalText;
import ebb.core.units.Human;
import ebb.disk.DiskCase.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Recognises figures that are not what they look like, and says why: a page cache in the disk's
 * place above all.
 */
final class DiskNotes {
  /** Four lanes of PCI Express 5.0 move 15.75 GB/s before any protocol. */
  private static final double DEVICE_BYTES_PER_SECOND = 15.75e9;

  /** Flash needs tens of microseconds for a read, and the fastest memory behind NVMe about ten. */
  private static final double DEVICE_NANOS = 5_000;

  /** Below this, page cache and disk do not differ enough to be worth a sentence. */
  private static final double NOTABLE = 1.5;

  private DiskNotes() {}

  static List<String> of(DiskOutcome outcome) {
    List<String> notes = new ArrayList<>();
    DiskPlan plan = outcome.plan();
    if (!outcome.complete()) {
      notes.add("incomplete: the run was interrupted; cases that had not ended are left out");
    }
    if (outcome.file().inMemory()) {
      notes.add(outcome.file().memoryFileSystem() + " keeps files in memory: no disk was measured");
    } else if (!outcome.file().direct()) {
      notes.add(
          outcome.file().fileSystem()
              + " has no direct I/O here: all figures are the page cache's, not the disk's");
    }
    cacheReads(outcome, notes);
    cacheWrites(outcome, notes);
    cacheMixed(outcome, notes);
    beside(outcome, notes);
    for (CaseResult result : outcome.results()) {
      if (result.what.direct()) {
        tooFast(result, notes);
      }
      if (result.rounds.stream().anyMatch(r -> r.ebb().unsent() > 0)) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s: the rate of %.0f a second was not reached; latencies are at least as shown",
                result.what.words(),
                plan.ratePerSecond()));
      }
    }
    unsteady(outcome, notes);
    if (!outcome.ioUringRefusal().isEmpty()) {
      notes.add(
          "io_uring is not beside Ebb, for fio cannot use it here: "
              + TerminalText.printable(outcome.ioUringRefusal()));
    }
    return notes;
  }

  /** Seed 003's 11 GB/s "disk": a file that memory holds, read through the page cache. */
  private static void cacheReads(DiskOutcome outcome, List<String> notes) {
    CaseResult fastest = fastest(outcome, Operation.READ);
    if (fastest == null || outcome.file().inMemory()) {
      return;
    }
    long memory = outcome.file().memoryBytes();
    long bytes = outcome.plan().fileBytes() * outcome.plan().files();
    boolean fits = memory > bytes;
    notes.add(
        String.format(
            Locale.ROOT,
            "reads through the page cache (up to %s) came from memory%s: they say what a copy in the"
                + " kernel costs, not what the disk does; the file is read once before they begin",
            Human.byteRate(fastest.median(CaseFigures::bytesPerSecond)),
            fits
                ? String.format(
                    Locale.ROOT,
                    ", for %s of %s fit%s into this machine's %s",
                    outcome.plan().files() == 1 ? "the file" : "all files",
                    Human.bytes((double) bytes),
                    outcome.plan().files() == 1 ? "s" : "",
                    Human.bytes((double) memory))
                : " in an unknown share"));
  }

  private static void cacheWrites(DiskOutcome outcome, List<String> notes) {
    if (fastest(outcome, Operation.WRITE) == null || outcome.file().inMemory()) {
      return;
    }
    switch (outcome.plan().fsync()) {
      case NONE ->
          notes.add(
              "writes through the page cache without fsync went to memory: how much has reached the"
                  + " disk is not known");
      case END ->
          notes.add(
              "writes through the page cache: the rate counts the final fsync, which writes a page"
                  + " once however often it was changed; the latencies are those of memory");
      case EACH -> {}
    }
  }

  private static void cacheMixed(DiskOutcome outcome, List<String> notes) {
    if (fastest(outcome, Operation.MIXED) != null && !outcome.file().inMemory()) {
      notes.add(
          "mixed through the page cache: reads came from memory and writes went there"
              + (outcome.plan().fsync() == DiskPlan.Fsync.EACH ? " until their fsync" : "")
              + ", so the latencies are no disk's");
    }
  }

  /** The same case both ways: the difference is the cache. */
  private static void beside(DiskOutcome outcome, List<String> notes) {
    CaseResult most = null;
    CaseResult disk = null;
    double factor = NOTABLE;
    for (CaseResult cached : outcome.results()) {
      for (CaseResult direct : outcome.results()) {
        boolean same =
            direct.what.direct()
                && !cached.what.direct()
                && direct.what.access() == cached.what.access()
                && direct.what.operation() == cached.what.operation()
                && direct.what.threads() == cached.what.threads()
                && direct.what.blockBytes() == cached.what.blockBytes();
        double ratio =
            cached.median(CaseFigures::bytesPerSecond) / direct.median(CaseFigures::bytesPerSecond);
        if (same && ratio > factor && Double.isFinite(ratio)) {
          most = cached;
          disk = direct;
          factor = ratio;
        }
      }
    }
    if (most != null && disk != null) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s %s of %s: %s through the page cache, %s directly; the factor of %.1f is memory,"
                  + " as were seed 003's 11 GB/s",
              most.what.access().word(),
              most.what.operation().word(),
              DiskCase.block(most.what.blockBytes()),
              Human.byteRate(most.median(CaseFigures::bytesPerSecond)),
              Human.byteRate(disk.median(CaseFigures::bytesPerSecond)),
              factor));
    }
  }

  private static void tooFast(CaseResult result, List<String> notes) {
    if (result.median(CaseFigures::bytesPerSecond) > DEVICE_BYTES_PER_SECOND) {
      notes.add(
          result.what.words()
              + ": more than four lanes of PCI Express 5.0 carry; a cache behind this machine's"
              + " back (the host's, a controller's) answered, or the file system ignored O_DIRECT");
    } else if (result.median(f -> f.percentileNanos(50)) < DEVICE_NANOS) {
      notes.add(
          result.what.words()
              + ": a median below 5 us is faster than storage answers; a cache (the host's, a"
              + " controller's) did, or the file system ignored O_DIRECT");
    }
  }

  private static void unsteady(DiskOutcome outcome, List<String> notes) {
    long unsteady = outcome.results().stream().filter(r -> !r.isSteady()).count();
    if (unsteady > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%d of %d cases had not settled (marked ~): rates over five windows differ by more"
                  + " than 20%%, or rise or fall by more than 10%%; try a longer --time",
              unsteady,
              outcome.results().size()));
    }
  }

  private static @org.jspecify.annotations.Nullable CaseResult fastest(
      DiskOutcome outcome, Operation operation) {
    CaseResult fastest = null;
    for (CaseResult result : outcome.results()) {
      if (!result.what.direct()
          && result.what.operation() == operation
          && (fastest == null
              || result.median(CaseFigures::bytesPerSecond)
                  > fastest.median(CaseFigures::bytesPerSecond))) {
        fastest = result;
      }
    }
    return fastest;
  }
}
