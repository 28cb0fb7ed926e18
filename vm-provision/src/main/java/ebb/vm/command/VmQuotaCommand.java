package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.ListQuotas;
import ebb.vm.port.Quota;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb vm quota}. */
@Command(
    name = "quota",
    mixinStandardHelpOptions = true,
    description = "Show what a project may have, and has, in a region or in all.")
public final class VmQuotaCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "REGION",
      description = "Such as europe-west1; without one, the quotas of the whole project.")
  @Nullable String region;

  @Option(names = "--all", description = "Also what the project may have none of.")
  boolean all;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(json);
    try (VmSession session = ProviderOption.standardSession(options, null, output::note)) {
      List<Quota> quotas =
          session
              .answer(Answer.Quotas.class, new ListQuotas(ProvisionPort.newId(), region))
              .quotas();
      ResultRecord.Builder result = ResultRecord.of("vm quota");
      for (Quota quota : quotas) {
        if (all || quota.limit() > 0) {
          output.line(
              TerminalText.printable(
                  String.format(
                      Locale.ROOT,
                      "%-40s %12.0f used of %12.0f",
                      quota.metric(),
                      quota.usage(),
                      quota.limit())));
          result.row(
              Map.of("metric", quota.metric(), "limit", quota.limit(), "usage", quota.usage()));
        }
      }
      output.json(result.build(true, 0).toJson());
      return ExitCode.DONE.value();
    }
  }
}
