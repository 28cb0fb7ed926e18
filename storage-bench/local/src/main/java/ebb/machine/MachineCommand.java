package ebb.machine;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.cli.ResultFiles;
import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A command that measures a part of this machine. It owns the order, from options to result, and
 * the options that do not depend on what is measured.
 */
public abstract class MachineCommand implements EbbCommand {
  /** The preset of both commands; the other name is an older one. */
  protected static final String BLOCKS_IN_100MB = "blocks-in-100mb";

  private static final String OLD_NAME = "seed-003";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the random places (default: ${DEFAULT-VALUE}).")
  protected long seed = 1;

  @Option(names = "--plot", paramLabel = "FILE", description = "Write an HTML page, too.")
  private @Nullable Path plot;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  private final String name;
  private final long stopMillis;

  /**
   * A command of that name.
   *
   * @param stopMillis how long an interrupted measurement may take to tidy up
   */
  protected MachineCommand(String name, long stopMillis) {
    this.name = name;
    this.stopMillis = stopMillis;
  }

  /** What is to be measured, once. */
  public interface Measurement {
    /** Ends it soon; {@link #measure} then returns what there is. From any thread. */
    void interrupt();

    /**
     * Measures.
     *
     * @param progress takes a line now and then
     */
    Findings measure(Consumer<String> progress) throws InterruptedException;
  }

  /** What was found out. */
  public interface Findings {
    /** False when it was interrupted. */
    boolean complete();

    /** For people, at most 100 columns wide. */
    List<String> lines();

    HtmlReport page();

    /** Writes it down for machines. */
    void record(ResultRecord.Builder result);
  }

  /**
   * What the options ask for.
   *
   * @throws IllegalArgumentException with one line when they cannot be
   */
  protected abstract Measurement measurement() throws InterruptedException;

  /**
   * Whether that is the preset; no name is none.
   *
   * @throws IllegalArgumentException when it is another name
   */
  protected static boolean isBlocksIn100Mb(@Nullable String preset) {
    if (preset == null) {
      return false;
    }
    if (preset.equals(BLOCKS_IN_100MB) || preset.equals(OLD_NAME)) {
      return true;
    }
    throw new IllegalArgumentException("--preset knows " + BLOCKS_IN_100MB + " only");
  }

  @Override
  @SuppressWarnings("try") // the registration is there to be closed
  public final Integer call() throws InterruptedException {
    Measurement measurement;
    try {
      measurement = measurement();
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(wrong), wrong);
    }
    ResultFiles.checkWritable(plot);
    Output output = Output.standard(json);
    Progress progress = Progress.everySecond(output);
    ResultRecord.Builder result = ResultRecord.of(name);
    // The command's own thread tidies up and shows what there is.
    try (Interrupts.Registration interrupts =
        Interrupts.untilClosed(stopMillis, ExitCode.INCOMPLETE, measurement::interrupt)) {
      Findings findings = measurement.measure(line -> progress.update(() -> line));
      progress.clear();
      return show(findings, result, output).value();
    }
  }

  private ExitCode show(Findings findings, ResultRecord.Builder result, Output output) {
    ExitCode code = findings.complete() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    findings.lines().forEach(output::line);
    findings.record(result);
    ResultRecord record = result.build(findings.complete(), code.value());
    if (ResultFiles.write(
        plot, file -> findings.page().rawRows(name, record.rows()).writeTo(file))) {
      output.line("Page: " + plot);
    }
    output.json(record.toJson());
    return code;
  }
}
