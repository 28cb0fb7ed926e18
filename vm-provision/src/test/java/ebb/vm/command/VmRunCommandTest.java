package ebb.vm.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.core.result.ResultRecord;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.Fault;
import ebb.vm.demo.TestClock;
import ebb.vm.gce.ComputeEngineProvider;
import ebb.vm.gce.ComputeOptions;
import ebb.vm.port.AccountSpec;
import ebb.vm.provider.Provider;
import ebb.vm.run.RunFiles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code ebb vm run} on the fake Compute Engine; the VMs' own doings are played by {@link Fleet}.
 */
class VmRunCommandTest {
  private static final String PLAN =
      """
      name = "small"
      machine-type = "n2-standard-4"
      image = "debian-cloud/debian-12"
      max-run = "1h"
      external-address = true
      service-account = "own"

      [[vm]]
      name = "a"
      zone = "us-central1-a"
      count = %d

      [net]
      protocols = ["tcp"]
      time = "1s"
      """;

  @TempDir private Path directory;

  private final TestClock clock = new TestClock();
  private DemoCompute fake;
  private Path state;

  /** The process dies here, as far as a test can have that. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  @BeforeEach
  void start() throws Exception {
    fake = DemoCompute.start(clock);
    state = directory.resolve("state");
  }

  @AfterEach
  void stop() {
    fake.close();
    assertThat(fake.ownMistakes()).isEmpty();
  }

  private Path plan(int vms) throws Exception {
    return Files.writeString(directory.resolve("plan.toml"), String.format(Locale.ROOT, PLAN, vms));
  }

  private VmRunCommand command() {
    VmRunCommand command = new VmRunCommand();
    command.pollInterval = Duration.ofMillis(5);
    return command;
  }

  private Ended run(VmRunCommand command, String... words) {
    List<String> all = new ArrayList<>(List.of("vm", "run"));
    all.addAll(List.of(words));
    all.addAll(List.of("--project", DemoCompute.PROJECT, "--endpoint", fake.url()));
    all.addAll(List.of("--service-account", DemoCompute.ACCOUNT));
    all.addAll(List.of("--state-dir", state.toString()));
    return CommandRunner.run(command, all.toArray(String[]::new));
  }

  /** The words of a run that begins; where no VM answers, it tells that in two minutes. */
  private String[] beginning(int vms) throws Exception {
    return beginning(vms, "2m");
  }

  private String[] beginning(int vms, String bootTimeout) throws Exception {
    Path jar = Files.writeString(directory.resolve("ebb.jar"), "not really");
    return new String[] {
      plan(vms).toString(),
      "--bucket",
      "file:",
      "--jar",
      jar.toString(),
      "--out",
      directory.resolve("out").toString(),
      "--boot-timeout",
      bootTimeout
    };
  }

  private Fleet fleet(int vms, String... silent) {
    return new Fleet(state, Fleet.numbered("a", vms), Set.of(silent));
  }

  private String runId() {
    List<String> ids = new RunFiles(state).runIds();
    assertThat(ids).hasSize(1);
    return ids.get(0);
  }

  private void assertNothingIsLeft() {
    assertThat(fake.instanceCount()).as("VMs").isZero();
    assertThat(fake.diskCount()).as("disks").isZero();
    assertThat(fake.firewallCount()).as("rules").isZero();
    assertThat(fake.accounts()).as("service accounts").isEmpty();
    assertThat(state.resolve("local").resolve("store").resolve(runId())).doesNotExist();
  }

  private ResultRecord report() throws Exception {
    return ResultRecord.fromJson(Files.readString(directory.resolve("out").resolve("report.json")));
  }

  @Test
  void aPlanEndsInAReportAndNothingIsLeft() throws Exception {
    try (Fleet played = fleet(3)) {
      Ended ended = run(command(), beginning(3));
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(played).isNotNull();
    }
    assertNothingIsLeft();
    ResultRecord report = report();
    assertThat(report.complete()).isTrue();
    // Three VMs have six ordered pairs.
    assertThat(report.rows()).hasSize(6);
    assertThat(report.rows()).allMatch(row -> row.get("failure") == null);
    assertThat(directory.resolve("out").resolve("report.html"))
        .content()
        .contains("12.0 Mbit/s", "complete")
        .contains("default-src 'none'");
    // Nobody but the run's own VMs was let in, and to the two protocols of one port only.
    assertThat(fake.bodies().stream().filter(body -> body.contains("\"allowed\"")).toList())
        .singleElement()
        .asString()
        .contains("\"sourceTags\"", "\"6817\"")
        .doesNotContain("sourceRanges", "0.0.0.0");
    // One request made all of them, as the account that the run had made.
    assertThat(fake.bodies().stream().filter(body -> body.contains("\"machineType\"")).toList())
        .singleElement()
        .asString()
        .contains("\"count\":\"3\"", AccountSpec.emailOf(runId(), DemoCompute.PROJECT));
    assertThat(fake.seen()).contains("instances.bulkInsert").doesNotContain("instances.insert");
  }

