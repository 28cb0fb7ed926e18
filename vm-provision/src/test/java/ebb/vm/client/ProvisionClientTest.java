package ebb.vm.client;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.FailureKind;
import ebb.core.kompics.PunctualComponent;
import ebb.vm.Specs;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.Fault;
import ebb.vm.demo.TestClock;
import ebb.vm.gce.ComputeEngineProvider;
import ebb.vm.gce.ComputeOptions;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.CancelAll;
import ebb.vm.port.ProvisionPort.CreateFirewall;
import ebb.vm.port.ProvisionPort.CreateVm;
import ebb.vm.port.ProvisionPort.CreateVms;
import ebb.vm.port.ProvisionPort.DeleteDisk;
import ebb.vm.port.ProvisionPort.DeleteFirewall;
import ebb.vm.port.ProvisionPort.DeleteVm;
import ebb.vm.port.ProvisionPort.DescribeMachineType;
import ebb.vm.port.ProvisionPort.DescribeVm;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListDisks;
import ebb.vm.port.ProvisionPort.ListFirewalls;
import ebb.vm.port.ProvisionPort.ListQuotas;
import ebb.vm.port.ProvisionPort.ListVms;
import ebb.vm.port.ProvisionPort.ListZones;
import ebb.vm.port.ProvisionPort.Progress;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.port.ProvisionPort.SerialTail;
import ebb.vm.port.ProvisionPort.SettleVms;
import ebb.vm.port.ProvisionPort.Step;
import ebb.vm.port.ProvisionPort.WaitForVm;
import ebb.vm.port.Quota;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.Kompics;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;

/** The component on the real client on the fake. */
class ProvisionClientTest {
  /** At least as many as there are parties of the clock: who waits for a thread holds it up. */
  private static final int THREADS = 24;

  private static final VmRef A = new VmRef(Specs.ZONE, "a");

  private final TestClock clock = new TestClock();
  private DemoCompute fake;
  private User user;

  @BeforeEach
  void start() throws Exception {
    fake = DemoCompute.start(clock);
    CompletableFuture<User> started = new CompletableFuture<>();
    Kompics.createAndStart(Root.class, new RootInit(fake.url(), clock, started), 2);
    user = started.get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() {
    Kompics.shutdown();
    fake.close();
    assertThat(fake.ownMistakes()).isEmpty();
  }

  private static long id() {
    return ProvisionPort.newId();
  }

  private <A extends Answer> A answer(Class<A> type, Request request) throws Exception {
    Done done = user.ask(request);
    assertThat(done.outcome().message()).isEmpty();
    return type.cast(done.answer());
  }

  @Test
  void everyKindOfRequestIsAnswered() throws Exception {
    RequestId make = RequestId.fresh();
    assertThat(answer(Answer.OneVm.class, new CreateVm(id(), Specs.vm("a"), make)).vm().ref())
        .isEqualTo(A);
    assertThat(answer(Answer.OneVm.class, new DescribeVm(id(), A)).vm().state())
        .isEqualTo(VmState.RUNNING);
    assertThat(
            answer(
                    Answer.OneVm.class,
                    new WaitForVm(id(), A, VmState.RUNNING, Duration.ofMinutes(1)))
                .vm()
                .state())
        .isEqualTo(VmState.RUNNING);
    assertThat(answer(Answer.Vms.class, new ListVms(id(), Specs.RUN)).vms()).hasSize(1);
    assertThat(answer(Answer.Disks.class, new ListDisks(id(), null)).disks()).hasSize(1);
    assertThat(answer(Answer.SerialText.class, new SerialTail(id(), A, 100)).text())
        .contains("Debian");
    assertThat(answer(Answer.Zones.class, new ListZones(id())).zones()).hasSize(10);
    assertThat(answer(Answer.Quotas.class, new ListQuotas(id(), "us-central1")).quotas())
        .extracting(Quota::metric)
        .contains("CPUS", "N2_CPUS", "INSTANCES");
    assertThat(
            answer(
                    Answer.OneMachineType.class,
                    new DescribeMachineType(id(), Specs.ZONE, "n2-standard-4"))
                .type()
                .vcpus())
        .isEqualTo(4);
    VmRef b = new VmRef(Specs.ZONE, "b");
    RequestId several = RequestId.fresh();
    List<VmSpec> more = List.of(Specs.vm("b"), Specs.vm("c"));
    assertThat(answer(Answer.Vms.class, new CreateVms(id(), more, several)).vms())
        .extracting(Vm::ref)
        .containsExactly(b, new VmRef(Specs.ZONE, "c"));
    answer(Answer.None.class, new SettleVms(id(), Specs.ZONE, several));
    answer(Answer.None.class, new DeleteVm(id(), b, RequestId.fresh()));
    answer(Answer.None.class, new DeleteVm(id(), new VmRef(Specs.ZONE, "c"), RequestId.fresh()));
    answer(Answer.None.class, new CreateFirewall(id(), Specs.firewall("rule"), RequestId.fresh()));
    assertThat(answer(Answer.Firewalls.class, new ListFirewalls(id(), Specs.RUN)).firewalls())
        .hasSize(1);
    answer(Answer.None.class, new DeleteFirewall(id(), "rule", RequestId.fresh()));
    answer(Answer.None.class, new DeleteVm(id(), A, RequestId.fresh()));
    Done none = user.ask(new DeleteDisk(id(), Specs.ZONE, "a", RequestId.fresh()));
    assertThat(none.outcome().failure()).isEqualTo(FailureKind.NOT_FOUND);
    assertThat(fake.instanceCount() + fake.diskCount() + fake.firewallCount()).isZero();
  }

  @Test
  void progressIsShown() throws Exception {
    fake.fail("instances.insert", Fault.status(503));
    long id = id();
    user.ask(new CreateVm(id, Specs.vm("a"), RequestId.fresh()));
    assertThat(user.progress).allMatch(progress -> progress.id() == id);
    assertThat(user.progress.stream().map(Progress::step))
        .containsExactly(Step.BACKING_OFF, Step.ACCEPTED);
  }

  @Test
  void twentyVmsLiveSideBySide() throws Exception {
    List<CompletableFuture<Done>> lives = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String name = "vm-" + i;
      VmRef ref = new VmRef(Specs.ZONE, name);
      // So that the clock waits until all have begun.
      clock.enter();
      lives.add(
          user.send(new CreateVm(id(), Specs.vm(name), RequestId.fresh()))
              .thenCompose(
                  made ->
                      user.send(new WaitForVm(id(), ref, VmState.RUNNING, Duration.ofMinutes(5))))
              .thenCompose(waited -> user.send(new DeleteVm(id(), ref, RequestId.fresh()))));
    }
    for (int i = 0; i < 20; i++) {
      clock.leave();
    }
    for (CompletableFuture<Done> life : lives) {
      assertThat(life.get(120, TimeUnit.SECONDS).outcome().message()).isEmpty();
    }
    // Two operations of 5 s each; one after the other it would have been 200 s.
    assertThat(clock.nowMicros()).isEqualTo(10_000_000);
    assertThat(clock.nowMicros()).isLessThan(20_000_000);
    assertThat(fake.instanceCount()).isZero();
    assertThat(fake.operationCount()).isEqualTo(40);
  }

