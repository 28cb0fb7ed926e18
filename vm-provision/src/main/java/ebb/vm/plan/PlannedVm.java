package ebb.vm.plan;

import ebb.core.toml.TomlPlace;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmTraits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A VM of a plan.
 *
 * @param name within the plan
 * @param volumes what of its disks tasks see, and how
 * @param places where the plan says the keys that it has
 */
public record PlannedVm(
    String name,
    String zone,
    String machineType,
    List<DiskSpec> disks,
    List<PlannedVolume> volumes,
    String network,
    boolean externalAddress,
    Duration maxRun,
    @Nullable String serviceAccount,
    VmTraits traits,
    Places places) {
  public PlannedVm {
    disks = List.copyOf(disks);
    volumes = List.copyOf(volumes);
  }

  /**
   * Where a plan says what.
   *
   * @param table where the VM begins
   * @param keys places of keys, of the VM's own or of those for all
   */
  public record Places(TomlPlace table, Map<String, TomlPlace> keys) {
    public Places {
      keys = Map.copyOf(keys);
    }
  }

  /** Where a key stands; where the VM begins when the plan does not have it. */
  public TomlPlace place(String key) {
    return places.keys.getOrDefault(key, places.table);
  }

  /** The same with another account, unless the plan says one. */
  PlannedVm withServiceAccount(String account) {
    return serviceAccount == null ? as(account) : this;
  }

  /** The same as the account that a run makes, if it is to be that. */
  PlannedVm withOwnAccount(String account) {
    return Plan.OWN_ACCOUNT.equals(serviceAccount) ? as(account) : this;
  }

  private PlannedVm as(String account) {
    return new PlannedVm(
        name,
        zone,
        machineType,
        disks,
        volumes,
        network,
        externalAddress,
        maxRun,
        account,
        traits,
        places);
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
        traits,
        labels);
  }
}
