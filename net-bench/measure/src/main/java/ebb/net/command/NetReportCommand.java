package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.ResultFiles;
import ebb.core.result.ResultRecord;
import ebb.net.report.RunPage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Make one HTML page of results that were written with -J.",
      "What is no result of this version is named on the page; the exit code is then 5."
    })
public final class NetReportCommand implements EbbCommand {
  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Results.")
  List<Path> files = List.of();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "The page.")
  Path page = Path.of("report.html");

  @Override
  public String group() {
    return "net";
  }

  @Override
  public Integer call() {
    ResultFiles.checkWritable(page);
    List<ResultRecord> results = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    for (Path file : files) {
      try {
        results.add(NetResults.read(file));
      } catch (EbbException none) {
        if (files.size() == 1) {
          throw none;
        }
        unreadable.add(String.valueOf(none.getMessage()));
      }
    }
    // The page says it too, for whoever sees that alone.
    ResultFiles.write(page, file -> RunPage.of(results, unreadable).writeTo(file));
    unreadable.forEach(why -> System.err.println("ebb: " + why));
    return (unreadable.isEmpty() ? ExitCode.DONE : ExitCode.INCOMPLETE).value();
  }
}
