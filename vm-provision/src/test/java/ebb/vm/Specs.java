package ebb.vm;

import ebb.vm.port.DiskSpec;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.FirewallSpec.Allowed;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** What tests ask for. */
public final class Specs {
  public static final String ZONE = "us-central1-a";
  public static final String RUN = "run-1";
  public static final RunLabels LABELS =
      new RunLabels("tester", RUN, Instant.parse("2026-06-01T12:00:00Z"));
  public static final DiskSpec BOOT =
      new DiskSpec("pd-balanced", 20, DiskSpec.image("debian-cloud/debian-12"));

  private Specs() {}

  public static VmSpec vm(String name) {
    return vm(name, ZONE, "n2-standard-4", List.of(BOOT));
  }

  public static VmSpec vm(String name, String zone, String type, List<DiskSpec> disks) {
    return new VmSpec(
        new VmRef(zone, name),
        type,
        disks,
        "default",
        true,
        Set.of("ebb-run-1"),
        Duration.ofHours(1),
        "#!/bin/sh\necho hello\n",
        null,
        LABELS);
  }

  public static FirewallSpec firewall(String name) {
    return new FirewallSpec(
        name,
        "default",
        List.of(new Allowed("tcp", Set.of(8080)), new Allowed("udp", Set.of(8181))),
        List.of("198.51.100.7/32"),
        Set.of(),
        Set.of("ebb-run-1"),
        false,
        LABELS);
  }

  /** The same VM, as a run with these labels left it. */
  public static VmSpec left(VmSpec vm, RunLabels labels) {
    return new VmSpec(
        vm.ref(),
        vm.machineType(),
        vm.disks(),
        vm.network(),
        true,
        vm.tags(),
        Duration.ofDays(100),
        null,
        null,
        labels);
  }

  /** The same rule, as a run with these labels left it. */
  public static FirewallSpec left(FirewallSpec rule, RunLabels labels) {
    return new FirewallSpec(
        rule.name(),
        rule.network(),
        rule.allowed(),
        rule.sourceRanges(),
        rule.sourceTags(),
        rule.targetTags(),
        false,
        labels);
  }
}