  @Test
  void whatIsUnderWayIsCancelledAtOnceAndWhatComesLaterIsNot() throws Exception {
    // A party that neither works nor sleeps: the operation does not end.
    clock.enter();
    CompletableFuture<Done> making =
        user.send(new CreateVm(id(), Specs.vm("a"), RequestId.fresh()));
    user.accepted.get(60, TimeUnit.SECONDS);
    user.cancelAll();
    assertThat(making.get(60, TimeUnit.SECONDS).outcome().failure())
        .isEqualTo(FailureKind.CANCELLED);
    clock.leave();
    assertThat(user.ask(new DeleteVm(id(), A, RequestId.fresh())).outcome().succeeded()).isTrue();
    assertThat(fake.instanceCount()).isZero();
  }

  /** The client and a user of it. */
  public static final class Root extends ComponentDefinition {
    public Root(RootInit init) throws Exception {
      super(PunctualComponent.class);
      ComputeOptions options =
          ComputeOptions.standard(DemoCompute.PROJECT, init.url).withPause(init.clock);
      Component client =
          create(
              ProvisionClient.class,
              new ProvisionClient.Init(new ComputeEngineProvider(options), THREADS, init.clock));
      Component user = create(User.class, new UserInit(init.clock, init.started));
      connect(
          client.getPositive(ProvisionPort.class),
          user.getNegative(ProvisionPort.class),
          Channel.TWO_WAY);
    }
  }

  /** What {@link Root} needs. */
  public static final class RootInit extends se.sics.kompics.Init<Root> {
    private final String url;
    private final TestClock clock;
    private final CompletableFuture<User> started;

    RootInit(String url, TestClock clock, CompletableFuture<User> started) {
      this.url = url;
      this.clock = clock;
      this.started = started;
    }
  }

  /** What {@link User} needs. */
  public static final class UserInit extends se.sics.kompics.Init<User> {
    private final TestClock clock;
    private final CompletableFuture<User> started;

    UserInit(TestClock clock, CompletableFuture<User> started) {
      this.clock = clock;
      this.started = started;
    }
  }

  /** Turns answers into futures; each request under way is a party of the clock. */
  public static final class User extends ComponentDefinition {
    private final Positive<ProvisionPort> port = requires(ProvisionPort.class);
    private final Map<Long, CompletableFuture<Done>> asked = new ConcurrentHashMap<>();
    private final List<Progress> progress = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> accepted = new CompletableFuture<>();
    private final TestClock clock;

    public User(UserInit init) {
      super(PunctualComponent.class);
      clock = init.clock;
      subscribe(
          new Handler<>(Done.class) {
            @Override
            public void handle(Done done) {
              // What the answer sets off begins before its own request ends.
              asked.remove(done.id()).complete(done);
              clock.leave();
            }
          },
          port);
      subscribe(
          new Handler<>(Progress.class) {
            @Override
            public void handle(Progress event) {
              progress.add(event);
              if (event.step() == Step.ACCEPTED) {
                accepted.complete(null);
              }
            }
          },
          port);
      subscribe(
          new Handler<>(Start.class) {
            @Override
            public void handle(Start start) {
              init.started.complete(User.this);
            }
          },
          control);
    }

    CompletableFuture<Done> send(Request request) {
      CompletableFuture<Done> answer = new CompletableFuture<>();
      asked.put(request.id(), answer);
      clock.enter();
      trigger(request, port);
      return answer;
    }

    Done ask(Request request) throws Exception {
      return send(request).get(120, TimeUnit.SECONDS);
    }

    void cancelAll() {
      trigger(new CancelAll(), port);
    }
  }
}
