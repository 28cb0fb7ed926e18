package ebb.disk;

import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import ebb.machine.MachineCommand;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb disk}. It owns the options. */
@Command(
    name = "disk",
    mixinStandardHelpOptions = true,
    description = {
      "Measure the disk under a directory, or several at once.",
      "Requests a second, bandwidth and latency of reads, writes or a mixture, past the page cache",
      "where the file system lets it. The files that are measured are written in full first, and",
      "removed at the end."
    })
public final class DiskCommand extends MachineCommand {
  private static final long STOP_MILLIS = 20_000;
  private static final String SIZE = "1Gi";
  private static final String BLOCKS = "4Ki,1Mi";
  private static final String THREADS = "1,4";
  private static final String TIME = "5s";
  private static final String WARM_UP = "1s";
  private static final int READ_SHARE = 50;
  private static final int ROUNDS = 1;
  private static final int ROUNDS_BESIDE_FIO = 3;

  /** What the options are when nobody gives them. */
  private enum Preset {
    STANDARD(SIZE, BLOCKS, THREADS, TIME, WARM_UP, DiskPlan.Io.AUTO),
    /** The table of seed 003: 100 MB, 1 B, 1 KB and 1 MB, one and two threads. */
    BLOCKS_IN_100MB("100M", "1,1Ki,1Mi", "1,2", "1s", "200ms", DiskPlan.Io.BOTH);

    final String size;
    final String blocks;
    final String threads;
    final String time;
    final String warmUp;
    final DiskPlan.Io io;

    Preset(String size, String blocks, String threads, String time, String warmUp, DiskPlan.Io io) {
      this.size = size;
      this.blocks = blocks;
      this.threads = threads;
      this.time = time;
      this.warmUp = warmUp;
      this.io = io;
    }
  }

