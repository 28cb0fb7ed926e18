package ebb.vm.gce;

import com.google.api.services.compute.model.AccessConfig;
import com.google.api.services.compute.model.AttachedDisk;
import com.google.api.services.compute.model.AttachedDiskInitializeParams;
import com.google.api.services.compute.model.BulkInsertInstanceResource;
import com.google.api.services.compute.model.BulkInsertInstanceResourcePerInstanceProperties;
import com.google.api.services.compute.model.Duration;
import com.google.api.services.compute.model.Firewall;
import com.google.api.services.compute.model.Instance;
import com.google.api.services.compute.model.InstanceProperties;
import com.google.api.services.compute.model.Metadata;
import com.google.api.services.compute.model.NetworkInterface;
import com.google.api.services.compute.model.NetworkPerformanceConfig;
import com.google.api.services.compute.model.Scheduling;
import com.google.api.services.compute.model.ServiceAccount;
import com.google.api.services.compute.model.ShieldedInstanceConfig;
import com.google.api.services.compute.model.Tags;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.RequestId;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmTraits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The bodies of requests, made without a connection, so that they can be shown before any is. */
final class ComputeRequests {
  /** By which a creation recognises what an earlier attempt of it has made. */
  static final String REQUEST = "ebb-request";

  private ComputeRequests() {}

  static Instance instance(VmSpec spec, RequestId requestId) {
    String zone = spec.ref().zone();
    Map<String, String> labels = new LinkedHashMap<>(spec.labels().asMap());
    labels.put(REQUEST, requestId.toString());
    NetworkInterface network =
        new NetworkInterface().setNetwork("global/networks/" + spec.network());
    VmTraits traits = spec.traits();
    if (traits.subnetwork() != null) {
      network.setSubnetwork("regions/" + regionOf(zone) + "/subnetworks/" + traits.subnetwork());
    }
    if (traits.gvnic()) {
      network.setNicType("GVNIC");
    }
    if (spec.externalAddress()) {
      network.setAccessConfigs(
          List.of(new AccessConfig().setType("ONE_TO_ONE_NAT").setName("External NAT")));
    }
    Instance instance =
        new Instance()
            .setName(spec.ref().name())
            .setMachineType("zones/" + zone + "/machineTypes/" + spec.machineType())
            .setDisks(disks(spec))
            .setNetworkInterfaces(List.of(network))
            .setLabels(labels)
            .setMetadata(metadata(spec))
            .setScheduling(scheduling(spec));
    add(traits, zone, instance);
    if (!spec.tags().isEmpty()) {
      instance.setTags(new Tags().setItems(List.copyOf(new TreeSet<>(spec.tags()))));
    }
    if (spec.serviceAccount() != null) {
      instance.setServiceAccounts(
          List.of(
              new ServiceAccount()
                  .setEmail(spec.serviceAccount())
                  .setScopes(List.of("https://www.googleapis.com/auth/cloud-platform"))));
    }
    return instance;
  }

  /**
   * VMs that differ by their names only. Properties of several name machine and disk types and
   * policies, where those of one have their paths.
   */
  static BulkInsertInstanceResource together(List<VmSpec> specs, RequestId requestId) {
    VmSpec first = specs.get(0);
    Instance one = instance(first, requestId);
    one.getDisks().forEach(disk -> nameTypeOf(disk.getInitializeParams()));
    InstanceProperties properties =
        new InstanceProperties()
            .setMachineType(first.machineType())
            .setDisks(one.getDisks())
            .setNetworkInterfaces(one.getNetworkInterfaces())
            .setLabels(one.getLabels())
            .setMetadata(one.getMetadata())
            .setScheduling(one.getScheduling())
            .setNetworkPerformanceConfig(one.getNetworkPerformanceConfig())
            .setShieldedInstanceConfig(one.getShieldedInstanceConfig())
            .setMinCpuPlatform(one.getMinCpuPlatform())
            .setTags(one.getTags())
            .setServiceAccounts(one.getServiceAccounts());
    if (first.traits().placement() != null) {
      properties.setResourcePolicies(List.of(first.traits().placement()));
    }
    Map<String, BulkInsertInstanceResourcePerInstanceProperties> names = new LinkedHashMap<>();
    specs.forEach(
        spec ->
            names.put(spec.ref().name(), new BulkInsertInstanceResourcePerInstanceProperties()));
    // Half of them measure nothing: the service takes back what it has made when one cannot be.
    long count = specs.size();
    return new BulkInsertInstanceResource()
        .setCount(count)
        .setMinCount(count)
        .setPerInstanceProperties(names)
        .setInstanceProperties(properties);
  }

