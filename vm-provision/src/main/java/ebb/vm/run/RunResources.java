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
import ebb.vm.startup.StartupSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a plan asks a provider to make: each VM with its start-up script, and rules. It
 * asks nobody, so that it can be shown before anything is asked.
 */
public final class RunResources {
  /** The rule that lets the VMs of a run measure one another. */
  private static final String NET_RULE = "ebb-net";

  /** As many as Google's own tools ask for by one request. */
  private static final int MOST_TOGETHER = 1_000;

  private final Plan plan;
  private final RunLabels labels;
  private final boolean openToTheWorld;
  private final Shipped shipped;
  private final Placement placement;
  private final RunTasks tasks;
  private final boolean measures;

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
    measures = plan.net() != null || !plan.tasks().isEmpty();
  }

  /**
   * VMs that one request makes: in one zone, and different by their names only.
   *
   * @param names within the plan
   * @param specs in the order of the names
   */
  public record Machines(List<String> names, List<VmSpec> specs) {
    public Machines {
      names = List.copyOf(names);
      specs = List.copyOf(specs);
    }

    /** The request that makes them; the same whoever goes on with the run. */
    public RequestId creation() {
      String run = specs.get(0).labels().runId();
      return specs.size() == 1
          ? RunResources.creation(specs.get(0))
          : RequestId.of(run, "vms", String.join(",", names), 1);
    }
  }

  /**
   * All VMs, with the scripts that make them do their parts: as few requests as the service can
   * have, for what VMs are given by one request is the same for all of them.
   */
  public List<Machines> machines() {
    Map<VmSpec, List<PlannedVm>> alike = new LinkedHashMap<>();
    for (PlannedVm vm : plan.vms()) {
      VmSpec spec = vm.spec(labels, null);
      // Processes of one computer have addresses of their own in their scripts.
      VmSpec kind = placement.isOneComputer() ? spec : spec.named("any");
      alike.computeIfAbsent(kind, any -> new ArrayList<>()).add(vm);
    }
    List<Machines> machines = new ArrayList<>();
    alike.values().forEach(vms -> split(vms, machines));
    return machines;
  }

  private void split(List<PlannedVm> vms, List<Machines> machines) {
    String script = script(vms);
    if (vms.size() > 1 && (vms.size() > MOST_TOGETHER || script.length() > VmSpec.MAX_SCRIPT)) {
      split(vms.subList(0, vms.size() / 2), machines);
      split(vms.subList(vms.size() / 2, vms.size()), machines);
      return;
    }
    machines.add(
        new Machines(
            vms.stream().map(PlannedVm::name).toList(),
            vms.stream().map(vm -> vm.spec(labels, measures ? script : null)).toList()));
  }

  private String script(List<PlannedVm> vms) {
    if (!measures) {
      return "";
    }
    Map<String, StartupSpec> parts = new LinkedHashMap<>();
    for (PlannedVm vm : vms) {
      parts.put(
          vm.spec(labels, null).ref().name(),
          tasks.spec(
              vm,
              labels.runId(),
              shipped.jar(),
              shipped.jarSha256(),
              shipped.results(),
              placement));
    }
    return parts.size() == 1
        ? StartupScript.text(parts.values().iterator().next())
        : StartupScript.text(parts);
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
    Set<String> tag = Set.of(labels.runId());
    boolean inside = net == null || net.internal() || isReached("internal") || tasks.anyTogether();
    for (String network : plan.networksWithOwnRule()) {
      rules.add(
          new FirewallSpec(
              labels.runId() + "-" + (network.equals("default") ? "" : network + "-") + NET_RULE,
              network,
              allowed(net),
              ranges,
              ranges.isEmpty() || inside ? tag : Set.of(),
              tag,
              false,
              labels));
    }
    return rules;
  }

  /** What the servers of {@code [net]} listen at, and who waits to measure together with others. */
  private List<Allowed> allowed(@Nullable NetPart net) {
    Set<Integer> tcp = new TreeSet<>();
    if (tasks.anyTogether()) {
      tcp.add(RunTasks.clientPort(net));
    }
    if (net == null) {
      return List.of(new Allowed("tcp", tcp));
    }
    tcp.add(net.port());
    Set<Integer> udp =
        net.protocols().contains("udp") ? Set.of(net.port(), net.port() + 1) : Set.of(net.port());
    return List.of(new Allowed("tcp", tcp), new Allowed("udp", udp));
  }
}
