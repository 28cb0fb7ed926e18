package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.ResultFiles;
import ebb.net.report.RunPage;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Make one HTML page of results that were written with -J.")
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
    ResultFiles.write(
        page, file -> RunPage.of(files.stream().map(NetResults::read).toList()).writeTo(file));
    return ExitCode.DONE.value();
  }
}
