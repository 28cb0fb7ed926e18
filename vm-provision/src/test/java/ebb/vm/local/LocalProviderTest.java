package ebb.vm.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.attempts.RequestFailedException;
import ebb.core.time.SleepClock;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import ebb.vm.Specs;
import ebb.vm.plan.PlannedLink;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import ebb.vm.provider.ProviderCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, and real network namespaces where there can be any. */
class LocalProviderTest {
  private static final String OTHER_ZONE = "europe-west1-b";

  @TempDir private Path root;

  private static ProviderCall call() {
    return ProviderCall.plain(SleepClock.system());
  }

  private LocalProvider provider(boolean namespaces, PlannedLink... links) {
    String network = namespaces ? "10.77.0." : "127.93.7.";
    return new LocalProvider(
        root,
        new LocalNetwork(
            namespaces, Map.of("one", network + 1, "two", network + 2), List.of(links)));
  }

  private static VmSpec spec(String name, String zone, String script) {
    return new VmSpec(
        new VmRef(zone, name),
        "n2-standard-2",
        List.of(new DiskSpec("pd-balanced", 0, DiskSpec.image("debian-cloud/debian-12"))),
        "default",
        true,
        Set.of("run-1"),
        Duration.ofMinutes(5),
        script,
        null,
        Specs.LABELS);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static String serial(LocalProvider provider, VmRef ref) {
    try {
      return provider.serialTail(ref, 1_000, call());
    } catch (RequestFailedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theScriptIsRunAndEndsWithItsMachineAndAllThatItStarted() throws Exception {
    LocalProvider provider = provider(false);
    VmSpec spec = spec("one", Specs.ZONE, "echo hello\nsetsid sleep 600 &\nsleep 600\n");
    Vm made = provider.create(spec, RequestId.fresh(), call());
    assertThat(made.state()).isEqualTo(VmState.RUNNING);
    assertThat(made.internalAddress()).isEqualTo("127.93.7.1");
    await(() -> serial(provider, spec.ref()).contains("hello"));
    String token = LocalVm.read(root.resolve("machines").resolve("one")).token();
    // The supervisor, its sleep, the script, its sleep, and the one in a session of its own.
    await(() -> TokenProcesses.find(token).size() >= 5);
    assertThat(provider.list(Specs.RUN, call())).singleElement().isEqualTo(made);
    assertThat(provider.list("other", call())).isEmpty();
    provider.delete(spec.ref(), RequestId.fresh(), call());
    assertThat(TokenProcesses.find(token)).isEmpty();
    assertThat(provider.list(null, call())).isEmpty();
    assertThat(root.resolve("machines")).isEmptyDirectory();
    assertThatThrownBy(() -> provider.describe(spec.ref(), call()))
        .hasMessageContaining("there is no VM one");
  }

  @Test
  void aRequestThatIsSentAgainMakesNoSecondMachine() throws Exception {
    LocalProvider provider = provider(false);
    VmSpec spec = spec("one", Specs.ZONE, "echo started\nsleep 600\n");
    RequestId id = RequestId.fresh();
    Vm first = provider.create(spec, id, call());
    String token = LocalVm.read(root.resolve("machines").resolve("one")).token();
    assertThat(provider.create(spec, id, call())).isEqualTo(first);
    assertThat(LocalVm.read(root.resolve("machines").resolve("one")).token()).isEqualTo(token);
    assertThatThrownBy(() -> provider.create(spec, RequestId.fresh(), call()))
        .hasMessageContaining("there is a VM 'one' already");
    provider.delete(spec.ref(), RequestId.fresh(), call());
  }

  @Test
  void aMachineEndsByItselfWhenItsTimeIsOver() throws Exception {
    Path directory = Files.createDirectories(root.resolve("machines").resolve("one"));
    LocalVm vm =
        new LocalVm(
            new VmRef(Specs.ZONE, "one"),
            "n2-standard-2",
            "127.93.7.1",
            RequestId.fresh(),
            Specs.LABELS,
            "a-token-" + ProcessHandle.current().pid(),
            null);
    vm.save(directory);
    Files.writeString(directory.resolve("startup.sh"), "setsid sleep 600 &\nsleep 600\n");
    Supervisor.start(directory, vm, Duration.ofSeconds(1));
    await(() -> !Files.exists(directory));
    await(() -> TokenProcesses.find(vm.token()).isEmpty());
  }

  private static boolean isUp(String namespace) {
    try {
      return Namespaces.run("ip", "-n", namespace, "addr", "show", "ebb0").isDone();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void namespacesAreJoinedByTheLinksOfThePlan() throws Exception {
    String trouble = Namespaces.trouble();
    if (!trouble.isEmpty()) {
      System.out.println("skipped: links between namespaces because " + trouble);
      Assumptions.abort(trouble);
    }
    PlannedLink link =
        new PlannedLink(
            Specs.ZONE,
            OTHER_ZONE,
            BitRate.parse("10M"),
            Micros.parse("40ms"),
            Micros.parse("100ms"),
            0);
    LocalProvider provider = provider(true, link);
    List<String> namespaces = new ArrayList<>();
    VmSpec one = spec("one", Specs.ZONE, "sleep 600\n");
    VmSpec two =
        spec(
            "two",
            OTHER_ZONE,
            """
            # Nobody listens there: the refusal comes after one round trip.
            for i in 1 2 3 4 5; do
              begin=${EPOCHREALTIME/./}
              (exec 3<>/dev/tcp/10.77.0.1/9) 2>/dev/null
              end=${EPOCHREALTIME/./}
              echo "micros $((end - begin))."
            done
            echo over
            sleep 600
            """);
    try {
      provider.create(one, RequestId.fresh(), call());
      provider.create(two, RequestId.fresh(), call());
      for (String name : List.of("one", "two")) {
        LocalVm vm = LocalVm.read(root.resolve("machines").resolve(name));
        namespaces.add(String.valueOf(vm.namespace()));
      }
      await(() -> serial(provider, two.ref()).contains("over"));
      long least =
          serial(provider, two.ref())
              .lines()
              .filter(line -> line.startsWith("micros "))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .min()
              .orElse(0);
      // Twice 40 ms; a busy machine adds to that.
      assertThat(least).isBetween(80_000L, 1_000_000L);

      Path links = root.resolve("links").resolve(Specs.RUN);
      String hub = Files.readString(links.resolve("token")).strip();
      assertThat(TokenProcesses.kill(hub)).isTrue();
      ProviderCall looks = call();
      assertThat(provider.list(Specs.RUN, looks)).hasSize(2);
      assertThat(looks.outcome(null).troubles())
          .singleElement()
          .asString()
          .contains("the links between the VMs had ended, and were started again");
      await(() -> isUp(namespaces.get(0)) && isUp(namespaces.get(1)));
      ProviderCall again = call();
      provider.list(Specs.RUN, again);
      assertThat(again.retries()).isZero();
    } finally {
      for (Vm vm : provider.list(null, call())) {
        provider.delete(vm.ref(), RequestId.fresh(), call());
      }
    }
    assertThat(root.resolve("links").resolve(Specs.RUN)).doesNotExist();
    assertThat(Namespaces.run("ip", "netns").output()).doesNotContain(namespaces);
  }
}
