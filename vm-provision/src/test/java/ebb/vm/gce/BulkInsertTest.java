package ebb.vm.gce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.vm.Specs;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.Fault;
import ebb.vm.demo.TestClock;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import ebb.vm.port.VmTraits;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** VMs that are made by one request, on the fake. */
class BulkInsertTest {
  private static final RequestId ID = RequestId.of(Specs.RUN, "vms", "a,b,c", 1);

  private final TestClock clock = new TestClock();
  private final ProviderCall call = ProviderCall.plain(clock);
  private DemoCompute fake;
  private Provider provider;

  @BeforeEach
  void start() throws Exception {
    clock.enter();
    fake = DemoCompute.start(clock);
    provider =
        new ComputeEngineProvider(
            ComputeOptions.standard(DemoCompute.PROJECT, fake.url()).withPause(clock));
  }

  @AfterEach
  void stop() {
    provider.close();
    fake.close();
    assertThat(fake.ownMistakes()).isEmpty();
  }

  private static List<VmSpec> three() {
    return List.of(Specs.vm("c"), Specs.vm("a"), Specs.vm("b"));
  }

  private RequestFailedException failure(RequestId id, List<VmSpec> specs) {
    return catchThrowableOfType(
        RequestFailedException.class, () -> provider.createAll(specs, id, call));
  }

  @Test
  void oneRequestMakesAllAndOneListsThem() throws Exception {
    fake.pageSize(500);
    List<Vm> made = provider.createAll(three(), ID, call);
    assertThat(made).extracting(vm -> vm.ref().name()).containsExactly("c", "a", "b");
    assertThat(made)
        .allSatisfy(
            vm -> {
              assertThat(vm.state()).isEqualTo(VmState.RUNNING);
              assertThat(vm.labels()).isEqualTo(Specs.LABELS);
              assertThat(vm.internalAddress()).startsWith("10.");
              assertThat(vm.externalAddress()).startsWith("203.0.113.");
            });
    assertThat(fake.seen())
        .containsExactly("instances.bulkInsert", "zoneOperations.wait", "instances.list");
    // One operation's time for all of them.
    assertThat(clock.nowMicros()).isEqualTo(5_000_000);
    assertThat(fake.diskCount()).isEqualTo(3);
    assertThat(fake.bodies().get(0))
        .contains("\"count\":\"3\"", "\"minCount\":\"3\"", "\"c\":{}")
        // Of several VMs, types are named.
        .contains("\"machineType\":\"n2-standard-4\"", "\"diskType\":\"pd-balanced\"")
        .contains("\"maxRunDuration\":{\"seconds\":\"3600\"}", "startup-script");
  }

  @Test
  void whatASingleVmCanHaveSeveralCan() throws Exception {
    VmTraits traits = new VmTraits("default", true, true, true, "close", true, "Intel Ice Lake");
    VmSpec plain = Specs.vm("a");
    VmSpec one =
        new VmSpec(
            plain.ref(),
            "n2-standard-32",
            List.of(Specs.BOOT, new DiskSpec(DiskSpec.LOCAL_SSD, 375, null)),
            "default",
            true,
            plain.tags(),
            plain.maxRun(),
            null,
            DemoCompute.ACCOUNT,
            traits,
            plain.labels());
    assertThat(provider.createAll(List.of(one, one.named("b")), ID, call)).hasSize(2);
    assertThat(fake.bodies().get(0))
        .contains("\"provisioningModel\":\"SPOT\"", "TIER_1", "\"resourcePolicies\":[\"close\"]")
        .contains("enableSecureBoot", "Intel Ice Lake", "GVNIC", "regions/us-central1/subnetworks")
        .contains(DemoCompute.ACCOUNT, "\"tags\"", "\"diskType\":\"local-ssd\"");
  }

