package ebb.storage.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import ebb.storage.report.Expected;
import ebb.storage.report.StorageReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb storage report}. It owns the files; the page is {@link StorageReport}'s. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Make one page of files of results.",
      "Box plots by period and region, measured beside expected, all figures. The files are those",
      "of 'ebb storage run --out' and 'ebb storage plan'."
    })
public final class StorageReportCommand implements EbbCommand {
  @Parameters(arity = "1..*", paramLabel = "RESULTS", description = "Files of results.")
  List<Path> files = new ArrayList<>();

  @Option(names = "--html", paramLabel = "FILE", description = "Write the page, one HTML file.")
  @Nullable Path html;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write a line for each case as CSV.")
  @Nullable Path csv;

  @Option(
      names = "--expected",
      paramLabel = "FILE",
      description = "What a provider has published: lines case,unit,value,source (docs/expected/).")
  @Nullable Path expected;

  @Option(names = "--json", description = "Print the figures as JSON.")
  boolean json;

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() {
    List<ResultRecord> records = new ArrayList<>();
    Output output = Output.standard(json);
    for (Path file : files) {
      ResultFile.Read read = ResultFile.read(file);
      records.addAll(read.records());
      if (read.spoilt() > 0) {
        output.note(
            TerminalText.printable(
                "ebb: note: " + read.spoilt() + " lines of '" + file + "' are no results"));
      }
    }
    StorageReport report = new StorageReport(records, expectations());
    if (report.isEmpty()) {
      throw new EbbException(ExitCode.USAGE, "there is no measured case in these results");
    }
    ResultRecord figures = report.record().build(true, 0);
    try {
      if (html != null) {
        report.page().writeTo(html);
        output.line(TerminalText.printable("Page: " + html));
      }
      if (csv != null) {
        Files.writeString(csv, figures.rowsToCsv());
        output.line(TerminalText.printable("CSV: " + csv));
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.USAGE, "cannot write: " + OneLine.of(e), e);
    }
    if (html == null && csv == null && !json) {
      output.line(figures.rowsToCsv().stripTrailing());
    }
    output.json(figures.toJson());
    return 0;
  }

  private List<Expected> expectations() {
    Path file = expected;
    if (file == null) {
      return List.of();
    }
    try {
      return Expected.parse(Files.readString(file));
    } catch (IOException e) {
      throw new EbbException(ExitCode.USAGE, "cannot read '" + file + "': " + OneLine.of(e), e);
    } catch (IllegalArgumentException e) {
      throw new EbbException(ExitCode.USAGE, "'" + file + "': " + OneLine.of(e), e);
    }
  }
}
