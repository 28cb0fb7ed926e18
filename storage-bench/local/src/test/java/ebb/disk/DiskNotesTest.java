package ebb.disk;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.disk.DiskCase.Access;
import ebb.disk.DiskCase.Operation;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What the report says about figures that are not a disk's. */
class DiskNotesTest {
  private static final long GIB = 1L << 30;
  private static final int MIB = 1 << 20;

  private static DiskPlan plan(DiskPlan.Fsync fsync) {
    return new DiskPlan(
        List.of(Path.of("/there")),
        1,
        100_000_000,
        DiskPlan.Io.BOTH,
        List.of(Access.RANDOM),
        List.of(Operation.READ),
        List.of(MIB),
        List.of(1),
        0,
        1_000_000,
        fsync,
        0,
        1,
        1,
        50);
  }

  private static CaseResult result(
      Operation operation, boolean direct, double bytesPerSecond, long medianNanos) {
    DiskCase what = new DiskCase(Access.RANDOM, operation, MIB, 1, direct);
    Histogram latencies = new Histogram(Tally.MAX_NANOS, 3);
    latencies.recordValue(medianNanos);
    long requests = 1_000;
    CaseFigures figures =
        new CaseFigures(
            what,
            Part.WHOLE,
            requests,
            requests * MIB / bytesPerSecond,
            0,
            latencies,
            true,
            Collections.nCopies(Steadiness.WINDOWS, 1.0),
            0,
            0);
    CaseResult result = new CaseResult(what);
    result.rounds.add(new CaseResult.Round(List.of(figures), Map.of()));
    return result;
  }

  private static List<String> notes(DiskPlan.Fsync fsync, FileFacts file, CaseResult... results) {
    return new DiskOutcome(plan(fsync), file, "", "", List.of(results), true).notes();
  }

  private static List<String> notes(CaseResult... results) {
    return notes(DiskPlan.Fsync.END, new FileFacts("ext4", "", true, 4_096, GIB), results);
  }

  @Test
  void seed003sElevenGigabytesASecondAreCalledThePageCache() {
    List<String> notes =
        notes(
            result(Operation.READ, false, 11.42e9, 87_560),
            result(Operation.READ, true, 160e6, 6_000_000));
    assertThat(notes).hasSize(2);
    assertThat(notes.get(0))
        .contains("through the page cache (up to 11.4 GB/s) came from memory")
        .contains("the file of 100 MB fits into this machine's 1.07 GB");
    // 11.42e9 / 160e6 = 71.375
    assertThat(notes.get(1)).contains("11.4 GB/s through", "160 MB/s directly", "factor of 71.4");
  }

  @Test
  void figuresOfADiskNeedNoNote() {
    assertThat(notes(result(Operation.READ, true, 3e9, 100_000))).isEmpty();
    assertThat(notes(result(Operation.WRITE, true, 3e9, 20_000))).isEmpty();
  }

  @Test
  void directFiguresThatNoDeviceReachesAreDoubted() {
    assertThat(notes(result(Operation.READ, true, 20e9, 50_000)))
        .singleElement()
        .asString()
        .contains("PCI Express");
    assertThat(notes(result(Operation.READ, true, 1e9, 900)))
        .singleElement()
        .asString()
        .contains("below 5 us");
  }

  @Test
  void writesThatNobodySyncedAreCalledMemory() {
    FileFacts file = new FileFacts("ext4", "", true, 4_096, GIB);
    CaseResult write = result(Operation.WRITE, false, 2e9, 400_000);
    assertThat(notes(DiskPlan.Fsync.NONE, file, write))
        .singleElement()
        .asString()
        .contains("without fsync went to memory");
    assertThat(notes(DiskPlan.Fsync.END, file, write))
        .singleElement()
        .asString()
        .contains("counts the final fsync");
    assertThat(notes(DiskPlan.Fsync.EACH, file, write)).isEmpty();
  }

  @Test
  void aFileSystemInMemoryIsNoDisk() {
    FileFacts file = new FileFacts("tmpfs", "tmpfs", false, 4_096, GIB);
    assertThat(notes(DiskPlan.Fsync.END, file, result(Operation.READ, false, 8e9, 900)))
        .containsExactly("tmpfs keeps files in memory: no disk was measured");
  }

  @Test
  void withoutDirectIoEverythingIsCalledThePageCache() {
    FileFacts file = new FileFacts("somefs", "", false, 4_096, GIB);
    List<String> notes = notes(DiskPlan.Fsync.END, file, result(Operation.READ, false, 8e9, 900));
    assertThat(notes.get(0))
        .isEqualTo(
            "somefs has no direct I/O here: all figures are the page cache's, not the disk's");
  }

  @Test
  void linesFitAHundredColumns() {
    DiskOutcome outcome =
        new DiskOutcome(
            plan(DiskPlan.Fsync.NONE),
            new FileFacts("ext4", "", true, 4_096, GIB),
            "fio-3.33",
            "fio: pid=1, err=1/file:engines/io_uring.c:1, error=Operation not permitted",
            List.of(
                result(Operation.READ, false, 11.42e9, 87_560),
                result(Operation.READ, true, 160e6, 6_000_000)),
            false);
    assertThat(outcome.lines()).allMatch(line -> line.length() <= 100);
    assertThat(outcome.notes()).anyMatch(note -> note.contains("Operation not permitted"));
    assertThat(outcome.page().toHtml()).contains("random read, 1 MiB, 1 thread, page cache");
  }
}