  @Test
  void aRequestThatIsRepeatedMakesNothingMore() throws Exception {
    fake.fail("instances.bulkInsert", new Fault.AnswerLost(), Fault.status(503));
    provider.createAll(three(), ID, call);
    List<Vm> again = provider.createAll(three(), ID, call);
    assertThat(again).hasSize(3);
    assertThat(fake.instanceCount()).isEqualTo(3);
    // The whole and its three parts.
    assertThat(fake.operationCount()).isEqualTo(4);
    // The service forgets request ids, and then finds that the names are taken.
    fake.fail(
        "instances.bulkInsert", Fault.refused(409, "alreadyExists", "The resource already exists"));
    assertThat(provider.createAll(three(), ID, call)).isEqualTo(again);
  }

  @Test
  void anothersVmIsNotTakenForOursAndTheOthersAreTakenBack() throws Exception {
    provider.create(Specs.vm("b"), RequestId.fresh(), call);
    RequestFailedException e = failure(ID, three());
    assertThat(e.kind()).isEqualTo(FailureKind.ALREADY_EXISTS);
    assertThat(e.line())
        .contains("VM b: RESOURCE_ALREADY_EXISTS")
        .contains("2 had been made, of which the service has deleted 2");
    assertThat(fake.instanceCount()).isEqualTo(1);
  }

  @Test
  void aStockOutIsToldWithItsVmAndNothingIsLeft() {
    fake.pageSize(2);
    fake.fail(
        "instances.bulkInsert",
        new Fault.OperationFails("ZONE_RESOURCE_POOL_EXHAUSTED", "The zone has no more.", 503));
    RequestFailedException e = failure(ID, three());
    assertThat(e.kind()).isEqualTo(FailureKind.STOCK_OUT);
    assertThat(e.line())
        .isEqualTo(
            "3 VMs in us-central1-a, c to b: VM b: ZONE_RESOURCE_POOL_EXHAUSTED: The zone has no"
                + " more.; another zone may have some; 2 had been made, of which the service has"
                + " deleted 2");
    assertThat(fake.instanceCount() + fake.diskCount()).isZero();
  }

  @Test
  void whatTheQuotaHasNoRoomForIsNotBegun() {
    List<VmSpec> large =
        three().stream()
            .map(vm -> Specs.vm(vm.ref().name(), Specs.ZONE, "n2-standard-96", vm.disks()))
            .toList();
    RequestFailedException e = failure(ID, large);
    assertThat(e.kind()).isEqualTo(FailureKind.QUOTA);
    assertThat(e.line()).contains("Quota 'CPUS' exceeded.  Limit: 192.0", "ebb vm quota");
    assertThat(fake.instanceCount()).isZero();
    assertThat(fake.operationCount()).isEqualTo(1);
  }

  @Test
  void whatIsWrongIsRefusedOnce() {
    List<VmSpec> wrong =
        three().stream()
            .map(vm -> Specs.vm(vm.ref().name(), Specs.ZONE, "n2-standard-5", vm.disks()))
            .toList();
    assertThat(failure(ID, wrong).kind()).isEqualTo(FailureKind.INVALID);
    assertThat(fake.seen()).containsExactly("instances.bulkInsert");
  }

  @Test
  void aRequestThatNobodyWaitsForIsOverBeforeItsVmsAreDeleted() throws Exception {
    // The first process sends it and dies: nobody has asked for the operation's end.
    fake.fail("zoneOperations.wait", Fault.refused(400, "invalid", "killed"));
    assertThat(failure(ID, three()).line()).contains("killed");
    assertThat(clock.nowMicros()).isZero();
    provider.settle(Specs.ZONE, ID, call);
    assertThat(clock.nowMicros()).isEqualTo(5_000_000);
    assertThat(provider.describe(new VmRef(Specs.ZONE, "a"), call).state())
        .isEqualTo(VmState.RUNNING);
    // Of what was never sent, there is no end.
    provider.settle(Specs.ZONE, RequestId.fresh(), call);
    assertThat(clock.nowMicros()).isEqualTo(5_000_000);
  }
}