  @Test
  void externalAddressesAreLetInOneByOne() throws Exception {
    String[] words = beginning(2);
    Files.writeString(
        Path.of(words[0]), Files.readString(Path.of(words[0])) + "address = \"external\"\n");
    try (Fleet played = fleet(2)) {
      assertThat(run(command(), words).code()).isZero();
      assertThat(played).isNotNull();
    }
    assertThat(fake.bodies().stream().filter(body -> body.contains("\"allowed\"")).toList())
        .singleElement()
        .asString()
        .containsPattern(
            "\"sourceRanges\":\\[\"203\\.0\\.113\\.\\d+/32\",\"203\\.0\\.113\\.\\d+/32\"]")
        .doesNotContain("sourceTags");
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PLANNED",
        "CHECKED",
        "SHIPPED",
        "creating",
        "made",
        "CREATED",
        "OPENED",
        "measuring",
        "MEASURED",
        "COLLECTED",
        "deleting",
        "gone",
        "DELETED",
        "REPORTED"
      })
  void aRunThatDiedGoesOnToItsReport(String point) throws Exception {
    try (Fleet played = fleet(2)) {
      dieAt(point, beginning(2));
      Ended ended = run(command(), "--resume", runId());
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(played).isNotNull();
    }
    assertNothingIsLeft();
    assertThat(report().complete()).isTrue();
    assertThat(report().rows()).hasSize(2);
    // Each VM was made once: the rule and the VMs, one by one and together, and their ends.
    assertThat(fake.operationCount()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"PLANNED", "SHIPPED", "made", "CREATED", "measuring", "COLLECTED", "gone"})
  void whatADeadRunHasLeftCanBeRemoved(String point) throws Exception {
    try (Fleet played = fleet(2)) {
      dieAt(point, beginning(2));
      assertThat(played).isNotNull();
    }
    String run = runId();
    List<String> words = new ArrayList<>(List.of("vm", "gc", "--run", run, "--yes"));
    words.addAll(List.of("--project", DemoCompute.PROJECT, "--endpoint", fake.url()));
    words.addAll(List.of("--state-dir", state.toString()));
    Ended gc = CommandRunner.run(new VmGcCommand(), words.toArray(String[]::new));
    assertThat(gc.code()).as(gc.err()).isZero();
    assertNothingIsLeft();
    // It is not begun again by mistake.
    int operations = fake.operationCount();
    assertThat(run(command(), "--resume", run).err()).contains("is over");
    assertThat(fake.operationCount()).isEqualTo(operations);
  }

  private void dieAt(String point, String... words) {
    VmRunCommand command = command();
    command.hook =
        reached -> {
          if (reached.equals(point)) {
            throw new Killed();
          }
        };
    assertThat(catchThrowable(() -> run(command, words))).isInstanceOf(Killed.class);
  }

  @Test
  void aVmThatNeverAnswersIsMarkedAndItsConsoleShown() throws Exception {
    VmRunCommand command = command();
    command.hook =
        point -> {
          if (point.equals("OPENED")) {
            fake.serial("us-central1-a", runId() + "-a-2", "Kernel panic - not syncing\n");
          }
        };
    String[] words = beginning(3, "300ms");
    try (Fleet played = fleet(3, "a-2")) {
      Ended ended = run(command, words);
      assertThat(ended.code()).as(ended.err()).isEqualTo(5);
      assertThat(ended.err()).contains("VM a-2: it did not answer within");
      assertThat(played).isNotNull();
    }
    assertNothingIsLeft();
    assertThat(report().complete()).isFalse();
    assertThat(report().exitCode()).isEqualTo(5);
    assertThat(directory.resolve("out").resolve("report.html"))
        .content()
        .contains("This run is incomplete", "Kernel panic - not syncing");
  }

  @Test
  void aVmThatCannotBeMadeEndsTheRunAndTheOthers() throws Exception {
    fake.fail(
        "instances.bulkInsert",
        new Fault.OperationFails("ZONE_RESOURCE_POOL_EXHAUSTED", "The zone is out of them.", 503));
    Ended ended = run(command(), beginning(3));
    assertThat(ended.code()).as(ended.err()).isEqualTo(4);
    assertThat(ended.lastError())
        .contains(
            "VMs a-1 to a-3: ", "-a-3: ZONE_RESOURCE_POOL_EXHAUSTED: The zone is out of them.")
        .contains("2 had been made, of which the service has deleted 2");
    assertNothingIsLeft();
  }

  @Test
  void vmsOfOtherZonesAreMadeByRequestsOfTheirOwnSideBySide() throws Exception {
    String[] words = beginning(2);
    Path file = Path.of(words[0]);
    Files.writeString(
        file, Files.readString(file) + "[[vm]]\nname = \"b\"\nzone = \"europe-west1-b\"\n");
    List<String> names = new ArrayList<>(Fleet.numbered("a", 2));
    names.add("b");
    try (Fleet played = new Fleet(state, names, Set.of())) {
      Ended ended = run(command(), words);
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err()).contains("3 VMs are made by 2 requests, and a rule");
      assertThat(played).isNotNull();
    }
    assertThat(fake.seen()).containsOnlyOnce("instances.bulkInsert", "instances.insert");
    assertNothingIsLeft();
  }

  @Test
  void whatIsMadeWhileNobodyWaitsIsDeletedToo() throws Exception {
    VmRunCommand command = command();
    command.hook =
        point -> {
          if (point.equals("creating")) {
            // As Ctrl-C is answered: the request is under way, and nobody waits for it.
            fake.fail("zoneOperations.wait", Fault.refused(400, "invalid", "cut off"));
          }
        };
    Ended ended = run(command, beginning(3));
    assertThat(ended.lastError()).contains("cut off");
    assertThat(fake.seen()).contains("zoneOperations.list");
    assertNothingIsLeft();
  }

  @Test
  void aPlanThatDoesNotFitMakesNothingAndLeavesNoState() throws Exception {
    String[] words = beginning(2);
    Path file = Path.of(words[0]);
    Files.writeString(file, Files.readString(file).replace("us-central1-a", "mars-north1-a"));
    Ended ended = run(command(), words);
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).contains("plan.toml:10:1: there is no zone 'mars-north1-a'");
    assertThat(fake.operationCount()).isZero();
    assertThat(new RunFiles(state).runIds()).isEmpty();
  }

  @Test
  void aPlanThatMayCostTooMuchIsRefused() throws Exception {
    List<String> words = new ArrayList<>(List.of(beginning(3)));
    words.addAll(List.of("--max-machine-hours", "2"));
    Ended ended = run(command(), words.toArray(String[]::new));
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).contains("3.0 machine-hours, more than --max-machine-hours 2.0");
    assertThat(fake.seen()).isEmpty();
  }

  @Test
  void twentyVmsAreMadeTogetherAndDeletedSideBySide() throws Exception {
    // The request for the VMs and the rule, and then 20 and the rule: nothing goes on before all
    // of them are under way.
    CyclicBarrier making = new CyclicBarrier(2);
    CyclicBarrier deleting = new CyclicBarrier(21);
    VmRunCommand command = command();
    command.wrap =
        provider ->
            inStep(
                Map.of(
                    "createAll",
                    making,
                    "createFirewall",
                    making,
                    "delete",
                    deleting,
                    "deleteFirewall",
                    deleting));
    try (Fleet played = fleet(20)) {
      Ended ended = run(command, beginning(20));
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(played).isNotNull();
    }
    assertNothingIsLeft();
    // Two operations of 5 s each; one after the other it would have been 210 s.
    assertThat(clock.nowMicros()).isEqualTo(10_000_000);
  }

  /** The provider on the test's clock; what changes something waits for the others. */
  private Provider inStep(Map<String, CyclicBarrier> parties) {
    Provider real;
    try {
      real =
          new ComputeEngineProvider(
              ComputeOptions.standard(DemoCompute.PROJECT, fake.url()).withPause(clock));
    } catch (RequestFailedException e) {
      throw new IllegalStateException(e);
    }
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> {
              CyclicBarrier party = parties.get(method.getName());
              if (party != null) {
                clock.enter();
                await(party);
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                if (party != null) {
                  clock.leave();
                }
              }
            });
  }

  private static void await(CyclicBarrier together) throws RequestFailedException {
    try {
      together.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new RequestFailedException(FailureKind.INTERNAL, "they are not under way together", e);
    }
  }
}
