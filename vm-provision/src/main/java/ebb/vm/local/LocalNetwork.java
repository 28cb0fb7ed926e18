package ebb.vm.local;

import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedLink;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.RunLabels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the machines of a run are on this one, and what lies between them.
 *
 * @param namespaces whether each is a network namespace; if not, they share loopback, and links are
 *     not applied
 * @param addresses by the VM's full name
 * @param links between zones
 */
public record LocalNetwork(
    boolean namespaces, Map<String, String> addresses, List<PlannedLink> links) {
  private static final int MAX_VMS = 250;

  public LocalNetwork {
    addresses = Map.copyOf(addresses);
    links = List.copyOf(links);
  }

  /** For commands that look at machines, and make none. */
  public static LocalNetwork none() {
    return new LocalNetwork(false, Map.of(), List.of());
  }

  /**
   * The same for the same run, whoever asks. On loopback, runs have addresses of their own, for
   * they share its ports.
   */
  public static LocalNetwork of(Plan plan, RunLabels labels, boolean namespaces) {
    if (plan.vms().size() > MAX_VMS) {
      throw new IllegalArgumentException("at most " + MAX_VMS + " VMs on one machine");
    }
    Map<String, String> addresses = new LinkedHashMap<>();
    int hash = labels.runId().hashCode();
    String network =
        namespaces ? "10.77.0." : "127." + (64 + (hash & 127)) + "." + (hash >> 8 & 255) + ".";
    int number = 1;
    for (PlannedVm vm : plan.vms()) {
      addresses.put(vm.spec(labels, null).ref().name(), network + number++);
    }
    return new LocalNetwork(namespaces, addresses, plan.links());
  }
}
