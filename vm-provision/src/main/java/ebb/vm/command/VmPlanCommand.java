package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb vm plan}. It owns what is shown of a plan; nothing is made. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Read a plan and say what it comes to.",
      "Nothing is made. With --check the service is asked whether all is there that the plan"
          + " needs,",
      "as by 'ebb vm check PLAN.toml'; with --dry-run each request by which 'ebb vm run' would make"
          + " or delete something",
      "is printed as JSON."
    })
public final class VmPlanCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();

  @Parameters(index = "0", paramLabel = "PLAN.toml", description = "The plan.")
  Path file = Path.of("");

  @Option(names = "--dry-run", description = "Print the requests, and nothing else, on stdout.")
  boolean dryRun;

  @Option(names = "--check", description = "Ask the service whether it has what the plan wants.")
  boolean check;

  @Option(
      names = "--open-to-the-world",
      description = "Rules may let in everybody, such as 0.0.0.0/0.")
  boolean openToTheWorld;

  @Mixin Checkup checkup = new Checkup();

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "With --dry-run: what the VMs would run (default: the ebb.jar that runs this).")
  @Nullable Path jar;

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Plan plan = PlanFile.read(file).withServiceAccount(checkup.account(options));
    Output output = Output.standard(dryRun);
    DryRun dry = new DryRun(plan, openToTheWorld, output);
    dry.show();
    if (check) {
      checkup.run(plan, options, output, ResultRecord.of("vm plan"));
    } else {
      output.note(
          "ebb: whether its zones, machine types, images and quotas are there was not asked;"
              + " 'ebb vm check PLAN.toml' does");
    }
    if (dryRun) {
      dry.requests(options, checkup.bucket, jar);
    }
    return ExitCode.DONE.value();
  }
}
