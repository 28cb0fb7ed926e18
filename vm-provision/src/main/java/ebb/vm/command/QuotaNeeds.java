package ebb.vm.command;

import ebb.vm.plan.PlannedVm;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.MachineType;
import ebb.vm.port.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What VMs come to in the metrics of the service's quotas, for a region or for a project. How much
 * of each there is, and which there are, the service says; a metric that it does not list is not
 * checked.
 */
final class QuotaNeeds {
  /** "The CPUS quota" is that of these families; each other one has its own, such as N2_CPUS. */
  private static final Set<String> SHARED_FAMILIES = Set.of("E2", "N1", "F1", "G1");

  private static final String CPUS = "CPUS";

  /** "Each Local SSD disk is 375 GiB in size." */
  private static final int LOCAL_SSD_GB = 375;

  private final Map<String, Long> needs = new TreeMap<>();
  private final Map<String, Long> cpusByFamily = new TreeMap<>();

  /** Adds a VM to what its region has to have. */
  void addRegional(PlannedVm vm, MachineType type) {
    need("INSTANCES", 1);
    if (vm.externalAddress()) {
      need("IN_USE_ADDRESSES", 1);
    }
    cpusByFamily.merge(family(type.name()), (long) type.vcpus(), Long::sum);
    for (DiskSpec disk : vm.disks()) {
      if (disk.isLocalSsd()) {
        need("LOCAL_SSD_TOTAL_GB", disk.sizeGb() == 0 ? LOCAL_SSD_GB : disk.sizeGb());
      } else {
        // A size of 0 is the image's, which is not known here: the sum is too small, never too big.
        need(disk.type().equals("pd-standard") ? "DISKS_TOTAL_GB" : "SSD_TOTAL_GB", disk.sizeGb());
      }
    }
  }

  /** Adds to what a project has to have. */
  void need(String metric, long amount) {
    needs.merge(metric, amount, Long::sum);
  }

  private static String family(String machineType) {
    int dash = machineType.indexOf('-');
    return (dash < 0 ? machineType : machineType.substring(0, dash)).toUpperCase(Locale.ROOT);
  }

  /** What there is too little of, one line each, without its place. */
  List<String> problems(List<Quota> quotas) {
    Map<String, Quota> known = new TreeMap<>();
    quotas.forEach(quota -> known.put(quota.metric(), quota));
    Map<String, Long> all = new TreeMap<>(needs);
    cpusByFamily.forEach(
        (family, cpus) -> {
          String own = family + "_" + CPUS;
          boolean shared = SHARED_FAMILIES.contains(family) || !known.containsKey(own);
          all.merge(shared ? CPUS : own, cpus, Long::sum);
        });
    List<String> problems = new ArrayList<>();
    all.forEach(
        (metric, wanted) -> {
          Quota quota = known.get(metric);
          if (quota != null && wanted > quota.left()) {
            problems.add(
                "the plan wants "
                    + wanted
                    + " "
                    + metric
                    + ", and of "
                    + (long) quota.limit()
                    + " there are "
                    + (long) quota.left()
                    + " left");
          }
        });
    return problems;
  }
}
