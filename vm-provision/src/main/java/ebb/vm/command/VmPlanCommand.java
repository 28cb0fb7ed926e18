package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.vm.gce.RequestPreview;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import ebb.vm.plan.PlannedRule;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb vm plan}. It owns what is shown of a plan; nothing is made. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Read a plan and say what it comes to. Nothing is made. With --check the service is asked",
      "whether it has the zones, machine types and CPUs; with --dry-run each request that would be",
      "sent is printed as JSON."
    })
public final class VmPlanCommand implements EbbCommand {
  /** Rules and disks can be found and removed by anybody so long after the last VM has gone. */
  private static final Duration GRACE = Duration.ofHours(1);

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

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Plan plan = PlanFile.read(file);
    RunLabels labels = labels(plan);
    List<VmSpec> vms = new ArrayList<>();
    plan.vms().forEach(vm -> vms.add(vm.spec(labels, null)));
    List<FirewallSpec> rules = new ArrayList<>();
    for (PlannedRule rule : plan.rules()) {
      rules.add(rule.spec(labels, openToTheWorld));
    }
    Output output = Output.standard(dryRun);
    show(plan, output);
    if (check) {
      check(plan, output);
    }
    if (dryRun) {
      RequestPreview preview =
          new RequestPreview(options.project(plan.project()), options.endpoint);
      rules.forEach(
          rule -> preview.add(rule, RequestId.of(labels.runId(), "firewall", rule.name(), 1)));
      vms.forEach(vm -> preview.add(vm, RequestId.of(labels.runId(), "vm", vm.ref().name(), 1)));
      output.json(preview.toJson());
    }
    return ExitCode.DONE.value();
  }

  private static RunLabels labels(Plan plan) {
    Duration longest =
        plan.vms().stream().map(PlannedVm::maxRun).max(Duration::compareTo).orElse(GRACE);
    return new RunLabels(
        Owner.name(), Plan.runId(plan.name(), 0), Instant.now().plus(longest).plus(GRACE));
  }

  private static void show(Plan plan, Output output) {
    for (PlannedVm vm : plan.vms()) {
      output.line(
          TerminalText.printable(
              String.format(
                  Locale.ROOT,
                  "VM    %-20s %-20s %-18s %d disks, at most %s",
                  vm.name(),
                  vm.zone(),
                  vm.machineType(),
                  vm.disks().size(),
                  hours(vm.maxRun().toSeconds() / 3_600.0))));
    }
    for (PlannedRule rule : plan.rules()) {
      List<String> open = new ArrayList<>();
      rule.allowed().forEach(one -> open.add(one.protocol() + ":" + new TreeSet<>(one.ports())));
      output.line(
          TerminalText.printable(
              String.format(
                  Locale.ROOT,
                  "rule  %-20s %s from %s%s",
                  rule.name(),
                  String.join(" ", open),
                  rule.fromRun() ? "the run's VMs " : "",
                  String.join(" ", rule.fromRanges()))));
    }
    output.line(
        plan.vms().size() + " VMs, at most " + hours(plan.machineHours()) + " of machines in all");
  }

  private static String hours(double hours) {
    return String.format(Locale.ROOT, "%.2f h", hours);
  }

  private void check(Plan plan, Output output) {
    try (VmSession session = VmSession.start(options.compute(plan.project()), output::note)) {
      PlanCheck check = new PlanCheck(session);
      List<String> problems = check.problems(plan);
      problems.forEach(problem -> output.note(TerminalText.printable(problem)));
      if (!problems.isEmpty()) {
        throw new EbbException(
            ExitCode.USAGE,
            "the plan does not fit the service: " + problems.size() + " problems, see above");
      }
      output.line(
          "the service has all of it: "
              + check.vcpus()
              + " vCPUs, at most "
              + hours(check.vcpuHours())
              + " of vCPUs");
    }
  }
}
