package ebb.vm.gce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.Specs;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.Fault;
import ebb.vm.demo.TestClock;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.ProvisionPort.Step;
import ebb.vm.port.Quota;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import ebb.vm.port.Zone;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Google's library against the fake, on a clock that runs when nobody works. */
class ComputeEngineProviderTest {
  private static final VmRef A = new VmRef(Specs.ZONE, "a");

  private final TestClock clock = new TestClock();
  private final ProviderCall call = ProviderCall.plain(clock);
  private DemoCompute fake;
  private ComputeOptions options;
  private Provider provider;

  @BeforeEach
  void start() throws Exception {
    clock.enter();
    fake = DemoCompute.start(clock);
    options = ComputeOptions.standard(DemoCompute.PROJECT, fake.url()).withPause(clock);
    provider = new ComputeEngineProvider(options);
  }

  @AfterEach
  void stop() {
    provider.close();
    fake.close();
    assertThat(fake.ownMistakes()).isEmpty();
  }

  @Test
  void aServiceThatHasAnsweredIsLookedForLonger() throws Exception {
    provider.zones(call);
    int before = call.requests();
    fake.close();
    assertThat(failure(() -> provider.zones(call)).kind()).isEqualTo(FailureKind.CANNOT_CONNECT);
    assertThat(call.requests() - before).isEqualTo(options.policy().maxAttempts());
  }

  private static RequestId id(String step) {
    return RequestId.of(Specs.RUN, step, "a", 1);
  }

  private static RequestFailedException failure(ThrowingCallable work) {
    return catchThrowableOfType(RequestFailedException.class, work);
  }

  @Test
  void aVmIsMadeSeenAndRemoved() throws Exception {
    Vm made = provider.create(Specs.vm("a"), id("create"), call);
    assertThat(made.ref()).isEqualTo(A);
    assertThat(made.state()).isEqualTo(VmState.RUNNING);
    assertThat(made.machineType()).isEqualTo("n2-standard-4");
    assertThat(made.internalAddress()).startsWith("10.");
    assertThat(made.externalAddress()).startsWith("203.0.113.");
    assertThat(made.labels()).isEqualTo(Specs.LABELS);
    assertThat(made.disks()).containsExactly("a");
    // The operation took 5 s, and one call waited for it.
    assertThat(clock.nowMicros()).isEqualTo(5_000_000);
    assertThat(fake.seen())
        .containsExactly("instances.insert", "zoneOperations.wait", "instances.get");

    assertThat(provider.describe(A, call)).isEqualTo(made);
    assertThat(provider.list(Specs.RUN, call)).containsExactly(made);
    assertThat(provider.list(null, call)).containsExactly(made);
    assertThat(provider.list("another-run", call)).isEmpty();

    provider.delete(A, id("delete"), call);
    assertThat(clock.nowMicros()).isEqualTo(10_000_000);
    assertThat(fake.instanceCount()).isZero();
    assertThat(fake.diskCount()).isZero();
    assertThat(failure(() -> provider.describe(A, call)).kind()).isEqualTo(FailureKind.NOT_FOUND);
  }

  @Test
  void everyDiskGoesWithItsVmAndTheVmGoesByItself() throws Exception {
    List<DiskSpec> disks = new ArrayList<>(List.of(Specs.BOOT));
    // The seed's fifteen secondary disks, and local SSDs.
    disks.addAll(Collections.nCopies(15, new DiskSpec("pd-ssd", 100, null)));
    disks.addAll(Collections.nCopies(4, new DiskSpec(DiskSpec.LOCAL_SSD, 375, null)));
    provider.create(Specs.vm("a", Specs.ZONE, "n2-standard-96", disks), id("create"), call);
    assertThat(fake.diskCount()).isEqualTo(16);
    assertThat(provider.listDisks(Specs.RUN, call))
        .hasSize(16)
        .allSatisfy(disk -> assertThat(disk.users()).containsExactly("a"));
    String body = fake.bodies().get(0);
    assertThat(body)
        .contains("\"maxRunDuration\":{\"seconds\":\"3600\"}")
        .contains("\"instanceTerminationAction\":\"DELETE\"")
        .contains("\"key\":\"enable-oslogin\",\"value\":\"TRUE\"")
        .doesNotContain("\"autoDelete\":false")
        .doesNotContain("serviceAccounts");
    // The controller dies; an hour later nothing is left.
    clock.sleep(Duration.ofHours(1));
    assertThat(fake.instanceCount()).isZero();
    assertThat(fake.diskCount()).isZero();
  }