  private static void nameTypeOf(AttachedDiskInitializeParams params) {
    String type = params.getDiskType();
    params.setDiskType(type.substring(type.lastIndexOf('/') + 1));
  }

  private static Scheduling scheduling(VmSpec spec) {
    Scheduling scheduling =
        new Scheduling()
            .setMaxRunDuration(new Duration().setSeconds(spec.maxRun().toSeconds()))
            .setInstanceTerminationAction("DELETE");
    if (spec.traits().spot()) {
      // A machine that is taken away does not come back: what it had measured is in the store.
      scheduling
          .setProvisioningModel("SPOT")
          .setAutomaticRestart(false)
          .setOnHostMaintenance("TERMINATE");
    }
    return scheduling;
  }

  private static void add(VmTraits traits, String zone, Instance instance) {
    if (traits.tier1()) {
      instance.setNetworkPerformanceConfig(
          new NetworkPerformanceConfig().setTotalEgressBandwidthTier("TIER_1"));
    }
    if (traits.placement() != null) {
      instance.setResourcePolicies(
          List.of("regions/" + regionOf(zone) + "/resourcePolicies/" + traits.placement()));
    }
    if (traits.shielded()) {
      instance.setShieldedInstanceConfig(
          new ShieldedInstanceConfig()
              .setEnableSecureBoot(true)
              .setEnableVtpm(true)
              .setEnableIntegrityMonitoring(true));
    }
    if (traits.minCpuPlatform() != null) {
      instance.setMinCpuPlatform(traits.minCpuPlatform());
    }
  }

  private static String regionOf(String zone) {
    int end = zone.lastIndexOf('-');
    return end < 0 ? zone : zone.substring(0, end);
  }

  private static List<AttachedDisk> disks(VmSpec spec) {
    List<AttachedDisk> disks = new ArrayList<>();
    for (int i = 0; i < spec.disks().size(); i++) {
      DiskSpec disk = spec.disks().get(i);
      String type = "zones/" + spec.ref().zone() + "/diskTypes/" + disk.type();
      AttachedDiskInitializeParams params = new AttachedDiskInitializeParams().setDiskType(type);
      if (disk.sizeGb() > 0) {
        params.setDiskSizeGb((long) disk.sizeGb());
      }
      if (disk.image() != null) {
        params.setSourceImage(disk.image());
      }
      AttachedDisk attached =
          new AttachedDisk().setBoot(i == 0).setAutoDelete(true).setInitializeParams(params);
      if (disk.isLocalSsd()) {
        attached.setType("SCRATCH").setInterface("NVME");
      } else {
        attached.setType("PERSISTENT");
        params.setLabels(spec.labels().asMap());
        if (disk.device() != null) {
          attached.setDeviceName(disk.device());
        }
      }
      disks.add(attached);
    }
    return disks;
  }

  private static Metadata metadata(VmSpec spec) {
    List<Metadata.Items> items = new ArrayList<>();
    // Who may log in is the project's access list, not keys that lie about in metadata.
    items.add(new Metadata.Items().setKey("enable-oslogin").setValue("TRUE"));
    if (spec.startupScript() != null) {
      items.add(new Metadata.Items().setKey("startup-script").setValue(spec.startupScript()));
    }
    return new Metadata().setItems(items);
  }

  static Firewall firewall(FirewallSpec spec, RequestId requestId) {
    List<Firewall.Allowed> allowed = new ArrayList<>();
    for (FirewallSpec.Allowed one : spec.allowed()) {
      allowed.add(
          new Firewall.Allowed()
              .setIPProtocol(one.protocol())
              .setPorts(one.sortedPorts().stream().map(String::valueOf).toList()));
    }
    Firewall firewall =
        new Firewall()
            .setName(spec.name())
            // Rules have no labels.
            .setDescription(spec.labels().asLine() + ";" + REQUEST + "=" + requestId)
            .setNetwork("global/networks/" + spec.network())
            .setDirection("INGRESS")
            .setAllowed(allowed)
            .setTargetTags(List.copyOf(new TreeSet<>(spec.targetTags())));
    if (!spec.sourceRanges().isEmpty()) {
      firewall.setSourceRanges(spec.sourceRanges());
    }
    if (!spec.sourceTags().isEmpty()) {
      firewall.setSourceTags(List.copyOf(new TreeSet<>(spec.sourceTags())));
    }
    return firewall;
  }
}
