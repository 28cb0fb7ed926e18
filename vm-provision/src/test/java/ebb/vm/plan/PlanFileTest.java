package ebb.vm.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.vm.Specs;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmTraits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFileTest {
  private static final String GOOD =
      """
      name = "regions"
      machine-type = "n2-standard-4"
      image = "debian-cloud/debian-12"
      max-run = "2h"

      [[vm]]
      name = "us"
      zone = "us-central1-a"
      count = 3
      boot-disk = { type = "pd-ssd", size-gb = 30 }
      disks = [
        { type = "pd-balanced", size-gb = 100, count = 15 },
        { type = "local-ssd" },
      ]

      [[vm]]
      name = "eu"
      zone = "europe-west1-b"
      machine-type = "n2-standard-96"
      max-run = "30m"
      external-address = false

      [[firewall]]
      name = "bench"
      allow = ["tcp:8080,8081", "udp:8181"]
      from = ["198.51.100.0/24", "run"]
      """;

  @TempDir private Path directory;

  private Plan read(String text) throws Exception {
    return PlanFile.read(Files.writeString(directory.resolve("plan.toml"), text));
  }

  /** Changes the plan and expects an error where {@code pointer} stands in the changed text. */
  private void wrong(String right, String changed, String pointer, String words) throws Exception {
    assertThat(GOOD).contains(right);
    String text = GOOD.replace(right, changed);
    int at = text.indexOf(pointer);
    assertThat(at).isNotNegative();
    int line = (int) text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    int column = at - text.lastIndexOf('\n', at - 1);
    assertThatThrownBy(() -> read(text))
        .isInstanceOfSatisfying(
            EbbException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("plan.toml:" + line + ":" + column + ": ")
        .hasMessageContaining(words);
  }

  @Test
  void aPlanIsReadWithWhatIsSharedAndWhatIsOwn() throws Exception {
    Plan plan = read(GOOD);
    assertThat(plan.name()).isEqualTo("regions");
    assertThat(plan.vms())
        .extracting(PlannedVm::name)
        .containsExactly("us-1", "us-2", "us-3", "eu");
    PlannedVm us = plan.vms().get(0);
    assertThat(us.machineType()).isEqualTo("n2-standard-4");
    assertThat(us.disks()).hasSize(17);
    assertThat(us.disks().get(0))
        .isEqualTo(
            new DiskSpec("pd-ssd", 30, "projects/debian-cloud/global/images/family/debian-12"));
    assertThat(us.disks().get(16).isLocalSsd()).isTrue();
    PlannedVm eu = plan.vms().get(3);
    assertThat(eu.machineType()).isEqualTo("n2-standard-96");
    assertThat(eu.externalAddress()).isFalse();
    assertThat(eu.maxRun()).isEqualTo(Duration.ofMinutes(30));
    // Three VMs of 2 h and one of half an hour.
    assertThat(plan.machineHours()).isEqualTo(6.5);

    VmSpec spec = eu.spec(Specs.LABELS, null);
    assertThat(spec.ref().name()).isEqualTo("run-1-eu");
    assertThat(spec.tags()).containsExactly("run-1");
    PlannedRule rule = plan.rules().get(0);
    assertThat(rule.spec(Specs.LABELS, false).sourceRanges()).containsExactly("198.51.100.0/24");
    assertThat(rule.spec(Specs.LABELS, false).sourceTags()).containsExactly("run-1");
    assertThat(rule.spec(Specs.LABELS, false).targetTags()).containsExactly("run-1");
  }

  @Test
  void unknownKeysAreRefusedWhereTheyStand() throws Exception {
    wrong("name = \"regions\"", "name = \"regions\"\nzome = 1", "zome", "unknown key 'zome'");
    wrong("count = 3", "cuont = 3", "cuont", "[[vm]] has an unknown key 'cuont'");
    wrong("allow =", "alow =", "alow =", "[[firewall]] has an unknown key 'alow'");
    wrong("size-gb = 30", "sizegb = 30", "sizegb", "'boot-disk' has an unknown key 'sizegb'");
    wrong("size-gb = 100", "gb = 100", "gb = 100", "[[disks]] has an unknown key 'gb'");
  }

  @Test
  void wrongTypesAndValuesAreRefusedWhereTheyStand() throws Exception {
    wrong("count = 3", "count = \"3\"", "count", "'count' has to be a whole number");
    wrong("count = 3", "count = 0", "count", "'count' has to be 1 to 1000, not 0");
    wrong("zone = \"us-central1-a\"", "zone = 1", "zone = 1", "a text in quotes");
    wrong("= false", "= \"no\"", "external-address", "true or false");
    wrong("\"2h\"", "\"2 lightyears\"", "max-run = \"2 l", "'max-run': ");
    wrong("debian-cloud/debian-12", "debian-8", "image =", "PROJECT/FAMILY");
    wrong("\"tcp:8080,8081\"", "\"tcp\"", "allow", "'tcp' is not such as \"tcp:8080\"");
    wrong("\"tcp:8080,8081\"", "\"tcp:70000\"", "allow", "no port: 70000");
    wrong("\"198.51.100.0/24\"", "\"198.51.100.0/240\"", "from =", "no address range");
    wrong("\"198.51.100.0/24\", \"run\"", "", "from =", "from where");
  }

  @Test
  void namesThatComeTwiceAreRefusedWithTheFirstOnesLine() throws Exception {
    wrong("name = \"eu\"", "name = \"us-2\"", "name = \"us-2\"", "a VM 'us-2' already, in line 7");
    wrong(
        "[[firewall]]",
        "[[firewall]]\nname = \"bench\"\nallow = [\"tcp:1\"]\nfrom = [\"run\"]\n[[firewall]]",
        "name = \"bench\"\nallow = [\"tcp:8080",
        "a rule 'bench' already");
  }

  @Test
  void whatIsMissingIsSaidWhereItsTableBegins() throws Exception {
    wrong("zone = \"us-central1-a\"\n", "", "[[vm]]", "[[vm]] has no 'zone'");
    wrong("max-run = \"2h\"\n", "", "[[vm]]", "no 'max-run'");
    wrong("machine-type = \"n2-standard-4\"\n", "", "[[vm]]", "no 'machine-type'");
    wrong("image = \"debian-cloud/debian-12\"\n", "", "[[vm]]", "no 'image'");
  }

  @Test
  void namesThatTheServiceWouldRefuseAreRefused() throws Exception {
    wrong("\"eu\"", "\"EU\"", "name = \"EU\"", "begin with a letter");
    wrong("\"europe-west1-b\"", "\"Europe\"", "[[vm]]\nname = \"eu\"", "zone 'Europe'");
    // 7 characters of the plan, 7 of the run's number, a dash, and 40.
    read(GOOD.replace("\"eu\"", "\"" + "e".repeat(40) + "\""));
    String longName = "p".repeat(30);
    assertThatThrownBy(
            () ->
                read(
                    GOOD.replace("\"regions\"", "\"" + longName + "\"")
                        .replace("\"eu\"", "\"" + "e".repeat(40) + "\"")))
        .hasMessageContaining("1 to 63");
  }

  @Test
  void theWorldIsLetInOnlyByAWordOnTheCommandLine() throws Exception {
    Plan plan = read(GOOD.replace("198.51.100.0/24", "0.0.0.0/0"));
    PlannedRule rule = plan.rules().get(0);
    assertThatThrownBy(() -> rule.spec(Specs.LABELS, false))
        .hasMessageContaining("plan.toml:26:1: ")
        .hasMessageContaining("--open-to-the-world");
    assertThat(rule.spec(Specs.LABELS, true).sourceRanges()).containsExactly("0.0.0.0/0");
  }

  @Test
  void whatAVmHasBesideIsReadAndIsForAllOrForOne() throws Exception {
    String traits =
        """
        nic = "gvnic"
        tier1 = true
        subnetwork = "inner"
        shielded-vm = true
        service-account = "ebb-vm@my-project.iam.gserviceaccount.com"
        """;
    Plan plan =
        read(
            GOOD.replace("max-run = \"2h\"\n", "max-run = \"2h\"\n" + traits)
                .replace(
                    "external-address = false", "spot = true\nnic = \"virtio\"\ntier1 = false"));
    assertThat(plan.vms().get(0).traits())
        .isEqualTo(new VmTraits("inner", false, true, true, null, true, null));
    assertThat(plan.vms().get(3).traits())
        .isEqualTo(new VmTraits("inner", true, false, false, null, true, null));
    assertThat(plan.vms()).allMatch(vm -> !vm.externalAddress());
    assertThat(plan.vms().get(3).place("spot").line())
        .isEqualTo(plan.vms().get(3).place("nic").line() - 1);
    wrong(
        "max-run = \"2h\"", "max-run = \"2h\"\nnic = \"wifi\"", "nic =", "\"gvnic\" or \"virtio\"");
    wrong(
        "max-run = \"2h\"",
        "max-run = \"2h\"\nservice-account = \"me\"",
        "service-account",
        "'me' is no account");
  }

  @Test
  void disksHaveNamesThatTasksUse() throws Exception {
    String disks =
        """
        { name = "data", type = "pd-ssd", size-gb = 500 },
          { type = "pd-balanced", count = 2, format = "xfs" },
          { type = "local-ssd", count = 4, raid0 = true },
        """;
    String text = GOOD.replaceAll("(?s)disks = \\[.*?]", "disks = [\n" + disks + "]");
    assertThat(read(text).vms().get(0).volumes())
        .containsExactly(
            new PlannedVolume("data", List.of(1), PlannedVolume.Format.EXT4),
            new PlannedVolume("data-1", List.of(2), PlannedVolume.Format.XFS),
            new PlannedVolume("data-2", List.of(3), PlannedVolume.Format.XFS),
            new PlannedVolume("ssd", List.of(4, 5, 6, 7), PlannedVolume.Format.EXT4));
    assertThat(read(text).vms().get(0).disks().get(1).device()).isEqualTo("data");
    String task = "\n[[task]]\nname = \"t\"\nrun = [\"disk\", \"{disk:%s}\"]\non = [\"us-1\"]\n";
    assertThat(read(text + String.format(Locale.ROOT, task, "ssd")).tasks()).hasSize(1);
    assertThatThrownBy(() -> read(text + String.format(Locale.ROOT, task, "ssd-1")))
        .hasMessageContaining("us-1 has no disk 'ssd-1'; it has data, data-1, data-2, ssd");
    wrong("count = 15", "count = 15, format = \"ntfs\"", "format", "\"ext4\", \"xfs\" or \"raw\"");
    wrong("\"local-ssd\"", "\"local-ssd\", raid0 = true", "raid0", "'count' is 1");
    wrong(
        "\"local-ssd\"",
        "\"local-ssd\", name = \"data-3\"",
        "name = \"data-3\"",
        "a disk 'data-3' already");
  }

  @Test
  void whatIsNoTomlIsSaidWhereItStops() throws Exception {
    wrong("count = 3", "count = ", "\nboot-disk", "");
    assertThatThrownBy(() -> PlanFile.read(directory.resolve("none.toml")))
        .hasMessageContaining("none.toml': no such file");
    assertThatThrownBy(() -> read("name = \"a\"\n")).hasMessageContaining(":1:1: ");
    assertThat(List.of(Plan.runId("a", 0), Plan.runId("a", 0xabcdef)))
        .containsExactly("a-000000", "a-abcdef");
  }
}
