package ebb.vm.run;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.vm.Specs;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.FirewallSpec.Allowed;
import ebb.vm.port.RequestId;
import ebb.vm.port.VmSpec;
import ebb.vm.run.RunResources.Machines;
import ebb.vm.run.RunTasks.Turn;
import ebb.vm.startup.StartupSpec.Host;
import ebb.vm.startup.StartupTask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  private static Plan plan(String text) {
    return PlanFile.parse(Path.of("plan.toml"), HEAD + text);
  }

  private static RunResources resources(String text, boolean oneComputer) {
    return new RunResources(
        plan(text),
        Specs.LABELS,
        false,
        new RunResources.Shipped("gs://bkt/r/ebb.jar", "0".repeat(64), "gs://bkt/r/results"),
        new Somewhere(oneComputer));
  }

  private static List<Machines> machines(String text, boolean oneComputer) {
    return resources(text, oneComputer).machines();
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

  private static final String TOGETHER =
      """
      [[task]]
      name = "all"
      together = true
      run = ["storage", "run", "--target", "gs://", "--json"]
      [[task]]
      name = "alone"
      run = ["memory", "--json"]
      """;

  @Test
  void vmsThatMeasureTogetherReachOneAnotherAtAPortOfTheRun() {
    String three = vm("a", "us-central1-a", 3, "");
    FirewallSpec rule = resources(three + TOGETHER, false).rules().get(0);
    assertThat(rule.allowed()).containsExactly(new Allowed("tcp", Set.of(6818)));
    assertThat(rule.sourceTags()).containsExactly("run-1");
    assertThat(rule.sourceRanges()).isEmpty();
    assertThat(resources(three + NET + TOGETHER, false).rules().get(0).allowed())
        .contains(new Allowed("tcp", Set.of(6817, 6818)));
    // Addresses from outside are let in to the servers; VMs know one another by the run's tag.
    String outside =
        three.replace("\n\n", "\nexternal-address = true\n")
            + NET
            + "address = \"external\"\n"
            + TOGETHER;
    assertThat(resources(outside, false).netRules(List.of("198.51.100.7/32")).get(0).sourceTags())
        .containsExactly("run-1");
    assertThat(resources(three + TOGETHER.replace("together = true\n", ""), false).rules())
        .isEmpty();
  }

  @Test
  void vmsThatMeasureTogetherHaveTheirTurnWhenAllHaveDoneTheRest() {
    for (boolean oneComputer : List.of(true, false)) {
      RunTasks tasks =
          new RunTasks(plan(vm("a", "us-central1-a", 2, "") + NET + TOGETHER), oneComputer);
      List<Turn> turns = tasks.turns();
      Turn last = turns.get(turns.size() - 1);
      assertThat(last.name()).isEqualTo("together.all");
      assertThat(last.tasks()).isEqualTo(Map.of("a-1", List.of("all"), "a-2", List.of("all")));
      assertThat(last.words()).isEqualTo("a-1, a-2 measure all together");
      assertThat(turns.subList(0, turns.size() - 1))
          .allSatisfy(
              turn -> assertThat(turn.tasks().values()).noneMatch(of -> of.contains("all")));
    }
  }

  @Test
  void theFirstVmCoordinatesAndTheOthersWaitForIt() {
    Plan plan = plan(vm("a", "us-central1-a", 3, "") + TOGETHER);
    RunTasks tasks = new RunTasks(plan, false);
    List<List<StartupTask>> all =
        plan.vms().stream()
            .map(
                vm ->
                    tasks
                        .spec(
                            vm,
                            "run-1",
                            "gs://bkt/r/ebb.jar",
                            "0".repeat(64),
                            "gs://bkt/r/results",
                            new Somewhere(false))
                        .tasks())
            .toList();
    StartupTask first = all.get(0).get(1);
    assertThat(first.words())
        .startsWith("storage", "run", "--target", "gs://", "--json")
        .contains("a-1=local,a-2=tcp://{a-2.internal}:6818,a-3=tcp://{a-3.internal}:6818")
        .endsWith("--key-file", "{get:clients.key}");
    assertThat(first.after()).containsExactly("turn/together.all");
    StartupTask third = all.get(2).get(1);
    assertThat(third.words())
        .containsExactly(
            "storage",
            "client",
            "--listen",
            "{a-3.internal}:6818",
            "--wait",
            "3m",
            "--key-file",
            "{get:clients.key}");
    assertThat(third.after()).isEqualTo(first.after());
  }
}
