package ebb.vm.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.toml.TomlPlace;
import ebb.vm.plan.PlanFile;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.MachineType;
import ebb.vm.port.Quota;
import ebb.vm.port.VmTraits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuotaNeedsTest {
  private static final TomlPlace PLACE = new TomlPlace(Path.of("plan.toml"), 1, 1);

  private static PlannedVm vm(String type, boolean external, DiskSpec... more) {
    List<DiskSpec> disks = new ArrayList<>();
    disks.add(new DiskSpec("pd-balanced", 20, DiskSpec.image("debian-cloud/debian-12")));
    Collections.addAll(disks, more);
    return new PlannedVm(
        "a",
        "us-central1-a",
        type,
        disks,
        List.of(),
        "default",
        external,
        Duration.ofHours(1),
        null,
        VmTraits.PLAIN,
        new PlannedVm.Places(PLACE, Map.of()));
  }

  private static MachineType type(String name, int cpus) {
    return new MachineType(name, cpus, 1_024, 128);
  }

  private static Quota none(String metric) {
    return new Quota(metric, 1_000, 1_000);
  }

  @Test
  void cpusCountForTheQuotaOfTheirFamilyWhereThereIsOne() {
    QuotaNeeds needs = new QuotaNeeds();
    needs.addRegional(vm("n2-standard-4", false), type("n2-standard-4", 4));
    needs.addRegional(vm("c2-standard-8", false), type("c2-standard-8", 8));
    needs.addRegional(vm("e2-small", false), type("e2-small", 2));
    needs.addRegional(vm("x9-standard-16", false), type("x9-standard-16", 16));
    assertThat(
            needs.problems(
                List.of(none("CPUS"), none("N2_CPUS"), none("C2_CPUS"), none("E2_CPUS"))))
        .containsExactly(
            "the plan wants 8 C2_CPUS, and of 1000 there are 0 left",
            // 2 of E2 and 16 of a family without a quota of its own.
            "the plan wants 18 CPUS, and of 1000 there are 0 left",
            "the plan wants 4 N2_CPUS, and of 1000 there are 0 left");
  }

  @Test
  void disksAddressesAndMachinesAreCounted() {
    QuotaNeeds needs = new QuotaNeeds();
    needs.addRegional(
        vm(
            "n2-standard-4",
            true,
            new DiskSpec("pd-ssd", 100, null),
            new DiskSpec("pd-standard", 500, null),
            new DiskSpec(DiskSpec.LOCAL_SSD, 0, null),
            new DiskSpec(DiskSpec.LOCAL_SSD, 0, null)),
        type("n2-standard-4", 4));
    needs.addRegional(vm("n2-standard-4", false), type("n2-standard-4", 4));
    assertThat(
            needs.problems(
                List.of(
                    none("INSTANCES"),
                    none("IN_USE_ADDRESSES"),
                    none("SSD_TOTAL_GB"),
                    none("DISKS_TOTAL_GB"),
                    none("LOCAL_SSD_TOTAL_GB"))))
        .containsExactly(
            "the plan wants 500 DISKS_TOTAL_GB, and of 1000 there are 0 left",
            "the plan wants 2 INSTANCES, and of 1000 there are 0 left",
            "the plan wants 1 IN_USE_ADDRESSES, and of 1000 there are 0 left",
            "the plan wants 750 LOCAL_SSD_TOTAL_GB, and of 1000 there are 0 left",
            "the plan wants 140 SSD_TOTAL_GB, and of 1000 there are 0 left");
  }

  /** Two networks in which VMs measure: a rule in each, beside the plan's. */
  @Test
  void rulesOfTheRunsOwnAreWanted() {
    String vms =
        """
        name = "p"
        machine-type = "e2-small"
        image = "debian-cloud/debian-12"
        max-run = "1h"
        [[vm]]
        name = "a"
        zone = "us-central1-a"
        [[vm]]
        name = "b"
        zone = "us-central1-a"
        network = "other"
        """;
    Path file = Path.of("plan.toml");
    assertThat(PlanFile.parse(file, vms).networksWithOwnRule()).isEmpty();
    assertThat(PlanFile.parse(file, vms + "[net]\nprotocols = [\"tcp\"]\n").networksWithOwnRule())
        .containsExactly("default", "other");
  }

  @Test
  void whatFitsOrIsNotListedIsNoProblem() {
    QuotaNeeds needs = new QuotaNeeds();
    needs.addRegional(vm("n2-standard-4", true), type("n2-standard-4", 4));
    assertThat(needs.problems(List.of(new Quota("N2_CPUS", 8, 4)))).isEmpty();
    assertThat(needs.problems(List.of(new Quota("N2_CPUS", 8, 5))))
        .containsExactly("the plan wants 4 N2_CPUS, and of 8 there are 3 left");
  }
}
