package ebb.vm.run;

import ebb.vm.plan.NetPart;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedRule;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.FirewallSpec.Allowed;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmSpec;
import ebb.vm.startup.StartupScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a run of a plan asks a provider to make: each VM with its start-up script, and rules. It
 * asks nobody, so that it can be shown before anything is asked.
 */
public final class RunResources {
  /** The rule that lets the VMs of a run measure one another. */
  private static final String NET_RULE = "ebb-net";

  private final Plan plan;
  private final RunLabels labels;
  private final boolean openToTheWorld;
  private final Shipped shipped;
  private final Placement placement;
  private final RunTasks tasks;

  /**
   * Where VMs find the jar, and keep results.
   *
   * @param jarSha256 of the jar, in lower-case hexadecimal digits
   */
  public record Shipped(String jar, String jarSha256, String results) {}

  public RunResources(
      Plan plan, RunLabels labels, boolean openToTheWorld, Shipped shipped, Placement placement) {
    this.plan = plan;
    this.labels = labels;
    this.openToTheWorld = openToTheWorld;
    this.shipped = shipped;
    this.placement = placement;
    tasks = new RunTasks(plan, placement.isOneComputer());
  }

  /** A VM, with the script that makes it do its part. */
  public VmSpec vm(PlannedVm vm) {
    return vm.spec(
        labels,
        StartupScript.text(
            tasks.spec(
                vm,
                labels.runId(),
                shipped.jar(),
                shipped.jarSha256(),
                shipped.results(),
                placement)));
  }

  /** The request that makes it; the same whoever goes on with the run. */
  public static RequestId creation(VmSpec vm) {
    return RequestId.of(vm.labels().runId(), "vm", vm.ref().name(), 1);
  }

  /** The request that deletes it. */
  public static RequestId deletion(VmSpec vm) {
    return RequestId.of(vm.labels().runId(), "unvm", vm.ref().name(), 1);
  }

  /** The request that makes a rule. */
  public static RequestId creation(String runId, String rule) {
    return RequestId.of(runId, "firewall", rule, 1);
  }

  /** The request that deletes it. */
  public static RequestId deletion(String runId, String rule) {
    return RequestId.of(runId, "unfirewall", rule, 1);
  }

  private boolean isReached(String kind) {
    return plan.tasks().stream().anyMatch(task -> task.reaches(kind));
  }

  /** Whether the run's own rule has to know the VMs' addresses. */
  public boolean netRulesNeedAddresses() {
    NetPart net = plan.net();
    return net != null && (net.external() || isReached("external"));
  }

  /** The plan's rules, and the run's own unless it has to know addresses. */
  public List<FirewallSpec> rules() {
    List<FirewallSpec> rules = new ArrayList<>();
    for (PlannedRule rule : plan.rules()) {
      rules.add(rule.spec(labels, openToTheWorld));
    }
    if (!netRulesNeedAddresses()) {
      rules.addAll(netRules(List.of()));
    }
    return rules;
  }

  /**
   * The run's own rules, one for each network.
   *
   * @param ranges of external addresses from where they let in; empty for none. The VMs' internal
   *     addresses are let in, too, unless only external ones are measured by
   */
  public List<FirewallSpec> netRules(List<String> ranges) {
    List<FirewallSpec> rules = new ArrayList<>();
    NetPart net = plan.net();
    if (net == null) {
      return rules;
    }
    Set<String> tag = Set.of(labels.runId());
    boolean inside = net.internal() || isReached("internal");
    Set<Integer> udp =
        net.protocols().contains("udp") ? Set.of(net.port(), net.port() + 1) : Set.of(net.port());
    for (String network :
        plan.vms().stream().map(PlannedVm::network).distinct().sorted().toList()) {
      rules.add(
          new FirewallSpec(
              labels.runId() + "-" + (network.equals("default") ? "" : network + "-") + NET_RULE,
              network,
              List.of(new Allowed("tcp", Set.of(net.port())), new Allowed("udp", udp)),
              ranges,
              ranges.isEmpty() || inside ? tag : Set.of(),
              tag,
              false,
              labels));
    }
    return rules;
  }
}
