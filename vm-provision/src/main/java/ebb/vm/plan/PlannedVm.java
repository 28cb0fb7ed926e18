package ebb.vm.plan;

import ebb.core.toml.TomlPlace;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A VM of a plan.
 *
 * @param name within the plan
 * @param zonePlace where the plan says the zone
 * @param typePlace where the plan says the machine type
 */
public record PlannedVm(
    String name,
    String zone,
    TomlPlace zonePlace,
    String machineType,
    TomlPlace typePlace,
    List<DiskSpec> disks,
    String network,
    boolean externalAddress,
    Duration maxRun,
    @Nullable String serviceAccount) {
  public PlannedVm {
    disks = List.copyOf(disks);
  }

  /** The VM of a run: named after it, and with a tag that the run's rules aim at. */
  public VmSpec spec(RunLabels labels, @Nullable String startupScript) {
    return new VmSpec(
        new VmRef(zone, labels.runId() + "-" + name),
        machineType,
        disks,
        network,
        externalAddress,
        Set.of(labels.runId()),
        maxRun,
        startupScript,
        serviceAccount,
        labels);
  }
}
