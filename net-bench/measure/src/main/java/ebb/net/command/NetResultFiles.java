package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ResultFiles;
import ebb.core.result.ResultRecord;
import ebb.net.report.RunPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that measure a path for what becomes of the result beside the text. */
final class NetResultFiles {
  @Option(
      names = {"-J", "--json"},
      description = "Print the result as JSON.")
  boolean json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write the rows as CSV: each interval of a client, each run of others.")
  private @Nullable Path csv;

  @Option(names = "--plot", paramLabel = "FILE", description = "Write an HTML page.")
  private @Nullable Path plot;

  /**
   * Checks before anything is measured.
   *
   * @throws EbbException USAGE when a file could not be written
   */
  void checkWritable() {
    ResultFiles.checkWritable(csv);
    ResultFiles.checkWritable(plot);
  }

  /** Writes the files that were asked for. */
  void write(ResultRecord record) {
    ResultFiles.write(csv, file -> Files.writeString(file, record.rowsToCsv()));
    ResultFiles.write(plot, file -> RunPage.of(List.of(record)).writeTo(file));
  }
}
