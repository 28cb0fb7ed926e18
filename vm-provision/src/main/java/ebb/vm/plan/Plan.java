package ebb.vm.plan;

import ebb.vm.port.RunLabels;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * VMs that are made together, and who may reach them.
 *
 * @param name what runs of it are named after
 * @param project null for the environment's
 * @param bucket where jar and results go, such as {@code gs://BUCKET}; null when it is not said
 * @param net what the VMs measure to one another; null for nothing
 * @param tasks what else they do
 * @param links what lies between them on one machine
 */
public record Plan(
    String name,
    @Nullable String project,
    List<PlannedVm> vms,
    List<PlannedRule> rules,
    @Nullable String bucket,
    @Nullable NetPart net,
    List<PlannedTask> tasks,
    List<PlannedLink> links) {
  /** In place of a service account: one that the run makes for its VMs, and removes. */
  public static final String OWN_ACCOUNT = "own";

  /** Rules and disks can be found and removed by anybody so long after the last VM has gone. */
  private static final Duration GRACE = Duration.ofHours(1);

  public Plan {
    vms = List.copyOf(vms);
    rules = List.copyOf(rules);
    tasks = List.copyOf(tasks);
    links = List.copyOf(links);
  }

  /** What a run of a plan is called; {@code number} tells it from others. */
  public static String runId(String plan, int number) {
    return String.format(Locale.ROOT, "%s-%06x", plan, number & 0xff_ff_ff);
  }

  /** What marks all that a run of this plan makes, which begins at {@code now}. */
  public RunLabels labels(String owner, String runId, Instant now) {
    Duration longest = vms.stream().map(PlannedVm::maxRun).max(Duration::compareTo).orElse(GRACE);
    return new RunLabels(owner, runId, now.plus(longest).plus(GRACE));
  }

  /** The same whose VMs act as an account, unless the plan says another for them. */
  public Plan withServiceAccount(@Nullable String account) {
    return account == null
        ? this
        : withVms(vms.stream().map(vm -> vm.withServiceAccount(account)).toList());
  }

  /** Whether a run of it makes an account for any VM. */
  public boolean wantsOwnAccount() {
    return vms.stream().anyMatch(vm -> OWN_ACCOUNT.equals(vm.serviceAccount()));
  }

  /** The same whose VMs act as the account that the run makes, where they are to. */
  public Plan withOwnAccount(@Nullable String account) {
    return account == null
        ? this
        : withVms(vms.stream().map(vm -> vm.withOwnAccount(account)).toList());
  }

  private Plan withVms(List<PlannedVm> others) {
    return new Plan(name, project, others, rules, bucket, net, tasks, links);
  }

  private Plan withTasks(@Nullable NetPart paths, UnaryOperator<PlannedTask> change) {
    List<PlannedTask> others = tasks.stream().map(change).toList();
    return new Plan(name, project, vms, rules, bucket, paths, others, links);
  }

  /** The same with each measurement as short as it can be; its figures say nothing of speed. */
  public Plan small() {
    return withTasks(net == null ? null : SmallPlan.of(net), SmallPlan::of);
  }

  /** The networks in which a run makes a rule of its own, for what its VMs measure together. */
  public List<String> networksWithOwnRule() {
    boolean none = net == null && tasks.stream().noneMatch(PlannedTask::together);
    return none ? List.of() : vms.stream().map(PlannedVm::network).distinct().sorted().toList();
  }

  /** Whether any task measures buckets of the cloud. */
  public boolean measuresBuckets() {
    return tasks.stream().anyMatch(PlannedTask::measuresBucket);
  }

  /** The same whose tasks measure a demo store each, in place of buckets of the cloud. */
  public Plan onDemoStores() {
    return withTasks(net, PlannedTask::onDemoStore);
  }

  /** What the VMs come to when all of them run for as long as they may. */
  public double machineHours() {
    return vms.stream().map(PlannedVm::maxRun).mapToDouble(Duration::toSeconds).sum() / 3_600;
  }
}
