package ebb.vm.run;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.vm.Specs;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import ebb.vm.port.RequestId;
import ebb.vm.port.VmSpec;
import ebb.vm.run.RunResources.Machines;
import ebb.vm.startup.StartupSpec.Host;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run asks for, by how many requests. */
class RunResourcesTest {
  private static final String HEAD =
      """
      name = "many"
      machine-type = "n2-standard-4"
      image = "debian-cloud/debian-12"
      max-run = "1h"

      """;
  private static final String NET = "[net]\nprotocols = [\"tcp\", \"udp\"]\n";

  private record Somewhere(boolean isOneComputer) implements Placement {
    @Override
    public Host host(String vmName) {
      return isOneComputer
          ? new Host.LocalProcess("/home", "127.0.0.1", "127.0.0.1")
          : Host.Machine.STANDARD;
    }

    @Override
    public List<String> bind(String vmName) {
      return List.of();
    }

    @Override
    public Duration pollInterval() {
      return Duration.ofSeconds(1);
    }

    @Override
    public Duration bootTime() {
      return Duration.ofMinutes(1);
    }
  }

  private static List<Machines> machines(String text, boolean oneComputer) {
    Plan plan = PlanFile.parse(Path.of("plan.toml"), HEAD + text);
    return new RunResources(
            plan,
            Specs.LABELS,
            false,
            new RunResources.Shipped("gs://bkt/r/ebb.jar", "0".repeat(64), "gs://bkt/r/results"),
            new Somewhere(oneComputer))
        .machines();
  }

  private static String vm(String name, String zone, int count, String more) {
    return "[[vm]]\nname = \"%s\"\nzone = \"%s\"\ncount = %d\n%s\n"
        .formatted(name, zone, count, more);
  }

  @Test
  void aRequestIsForVmsOfOneZoneThatDifferByTheirNamesOnly() {
    List<Machines> machines =
        machines(
            vm("a", "us-central1-a", 2, "")
                + vm("b", "europe-west1-b", 1, "")
                + vm("c", "us-central1-a", 1, "machine-type = \"n2-standard-16\"")
                + vm("d", "us-central1-a", 1, "")
                + NET,
            false);
    assertThat(machines)
        .extracting(Machines::names)
        .containsExactly(List.of("a-1", "a-2", "d-1"), List.of("b-1"), List.of("c-1"));
    VmSpec first = machines.get(0).specs().get(0);
    assertThat(machines.get(0).specs()).allMatch(one -> one.named("x").equals(first.named("x")));
    assertThat(first.ref().name()).isEqualTo("run-1-a-1");
    // The same whoever goes on with the run; of a VM alone as of one that is made by hand.
    assertThat(machines.get(0).creation())
        .isEqualTo(RequestId.of("run-1", "vms", "a-1,a-2,d-1", 1));
    assertThat(machines.get(1).creation()).isEqualTo(RequestId.of("run-1", "vm", "run-1-b-1", 1));
  }

  @Test
  void processesOfOneComputerAreAskedForOneByOne() {
    assertThat(machines(vm("a", "us-central1-a", 3, "") + NET, true)).hasSize(3);
  }

  @Test
  void asManyAreAskedForTogetherAsOneScriptHasRoomFor() {
    assertThat(machines(vm("a", "us-central1-a", 20, "") + NET, false)).hasSize(1);
    List<Machines> many = machines(vm("a", "us-central1-a", 60, "") + NET, false);
    assertThat(many).hasSizeBetween(2, 16);
    assertThat(many.stream().flatMap(one -> one.names().stream()))
        .hasSize(60)
        .doesNotHaveDuplicates();
    assertThat(many)
        .allSatisfy(
            one ->
                assertThat(one.specs().get(0).startupScript().length())
                    .isLessThanOrEqualTo(VmSpec.MAX_SCRIPT));
  }
}
