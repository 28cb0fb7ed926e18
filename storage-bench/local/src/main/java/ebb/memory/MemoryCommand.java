package ebb.memory;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.cli.ResultFiles;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb memory}. It owns the options and the order. */
@Command(
    name = "memory",
    mixinStandardHelpOptions = true,
    description = {
      "Measure this machine's memory.",
      "STREAM's four kernels, blocks read and written in order and at random, and the latency of a",
      "load by pointer chase."
    })
public final class MemoryCommand implements EbbCommand {
  private static final long STOP_MILLIS = 10_000;
  private static final String BLOCKS_IN_100MB = "blocks-in-100mb";
  private static final String OLD_NAME = "seed-003";
  private static final long PRESET_BYTES = 100_000_000;
  private static final long SMALLEST_DEFAULT = 64L << 20;

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
          "Of the area of blocks and pointers (default: four times the last-level cache, at least"
              + " 64Mi).")
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
      description = "How often everything is measured (default: 1; 3 beside C).")
  @Nullable Integer rounds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of random places (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(
      names = "--compare-stream",
      description = "Compile the kernels in C with gcc, run them in turn, and show the ratio.")
  boolean compareStream;

  @Option(names = "--plot", paramLabel = "FILE", description = "Write an HTML page, too.")
  @Nullable Path plot;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  @SuppressWarnings("try") // the registration is there to be closed
  public Integer call() throws InterruptedException {
    MemoryPlan plan;
    try {
      plan = plan();
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(wrong), wrong);
    }
    ResultFiles.checkWritable(plot);
    Output output = Output.standard(json);
    Progress progress = Progress.everySecond(output);
    ResultRecord.Builder result = ResultRecord.of("memory");
    MemoryRun run = new MemoryRun(plan, compares());
    // The command's own thread shows what there is.
    try (Interrupts.Registration interrupts =
        Interrupts.untilClosed(STOP_MILLIS, ExitCode.INCOMPLETE, run::interrupt)) {
      MemoryOutcome outcome = run.measure(line -> progress.update(() -> line));
      progress.clear();
      return show(outcome, result, output).value();
    }
  }

  /** The seed had its figures beside STREAM's; so has its preset, where there is a compiler. */
  private boolean compares() {
    return compareStream || (preset != null && CReference.isPossible());
  }

  private MemoryPlan plan() {
    long enough =
        Math.max(SMALLEST_DEFAULT, CACHES * MemoryFacts.ofThisMachine().lastLevelCacheBytes());
    boolean small = BLOCKS_IN_100MB.equals(preset) || OLD_NAME.equals(preset);
    if (preset != null && !small) {
      throw new IllegalArgumentException("--preset knows " + BLOCKS_IN_100MB + " only");
    }
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
        rounds == null ? (compares() ? 3 : 1) : rounds,
        seed);
  }

  private ExitCode show(MemoryOutcome outcome, ResultRecord.Builder result, Output output) {
    ExitCode code = outcome.complete ? ExitCode.DONE : ExitCode.INCOMPLETE;
    MemoryText.lines(outcome).forEach(output::line);
    if (ResultFiles.write(plot, file -> MemoryRecord.page(outcome).writeTo(file))) {
      output.line("Page: " + plot);
    }
    MemoryRecord.write(outcome, result);
    output.json(result.build(outcome.complete, code.value()).toJson());
    return code;
  }
}