  @Test
  void firewallRulesAreMadeSeenAndRemoved() throws Exception {
    provider.createFirewall(Specs.firewall("rule"), id("rule"), call);
    assertThat(provider.listFirewalls(Specs.RUN, call))
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.allowed()).containsExactly("tcp:8080", "udp:8181");
              assertThat(rule.sourceRanges()).containsExactly("198.51.100.7/32");
              assertThat(rule.targetTags()).containsExactly("ebb-run-1");
              assertThat(rule.labels()).isEqualTo(Specs.LABELS);
            });
    assertThat(provider.listFirewalls("another-run", call)).isEmpty();
    provider.deleteFirewall("rule", id("delete-rule"), call);
    assertThat(fake.firewallCount()).isZero();
  }

  @Test
  void zonesQuotasMachineTypesAndConsolesAreRead() throws Exception {
    assertThat(provider.zones(call)).contains(new Zone("europe-west1-b", "europe-west1", true));
    provider.create(Specs.vm("a"), id("create"), call);
    assertThat(provider.quotas("us-central1", call))
        .first()
        .satisfies(
            quota -> {
              assertThat(quota.metric()).isEqualTo("CPUS");
              assertThat(quota.usage()).isEqualTo(4);
              assertThat(quota.left()).isEqualTo(188);
            });
    assertThat(provider.quotas(null, call))
        .extracting(Quota::metric)
        .containsExactly("FIREWALLS", "CPUS_ALL_REGIONS");
    assertThat(provider.machineType(Specs.ZONE, "n2-standard-96", call).vcpus()).isEqualTo(96);
    fake.serial(Specs.ZONE, "a", "x".repeat(1_000) + "the end");
    assertThat(provider.serialTail(A, 8, call)).isEqualTo("xthe end");
  }

  @Test
  void everyPageOfAListIsRead() throws Exception {
    fake.pageSize(2);
    for (String name : List.of("a", "b", "c", "d", "e")) {
      provider.create(
          Specs.vm(name, Specs.ZONE, "e2-small", List.of(Specs.BOOT)), RequestId.fresh(), call);
      provider.createFirewall(Specs.firewall(name), RequestId.fresh(), call);
    }
    assertThat(provider.list(Specs.RUN, call)).hasSize(5);
    assertThat(provider.listDisks(Specs.RUN, call)).hasSize(5);
    assertThat(provider.listFirewalls(Specs.RUN, call)).hasSize(5);
    assertThat(provider.zones(call)).hasSize(10);
  }

  @Test
  void aLostAnswerNeitherMakesTwoNorFails() throws Exception {
    fake.fail("instances.insert", new Fault.AnswerLost(), new Fault.AnswerLost());
    fake.fail("instances.delete", new Fault.AnswerLost());
    fake.fail("firewalls.insert", new Fault.AnswerLost());
    fake.fail("firewalls.delete", new Fault.AnswerLost());
    ProviderCall counted = ProviderCall.plain(clock);
    assertThat(provider.create(Specs.vm("a"), id("create"), counted).state())
        .isEqualTo(VmState.RUNNING);
    Outcome outcome = counted.outcome(null);
    assertThat(outcome.retries()).isEqualTo(2);
    assertThat(outcome.troubles()).hasSize(2);
    assertThat(outcome.requests()).isEqualTo(5);
    assertThat(outcome.backoffMicros()).isPositive();
    assertThat(fake.instanceCount()).isEqualTo(1);
    provider.createFirewall(Specs.firewall("rule"), id("rule"), call);
    assertThat(fake.firewallCount()).isEqualTo(1);
    provider.deleteFirewall("rule", id("delete-rule"), call);
    provider.delete(A, id("delete"), call);
    assertThat(fake.instanceCount()).isZero();
    // One for each of the four changes.
    assertThat(fake.operationCount()).isEqualTo(4);
  }

  @Test
  void aStepThatIsRepeatedAfterACrashChangesNothing() throws Exception {
    provider.create(Specs.vm("a"), id("create"), call);
    provider.createFirewall(Specs.firewall("rule"), id("rule"), call);
    try (Provider resumed = new ComputeEngineProvider(options)) {
      resumed.create(Specs.vm("a"), id("create"), call);
      resumed.createFirewall(Specs.firewall("rule"), id("rule"), call);
    }
    assertThat(fake.operationCount()).isEqualTo(2);
    assertThat(fake.instanceCount()).isEqualTo(1);
  }

  @Test
  void anothersVmOfTheNameIsNotTakenForOurs() throws Exception {
    provider.create(Specs.vm("a"), id("create"), call);
    RequestFailedException e =
        failure(() -> provider.create(Specs.vm("a"), RequestId.fresh(), call));
    assertThat(e.kind()).isEqualTo(FailureKind.ALREADY_EXISTS);
    assertThat(e.line()).contains("VM a in us-central1-a").contains("already exists");
    provider.createFirewall(Specs.firewall("rule"), id("rule"), call);
    assertThat(
            failure(() -> provider.createFirewall(Specs.firewall("rule"), RequestId.fresh(), call))
                .kind())
        .isEqualTo(FailureKind.ALREADY_EXISTS);
  }

  @Test
  void ourOwnVmIsRecognisedWhenTheServiceHasForgottenTheRequest() throws Exception {
    // What an expired request id looks like: the VM is there, and the name is refused.
    provider.create(Specs.vm("a"), id("create"), call);
    fake.fail(
        "instances.insert", Fault.refused(409, "alreadyExists", "The resource already exists"));
    assertThat(provider.create(Specs.vm("a"), id("create"), call).state())
        .isEqualTo(VmState.RUNNING);
  }

  @Test
  void whatPassesIsTriedAgainAndWhatTheServiceAsksForIsWaited() throws Exception {
    fake.fail(
        "instances.insert",
        Fault.status(503),
        Fault.status(500),
        new Fault.Refused(429, "rateLimitExceeded", "slower", Optional.of(7)),
        Fault.refused(403, "rateLimitExceeded", "slower"),
        new Fault.Broken());
    fake.fail("zoneOperations.wait", Fault.status(503), new Fault.AnswerLost());
    List<String> seen = new ArrayList<>();
    ProviderCall watched =
        new ProviderCall(
            clock,
            () -> false,
            (step, text) -> {
              if (step == Step.BACKING_OFF) {
                seen.add(text);
              }
            });
    provider.create(Specs.vm("a"), id("create"), watched);
    assertThat(watched.outcome(null).retries()).isEqualTo(7);
    assertThat(seen).hasSize(7);
    assertThat(seen.get(0)).contains("HTTP 503").contains("again in");
    assertThat(seen.get(2)).contains("again in 7000 ms");
    assertThat(fake.instanceCount()).isEqualTo(1);
  }

  @Test
  void whatDoesNotPassEndsInOneLineAfterSevenAttempts() {
    for (int i = 0; i < 8; i++) {
      fake.fail("instances.insert", Fault.status(503));
    }
    RequestFailedException e = failure(() -> provider.create(Specs.vm("a"), id("create"), call));
    assertThat(e.kind()).isEqualTo(FailureKind.UNAVAILABLE);
    assertThat(e.line())
        .isEqualTo("VM a in us-central1-a: Something is wrong just now. (HTTP 503)");
    assertThat(fake.seen()).hasSize(7);
  }

  @Test
  void refusalsSayWhatToDo() {
    refused(403, "quotaExceeded", "Quota exceeded", FailureKind.QUOTA, "ebb vm quota");
    refused(
        403,
        "accessNotConfigured",
        "Compute Engine API has not been used in project 1 before or it is disabled.",
        FailureKind.API_DISABLED,
        "gcloud services enable compute.googleapis.com --project=ebb-demo");
    refused(
        403,
        "forbidden",
        "This API method requires billing to be enabled.",
        FailureKind.BILLING_OFF,
        "billing");
    refused(
        403,
        "forbidden",
        "Required 'compute.instances.create' permission",
        FailureKind.NO_PERMISSION,
        "roles/compute.instanceAdmin.v1");
    refused(
        401,
        "authError",
        "Invalid Credentials",
        FailureKind.NO_CREDENTIALS,
        "gcloud auth application-default login");
    refused(400, "invalid", "Invalid value", FailureKind.INVALID, "Invalid value (HTTP 400)");
  }

  private void refused(int status, String reason, String message, FailureKind kind, String advice) {
    fake.fail("instances.insert", Fault.refused(status, reason, message));
    RequestFailedException e = failure(() -> provider.create(Specs.vm("a"), id("create"), call));
    assertThat(e.kind()).isEqualTo(kind);
    assertThat(e.line()).contains(message).contains(advice).doesNotContain("\n");
  }

  @Test
  void anOperationThatEndsInAnErrorIsAFailure() {
    operationFails(
        "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS", 503, FailureKind.STOCK_OUT, "another zone");
    operationFails("QUOTA_EXCEEDED", 403, FailureKind.QUOTA, "ebb vm quota");
    operationFails("INTERNAL_ERROR", 500, FailureKind.OPERATION_FAILED, "INTERNAL_ERROR");
    assertThat(fake.instanceCount()).isZero();
    assertThat(fake.diskCount()).isZero();
  }

  private void operationFails(String code, int status, FailureKind kind, String words) {
    fake.fail("instances.insert", new Fault.OperationFails(code, "It did not work.", status));
    RequestFailedException e =
        failure(() -> provider.create(Specs.vm("a"), RequestId.fresh(), call));
    assertThat(e.kind()).isEqualTo(kind);
    assertThat(e.line()).contains(code + ": It did not work.").contains(words);
  }

  @Test
  void moreCpusThanTheRegionGivesAreRefusedByItsQuota() throws Exception {
    List<DiskSpec> boot = List.of(Specs.BOOT);
    provider.create(Specs.vm("a", Specs.ZONE, "n2-standard-96", boot), RequestId.fresh(), call);
    provider.create(Specs.vm("b", Specs.ZONE, "n2-standard-96", boot), RequestId.fresh(), call);
    RequestFailedException e =
        failure(() -> provider.create(Specs.vm("c"), RequestId.fresh(), call));
    assertThat(e.kind()).isEqualTo(FailureKind.QUOTA);
    assertThat(e.line()).contains("Quota 'CPUS' exceeded.  Limit: 192.0");
    assertThat(fake.instanceCount()).isEqualTo(2);
  }

  @Test
  void aWaitThatReturnsEarlyIsAskedAgainAfterAPause() throws Exception {
    fake.fail("zoneOperations.wait", new Fault.WaitReturnsEarly(), new Fault.WaitReturnsEarly());
    provider.create(Specs.vm("a"), id("create"), call);
    assertThat(fake.seen().stream().filter("zoneOperations.wait"::equals)).hasSize(3);
    assertThat(clock.nowMicros()).isEqualTo(5_000_000);
  }

  @Test
  void anOperationOfManyMinutesIsWaitedForByFewCalls() throws Exception {
    fake.operationTime(Duration.ofMinutes(7));
    provider.create(Specs.vm("a"), id("create"), call);
    // 2 + 2 + 2 + 1 minutes.
    assertThat(fake.seen().stream().filter("zoneOperations.wait"::equals)).hasSize(4);
  }

  @Test
  void anOperationThatDoesNotEndTimesOut() throws Exception {
    fake.operationTime(Duration.ofHours(5));
    RequestFailedException e = failure(() -> provider.create(Specs.vm("a"), id("create"), call));
    assertThat(e.kind()).isEqualTo(FailureKind.TIMED_OUT);
    assertThat(e.line()).contains("still RUNNING after").contains("may yet happen");
    RequestFailedException waited =
        failure(() -> provider.await(A, VmState.RUNNING, Duration.ofMinutes(1), call));
    assertThat(waited.kind()).isEqualTo(FailureKind.TIMED_OUT);
    assertThat(waited.line()).contains("STARTING, not RUNNING, after 60 s");
  }

  @Test
  void theEndOfAVmIsWaitedFor() throws Exception {
    provider.create(Specs.vm("a"), id("create"), call);
    Vm gone = provider.await(A, VmState.GONE, Duration.ofHours(2), call);
    assertThat(gone.state()).isEqualTo(VmState.GONE);
    // Its hour from the moment that it ran, and no more than a look later.
    assertThat(clock.nowMicros()).isBetween(3_605_000_000L, 3_610_000_000L);
  }

  @Test
  void aCallThatIsCancelledSendsNothingMore() {
    ProviderCall cancelled = new ProviderCall(clock, () -> true, (step, text) -> {});
    RequestFailedException e = failure(() -> provider.delete(A, id("delete"), cancelled));
    assertThat(e.kind()).isEqualTo(FailureKind.CANCELLED);
    assertThat(fake.seen()).isEmpty();
  }

  @Test
  void wrongNamesOfZonesTypesAndImagesAreTheServicesToRefuse() {
    List<DiskSpec> boot = List.of(Specs.BOOT);
    VmSpec zone = Specs.vm("a", "mars-north1-a", "n2-standard-4", boot);
    VmSpec type = Specs.vm("a", Specs.ZONE, "n2-standard-5", boot);
    DiskSpec old = new DiskSpec("pd-ssd", 10, DiskSpec.image("debian-cloud/debian-8"));
    VmSpec image = Specs.vm("a", Specs.ZONE, "n2-standard-4", List.of(old));
    for (VmSpec wrong : List.of(zone, type)) {
      assertThat(failure(() -> provider.create(wrong, RequestId.fresh(), call)).kind())
          .isEqualTo(FailureKind.INVALID);
    }
    assertThat(failure(() -> provider.create(image, RequestId.fresh(), call)).line())
        .contains("debian-8' was not found");
  }

  @Test
  void aServiceThatIsNotThereIsSaidSo() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    ComputeOptions nowhere =
        ComputeOptions.standard(DemoCompute.PROJECT, "http://127.0.0.1:" + port).withPause(clock);
    try (Provider lonely = new ComputeEngineProvider(nowhere)) {
      assertThat(failure(() -> lonely.zones(call)).kind()).isEqualTo(FailureKind.CANNOT_CONNECT);
    }
    assertThat(call.requests()).as("soon given up").isEqualTo(3);
    assertThatThrownBy(() -> ComputeOptions.standard(" ", null)).hasMessageContaining("--project");
  }
}