  @Parameters(
      arity = "0..*",
      paramLabel = "PLACE",
      description = {
        "Where files are made (default: here); several directories, of several disks, are measured",
        "at once. Files or block devices that are there already are read, and never written."
      })
  List<Path> places = List.of();

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "1",
      description = "Made in each directory and measured at once (default: ${DEFAULT-VALUE}).")
  int filesEach = 1;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "Other defaults: "
              + BLOCKS_IN_100MB
              + " (100M; 1,1Ki,1Mi; 1,2 threads; both ways; 1s; beside fio if it"
              + " is installed).")
  @Nullable String preset;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "Of each file (default: "
              + SIZE
              + ", or all of what is there). Larger than the device's cache tells more.")
  @Nullable ByteSize size;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      split = ",",
      description = "Of one request; several with commas (default: " + BLOCKS + ").")
  List<ByteSize> blocks = List.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description =
          "The queue's depth: so many requests at once, for each file (default: " + THREADS + ").")
  List<Integer> threads = List.of();

  @Option(
      names = "--access",
      paramLabel = "HOW",
      split = ",",
      defaultValue = "sequential,random",
      description = "sequential, random (default: both).")
  List<DiskCase.Access> accesses = List.of();

  @Option(
      names = "--op",
      paramLabel = "WHAT",
      split = ",",
      description = "read, write, mixed (default: read,write).")
  List<DiskCase.Operation> operations = List.of();

  @Option(
      names = "--read-share",
      paramLabel = "PERCENT",
      description =
          "Of the requests of mixed, 1 to 99; without --op, only mixed is measured (default: "
              + READ_SHARE
              + ").")
  @Nullable Integer readShare;

  @Option(
      names = "--io",
      paramLabel = "WAY",
      description =
          "auto: direct where possible; direct: or not at all; cache: through the page cache;"
              + " both: one beside the other (default: auto).")
  DiskPlan.@Nullable Io io;

  @Option(
      names = "--fsync",
      paramLabel = "WHEN",
      defaultValue = "end",
      description =
          "none; end: after the last write, in the case's time; each: after every write"
              + " (default: ${DEFAULT-VALUE}).")
  DiskPlan.Fsync fsync = DiskPlan.Fsync.END;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description = "Measured, of every case (default: " + TIME + ").")
  @Nullable Micros time;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      description = "Before that, not counted (default: " + WARM_UP + ").")
  @Nullable Micros warmUp;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "So many requests a second of all threads together; latency then counts from when each"
              + " was due (default: as many as there can be).")
  @Nullable Double rate;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often each case is measured (default: "
              + ROUNDS
              + "; "
              + ROUNDS_BESIDE_FIO
              + " with --compare-fio).")
  @Nullable Integer rounds;

  @Option(
      names = "--compare-fio",
      description = "Run fio on the same files in turn with every case, and show the ratio.")
  boolean compareFio;

  public DiskCommand() {
    super("disk", STOP_MILLIS);
  }

  @Override
  protected Measurement measurement() throws InterruptedException {
    return new DiskRun(plan(), reference());
  }

  /** The seed had its figures beside another tool's; so has its preset, where there is one. */
  private @Nullable FioReference reference() throws InterruptedException {
    FioReference fio = new FioReference();
    return compareFio || (preset != null && rate == null && FioReference.isInstalled())
        ? fio
        : null;
  }

  private DiskPlan plan() {
    if (rate != null && !(rate > 0)) {
      throw new IllegalArgumentException("--rate must be above 0");
    }
    if (rate != null && compareFio) {
      throw new IllegalArgumentException("--rate and --compare-fio exclude each other");
    }
    Preset base = isBlocksIn100Mb(preset) ? Preset.BLOCKS_IN_100MB : Preset.STANDARD;
    List<Path> where = places.isEmpty() ? List.of(Path.of(".")) : places;
    boolean existing = BenchFiles.isExisting(where);
    List<DiskCase.Operation> asked = operations(existing);
    if (existing && filesEach != 1) {
      throw new IllegalArgumentException("--files is for directories, where files are made");
    }
    return new DiskPlan(
        where,
        filesEach,
        size == null && existing
            ? where.stream().mapToLong(BenchFile::sizeOf).min().orElse(0)
            : (size == null ? ByteSize.parse(base.size) : size).bytes(),
        io == null ? base.io : io,
        accesses.stream().distinct().toList(),
        asked,
        (blocks.isEmpty()
                ? List.of(base.blocks.split(",")).stream().map(ByteSize::parse)
                : blocks.stream())
            .map(block -> (int) Math.min(Integer.MAX_VALUE, block.bytes()))
            .distinct()
            .toList(),
        (threads.isEmpty()
                ? List.of(base.threads.split(",")).stream().map(Integer::valueOf)
                : threads.stream())
            .distinct()
            .toList(),
        (warmUp == null ? Micros.parse(base.warmUp) : warmUp).micros(),
        (time == null ? Micros.parse(base.time) : time).micros(),
        fsync,
        rate == null ? 0 : rate,
        rounds == null ? (compareFio ? ROUNDS_BESIDE_FIO : ROUNDS) : rounds,
        seed,
        readShare == null ? READ_SHARE : readShare);
  }

  private List<DiskCase.Operation> operations(boolean existing) {
    List<DiskCase.Operation> asked = operations.stream().distinct().toList();
    if (asked.isEmpty()) {
      asked =
          readShare != null
              ? List.of(DiskCase.Operation.MIXED)
              : existing
                  ? List.of(DiskCase.Operation.READ)
                  : List.of(DiskCase.Operation.READ, DiskCase.Operation.WRITE);
    }
    if (readShare != null && !asked.contains(DiskCase.Operation.MIXED)) {
      throw new IllegalArgumentException("--read-share is of --op mixed");
    }
    if (existing && !asked.equals(List.of(DiskCase.Operation.READ))) {
      throw new IllegalArgumentException(
          "what is there already is only read: --op read, or name directories");
    }
    return asked;
  }
}
