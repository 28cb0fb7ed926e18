package ebb.vm.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.text.OneLine;
import ebb.vm.gce.RequestPreview;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedRule;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.Objection;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmSpec;
import ebb.vm.rules.MachineRules;
import ebb.vm.run.RunResources;
import ebb.vm.run.RunResources.Shipped;
import ebb.vm.run.RunStores;
import ebb.vm.run.ShippedJar;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a plan would make and delete, for people and as the requests of Compute Engine, of
 * which none is sent. It owns what stands for what only a run knows.
 */
final class DryRun {
  private static final String SOME_PROJECT = "your-project";
  private static final String SOME_BUCKET = "gs://your-bucket";

  /** For documentation (RFC 5737), in place of addresses that VMs will have. */
  private static final String SOME_ADDRESS = "192.0.2.";

  private static final String SOME_DEMO = "http://127.0.0.1";

  private static final int MOST_ADDRESSES = 254;

  private final Plan plan;
  private final boolean openToTheWorld;
  private final RunLabels labels;
  private final Output output;

  DryRun(Plan plan, boolean openToTheWorld, Output output) {
    this.plan = plan;
    this.openToTheWorld = openToTheWorld;
    this.output = output;
    labels = plan.labels(Owner.name(), Plan.runId(plan.name(), 0), Instant.now());
  }

  /** Says what the plan comes to, a line for each VM and rule; nothing, if something is wrong. */
  void show() {
    plan.rules().forEach(rule -> rule.spec(labels, openToTheWorld));
    for (PlannedVm vm : plan.vms()) {
      checkRules(vm);
      int disks = vm.spec(labels, null).disks().size();
      line(
          "VM    %-20s %-20s %-18s %d %s, at most %s",
          vm.name(),
          vm.zone(),
          vm.machineType(),
          disks,
          disks == 1 ? "disk" : "disks",
          hours(vm.maxRun().toSeconds() / 3_600.0));
    }
    for (PlannedRule rule : plan.rules()) {
      List<String> open = new ArrayList<>();
      rule.allowed().forEach(one -> open.add(one.protocol() + ":" + new TreeSet<>(one.ports())));
      line(
          "rule  %-20s %s from %s%s",
          rule.name(),
          String.join(" ", open),
          rule.fromRun() ? "the run's VMs " : "",
          String.join(" ", rule.fromRanges()));
    }
    int count = plan.vms().size();
    line(
        "%d %s, at most %s of machines in all",
        count, count == 1 ? "VM" : "VMs", hours(plan.machineHours()));
    if (measures() && plan.vms().stream().anyMatch(vm -> vm.serviceAccount() == null)) {
      note(
          "in a cloud a run needs 'service-account', in the plan or --service-account EMAIL or own");
    }
  }

  private boolean measures() {
    return plan.net() != null || !plan.tasks().isEmpty();
  }

  /** What is known without asking; what cannot be is asked before a run. */
  private void checkRules(PlannedVm vm) {
    OptionalInt vcpus = MachineRules.vcpusOf(vm.machineType());
    if (vcpus.isPresent()) {
      VmSpec spec = vm.spec(labels, null);
      for (Objection one : MachineRules.standard().objections(0, spec, vcpus.getAsInt())) {
        if (one.fatal()) {
          throw vm.place(one.key()).wrong(one.words());
        }
      }
    }
  }

  private void line(String format, Object... words) {
    output.line(TerminalText.printable(String.format(Locale.ROOT, format, words)));
  }

  static String hours(double hours) {
    return String.format(Locale.ROOT, "%.2f h", hours);
  }

  private void note(String text) {
    output.note(TerminalText.printable("ebb: " + text));
  }

  /**
   * Prints the requests as JSON, and what in them stands for something else.
   *
   * @param bucket null for the plan's
   * @param jar null for the one that this process runs from
   */
  void requests(VmOptions options, @Nullable String bucket, @Nullable Path jar) {
    String project = options.projectIfNamed(plan.project());
    if (project == null) {
      project = SOME_PROJECT;
      note(SOME_PROJECT + " stands for the project that --project names");
    }
    String service = options.service(SOME_DEMO);
    if (SOME_DEMO.equals(service)) {
      note(SOME_DEMO + " stands for the demo cloud, which is not served now");
    }
    RequestPreview preview = new RequestPreview(project, service);
    AccountSpec account =
        plan.wantsOwnAccount()
            ? new AccountSpec(
                AccountSpec.emailOf(labels.runId(), project), labels, bucketName(bucket))
            : null;
    if (account != null) {
      preview.add(account);
    }
    Plan known = plan.withOwnAccount(account == null ? null : account.email());
    RunResources resources =
        new RunResources(
            known,
            labels,
            openToTheWorld,
            measures() ? shipped(bucket, jar) : new Shipped("", "", ""),
            new CloudPlacement(Duration.ZERO, Duration.ZERO));
    List<FirewallSpec> rules = new ArrayList<>(resources.rules());
    List<VmSpec> vms = new ArrayList<>();
    rules.forEach(rule -> preview.add(rule, RunResources.creation(labels.runId(), rule.name())));
    for (RunResources.Machines machines : resources.machines()) {
      vms.addAll(machines.specs());
      if (machines.specs().size() == 1) {
        preview.add(machines.specs().get(0), machines.creation());
      } else {
        preview.add(machines.specs(), machines.creation());
      }
    }
    if (resources.netRulesNeedAddresses()) {
      List<String> ranges = new ArrayList<>();
      for (int i = 1; i <= Math.min(MOST_ADDRESSES, vms.size()); i++) {
        ranges.add(SOME_ADDRESS + i + "/32");
      }
      note(SOME_ADDRESS + "... stands for the VMs' external addresses");
      for (FirewallSpec rule : resources.netRules(ranges)) {
        preview.add(rule, RunResources.creation(labels.runId(), rule.name()));
        rules.add(rule);
      }
    }
    vms.forEach(vm -> preview.delete(vm, RunResources.deletion(vm)));
    rules.forEach(rule -> preview.delete(rule, RunResources.deletion(labels.runId(), rule.name())));
    if (account != null) {
      preview.delete(account);
      note("the bucket's policy is read and set so that the account may use its objects, and back");
    }
    output.json(preview.toJson());
  }

  private @Nullable String bucketName(@Nullable String named) {
    String bucket = named == null ? plan.bucket() : named;
    return (bucket == null ? SOME_BUCKET : bucket).replaceFirst("^gs://", "");
  }

  private Shipped shipped(@Nullable String named, @Nullable Path jar) {
    String bucket = named == null ? plan.bucket() : named;
    if (bucket == null) {
      bucket = SOME_BUCKET;
      note(SOME_BUCKET + " stands for the bucket that --bucket names");
    }
    try {
      String sum = ShippedJar.sha256(jar == null ? ShippedJar.find(Path.of(""), false) : jar);
      return RunStores.inBucket(bucket, labels.runId(), sum);
    } catch (IOException e) {
      throw new EbbException(ExitCode.USAGE, "cannot read " + jar + ": " + OneLine.of(e), e);
    } catch (EbbException e) {
      if (jar != null || e.exitCode() != ExitCode.USAGE) {
        throw e;
      }
      note("the jar's SHA-256 is left out: this program does not run from ebb.jar");
      return RunStores.inBucket(bucket, labels.runId(), "0".repeat(64));
    }
  }
}
