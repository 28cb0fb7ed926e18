package ebb.vm.plan;

import ebb.core.text.OneLine;
import ebb.core.toml.TomlPlace;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.FirewallSpec.Allowed;
import ebb.vm.port.RunLabels;
import java.util.List;
import java.util.Set;

/**
 * A firewall rule of a plan, to its own VMs.
 *
 * @param fromRun whether the run's own VMs are let in
 */
public record PlannedRule(
    String name,
    TomlPlace place,
    String network,
    List<Allowed> allowed,
    List<String> fromRanges,
    boolean fromRun) {
  public PlannedRule {
    allowed = List.copyOf(allowed);
    fromRanges = List.copyOf(fromRanges);
  }

  /** The rule of a run. */
  public FirewallSpec spec(RunLabels labels, boolean openToTheWorld) {
    Set<String> tag = Set.of(labels.runId());
    try {
      return new FirewallSpec(
          labels.runId() + "-" + name,
          network,
          allowed,
          fromRanges,
          fromRun ? tag : Set.of(),
          tag,
          openToTheWorld,
          labels);
    } catch (IllegalArgumentException e) {
      throw place.wrong(OneLine.of(e));
    }
  }
}
