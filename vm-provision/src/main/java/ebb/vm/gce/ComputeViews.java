package ebb.vm.gce;

import com.google.api.services.compute.model.AccessConfig;
import com.google.api.services.compute.model.AttachedDisk;
import com.google.api.services.compute.model.Instance;
import com.google.api.services.compute.model.NetworkInterface;
import ebb.vm.port.Disk;
import ebb.vm.port.Firewall;
import ebb.vm.port.Quota;
import ebb.vm.port.RunLabels;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmState;
import ebb.vm.port.Zone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the service answers, as values of the port. Every field may be missing. */
final class ComputeViews {
  private ComputeViews() {}

  static Vm vm(Instance instance) {
    List<String> disks = new ArrayList<>();
    for (AttachedDisk disk : orEmpty(instance.getDisks())) {
      disks.add(lastOf(disk.getSource() == null ? disk.getDeviceName() : disk.getSource()));
    }
    String internal = null;
    String external = null;
    List<NetworkInterface> networks = orEmpty(instance.getNetworkInterfaces());
    if (!networks.isEmpty()) {
      internal = networks.get(0).getNetworkIP();
      List<AccessConfig> access = orEmpty(networks.get(0).getAccessConfigs());
      external = access.isEmpty() ? null : access.get(0).getNatIP();
    }
    return new Vm(
        new VmRef(lastOf(instance.getZone()), String.valueOf(instance.getName())),
        state(instance.getStatus()),
        lastOf(instance.getMachineType()),
        internal,
        external,
        disks,
        RunLabels.of(orEmpty(instance.getLabels())).orElse(null));
  }

  private static VmState state(@Nullable String status) {
    return switch (String.valueOf(status)) {
      case "PROVISIONING", "STAGING" -> VmState.STARTING;
      case "RUNNING" -> VmState.RUNNING;
      case "STOPPING", "SUSPENDING", "PENDING_STOP", "DEPROVISIONING" -> VmState.STOPPING;
      case "STOPPED", "TERMINATED", "SUSPENDED" -> VmState.STOPPED;
      default -> VmState.OTHER;
    };
  }

  static Disk disk(com.google.api.services.compute.model.Disk disk) {
    return new Disk(
        lastOf(disk.getZone()),
        String.valueOf(disk.getName()),
        lastOf(disk.getType()),
        disk.getSizeGb() == null ? 0 : disk.getSizeGb(),
        orEmpty(disk.getUsers()).stream().map(ComputeViews::lastOf).toList(),
        RunLabels.of(orEmpty(disk.getLabels())).orElse(null));
  }

  static Firewall firewall(com.google.api.services.compute.model.Firewall rule) {
    List<String> allowed = new ArrayList<>();
    for (var one : orEmpty(rule.getAllowed())) {
      List<String> ports = orEmpty(one.getPorts());
      allowed.add(one.getIPProtocol() + (ports.isEmpty() ? "" : ":" + String.join(",", ports)));
    }
    return new Firewall(
        String.valueOf(rule.getName()),
        lastOf(rule.getNetwork()),
        allowed,
        orEmpty(rule.getSourceRanges()),
        orEmpty(rule.getSourceTags()),
        orEmpty(rule.getTargetTags()),
        rule.getDescription() == null
            ? null
            : RunLabels.ofLine(rule.getDescription()).orElse(null));
  }

  static Zone zone(com.google.api.services.compute.model.Zone zone) {
    return new Zone(
        String.valueOf(zone.getName()), lastOf(zone.getRegion()), "UP".equals(zone.getStatus()));
  }

  static List<Quota> quotas(@Nullable List<com.google.api.services.compute.model.Quota> quotas) {
    return orEmpty(quotas).stream()
        .map(
            quota ->
                new Quota(
                    String.valueOf(quota.getMetric()),
                    quota.getLimit() == null ? 0 : quota.getLimit(),
                    quota.getUsage() == null ? 0 : quota.getUsage()))
        .toList();
  }

  /** The name at the end of a resource's URL. */
  static String lastOf(@Nullable String url) {
    return url == null ? "" : url.substring(url.lastIndexOf('/') + 1);
  }

  static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  static <K, V> Map<K, V> orEmpty(@Nullable Map<K, V> map) {
    return map == null ? Map.of() : map;
  }
}
