package ebb.memory;

import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import ebb.machine.MachineCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb memory}. It owns the options. */
@Command(
    name = "memory",
    mixinStandardHelpOptions = true,
    description = {
      "Measure this machine's memory.",
      "STREAM's four kernels, blocks read and written in order and at random, and the latency of a",
      "load by pointer chase."
    })
public final class MemoryCommand extends MachineCommand {
  private static final long STOP_MILLIS = 10_000;
  private static final long PRESET_BYTES = 100_000_000;
  private static final int SMALLEST_MEBIBYTES = 64;
  private static final int ROUNDS = 1;
  private static final int ROUNDS_BESIDE_C = 3;

  /** STREAM's rule: each array at least four times the sum of the last-level caches. */
  private static final int CACHES = 4;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "Other defaults: "
              + BLOCKS_IN_100MB
              + " (blocks in 100M, whatever the cache; beside C if gcc is there).")
  @Nullable String preset;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "Of the area of blocks and pointers (default: "
              + CACHES
              + " times the last-level cache, at least "
              + SMALLEST_MEBIBYTES
              + "Mi).")
  @Nullable ByteSize size;

  @Option(
      names = "--stream-size",
      paramLabel = "SIZE",
      description = "Of each of the kernels' three arrays (default: the same).")
  @Nullable ByteSize streamSize;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "1,1Ki,1Mi",
      description = "Several with commas (default: ${DEFAULT-VALUE}).")
  List<ByteSize> blocks = List.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2",
      description = "Several with commas (default: ${DEFAULT-VALUE}).")
  List<Integer> threads = List.of();

  @Option(
      names = "--time",
      paramLabel = "TIME",
      defaultValue = "300ms",
      description = "Of each block case (default: ${DEFAULT-VALUE}).")
  Micros time = Micros.parse("300ms");

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "10",
      description = "Of the kernels; the first is not counted (default: ${DEFAULT-VALUE}).")
  int repeats = 10;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often everything is measured (default: "
              + ROUNDS
              + "; "
              + ROUNDS_BESIDE_C
              + " beside C).")
  @Nullable Integer rounds;

  @Option(
      names = "--compare-stream",
      description = "Compile the kernels in C with gcc, run them in turn, and show the ratio.")
  boolean compareStream;

  public MemoryCommand() {
    super("memory", STOP_MILLIS);
  }

  @Override
  protected Measurement measurement() {
    return new MemoryRun(plan(), compares());
  }

  /** The seed had its figures beside STREAM's; so has its preset, where there is a compiler. */
  private boolean compares() {
    return compareStream || (preset != null && CReference.isPossible());
  }

  private MemoryPlan plan() {
    long enough =
        Math.max(
            (long) SMALLEST_MEBIBYTES << 20,
            CACHES * MemoryFacts.ofThisMachine().lastLevelCacheBytes());
    boolean small = isBlocksIn100Mb(preset);
    return new MemoryPlan(
        size == null ? (small ? PRESET_BYTES : enough) : size.bytes(),
        streamSize == null ? (size == null ? enough : size.bytes()) : streamSize.bytes(),
        blocks.stream()
            .map(block -> (int) Math.min(Integer.MAX_VALUE, block.bytes()))
            .distinct()
            .toList(),
        threads.stream().distinct().toList(),
        time.micros(),
        repeats,
        rounds == null ? (compares() ? ROUNDS_BESIDE_C : ROUNDS) : rounds,
        seed);
  }
}
