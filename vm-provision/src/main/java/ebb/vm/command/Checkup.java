package ebb.vm.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.vm.demo.DemoCloud;
import ebb.vm.demo.DemoCompute;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import ebb.vm.port.AccountSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A plan held against the service before anything is made, and the options that go with that. */
final class Checkup {
  @Option(
      names = "--bucket",
      paramLabel = "gs://BUCKET",
      description = "With a plan: where jar and results would go (default: the plan's).")
  @Nullable String bucket;

  @Option(
      names = "--service-account",
      paramLabel = "EMAIL",
      description =
          "With a plan: what VMs act as for which it says no account; 'own' for one that the run"
              + " makes, with rights in the bucket only, and removes.")
  @Nullable String serviceAccount;

  @Option(
      names = "--max-cost",
      paramLabel = "USD",
      description = "With a plan: refuse one that may cost more, by list prices.")
  double maxCost = Double.POSITIVE_INFINITY;

  /** What was said, else what the demo has. */
  @Nullable String account(VmOptions options) {
    if (serviceAccount != null
        && !serviceAccount.equals(Plan.OWN_ACCOUNT)
        && !PlanFile.ACCOUNT.matcher(serviceAccount).matches()) {
      throw new EbbException(
          ExitCode.USAGE,
          "--service-account '"
              + serviceAccount
              + "' is neither 'own' nor such as ebb-vm@my-project.iam.gserviceaccount.com");
    }
    return serviceAccount == null && options.isDemo() ? DemoCompute.ACCOUNT : serviceAccount;
  }

  /**
   * Asks the service, or a demo cloud of this command's own, says what is wrong, and what it comes
   * to.
   *
   * @param into gets a row for each problem and note
   * @throws EbbException USAGE when anything is wrong
   */
  @SuppressWarnings("try") // the demo is there to be closed
  void run(Plan read, VmOptions options, Output output, ResultRecord.Builder into) {
    boolean demo = options.isDemo();
    Plan said = read.withServiceAccount(account(options));
    String ownAccount =
        said.wantsOwnAccount()
            ? AccountSpec.emailOf("check", options.project(read.project()))
            : null;
    Plan plan = said.withOwnAccount(ownAccount);
    String place = demo ? "gs://" + DemoCloud.BUCKET : plan.bucket();
    try (OwnDemo own = OwnDemo.of(options, options.files());
        VmSession session = ProviderOption.standardSession(options, plan.project(), output::note)) {
      PlanCheck check =
          new PlanCheck(
              session,
              new PlanCheck.Wishes(true, bucket == null ? place : bucket, ownAccount, maxCost));
      List<String> problems = check.problems(plan);
      for (String note : check.notes()) {
        output.note(TerminalText.printable("note: " + note));
        into.row(Map.of("kind", "note", "words", note));
      }
      for (String problem : problems) {
        output.note(TerminalText.printable(problem));
        into.row(Map.of("kind", "problem", "words", problem));
      }
      into.figure("problems", problems.size());
      into.figure("vcpus", check.vcpus());
      into.figure("vcpu_hours", check.vcpuHours());
      into.fact("cost", check.cost());
      if (!problems.isEmpty()) {
        output.json(into.build(false, ExitCode.USAGE.value()).toJson());
        throw new EbbException(
            ExitCode.USAGE,
            "the plan does not fit the service: "
                + problems.size()
                + (problems.size() == 1 ? " problem" : " problems")
                + ", see above");
      }
      output.line(
          "the service has all of it: "
              + check.vcpus()
              + " vCPUs, at most "
              + DryRun.hours(check.vcpuHours())
              + " of vCPUs");
      output.line(TerminalText.printable(check.cost()));
    }
  }
}
