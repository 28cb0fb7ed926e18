package ebb.ledbat.kompics.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializer;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.Wire;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.kompics.Budget;
import ebb.ledbat.kompics.LedbatControl;
import ebb.ledbat.kompics.Prioritized;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.Transport;

/** {@link LedbatControl} of nodes on loopback. */
@Timeout(120)
class ControlPortTest {
  private static final long UNLIMITED = Budget.UNLIMITED;

  /** A message that says how urgent it is. */
  static final class Urgent extends EbbMsg implements Prioritized {
    final int priority;
    final byte[] content;

    Urgent(EbbHeader header, int priority, byte[] content) {
      super(header);
      this.priority = priority;
      this.content = content;
    }

    @Override
    public int priority() {
      return priority;
    }

    static final class Serializer extends EbbSerializer<Urgent> {
      Serializer() {
        super(EbbSerializers.FIRST_APPLICATION_ID + 9, Urgent.class);
      }

      @Override
      protected void write(Urgent message, ByteBuf out) {
        Wire.writeHeader(message.getHeader(), out);
        out.writeInt(message.priority);
        Wire.writeBytes(message.content, out);
      }

      @Override
      protected Urgent read(ByteBuf in) {
        return new Urgent(Wire.readHeader(in), Wire.readInt(in), Wire.readBytes(in, 1 << 20));
      }
    }
  }

  private final Map<EbbAddress, Consumer<KompicsEvent>> controls = new ConcurrentHashMap<>();

  private final Embedded.Extra extra =
      (components, node) -> {
        controls.put(node.address, components.into(node.component, LedbatControl.class));
        node.keep(components, LedbatControl.class, LedbatControl.Samples.class);
        node.keep(components, LedbatControl.class, LedbatControl.Refused.class);
        node.keep(components, Network.class, Urgent.class);
      };

  private void ask(Embedded.Node node, LedbatControl.Request request) {
    controls.get(node.address).accept(request);
  }

  private LedbatControl.Refused refused(Embedded.Node node, LedbatControl.Request request)
      throws InterruptedException {
    ask(node, request);
    return node.take(LedbatControl.Refused.class, e -> e.request().equals(request));
  }

  @Test
  void samplesTellEveryConnectionAndWhatIsChangedShowsInThem() throws Exception {
    try (Embedded nodes = Embedded.start(extra, Embedded.init(), Embedded.init())) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      ask(alice, new LedbatControl.SetTargetDelay(null, 25_000));
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 1, 100_000)))
          .isEqualTo(State.DELIVERED);
      ask(alice, new LedbatControl.SampleEvery(5_000));
      LedbatControl.Samples samples = alice.take(LedbatControl.Samples.class, e -> true);
      assertThat(samples.sentBytes()).isGreaterThan(100_000);
      LedbatControl.Sample sample = samples.connections().get(0);
      assertThat(sample.peer()).isEqualTo(bob.address);
      assertThat(sample.stats().cwndBytes()).isPositive();
      assertThat(sample.stats().targetDelayMicros()).isEqualTo(25_000);
      assertThat(sample.upBytesPerSecond()).isEqualTo(UNLIMITED);

      ask(alice, new LedbatControl.SetTargetDelay(bob.address, 40_000));
      ask(
          alice,
          new LedbatControl.SetController(bob.address, CongestionControllers.byName("dtl:2")));
      ask(alice, new LedbatControl.SetRates(bob.address, new Budget.Rates(50_000, UNLIMITED)));
      LedbatControl.Sample after =
          alice
              .take(
                  LedbatControl.Samples.class,
                  e -> e.connections().get(0).upBytesPerSecond() == 50_000)
              .connections()
              .get(0);
      assertThat(after.priority()).isEqualTo(Prioritized.NORMAL);
      ask(alice, new LedbatControl.SampleEvery(0));
    }
  }

  @Test
  void whatMakesNoSenseIsRefusedAndChangesNothing() throws Exception {
    assertThatIllegalArgumentException().isThrownBy(() -> Budget.of(0, UNLIMITED));
    assertThatIllegalArgumentException().isThrownBy(() -> Budget.of(UNLIMITED, -1));
    Budget any = Budget.of(UNLIMITED, UNLIMITED);
    assertThatIllegalArgumentException().isThrownBy(() -> any.withClass("x", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> any.withClass("x", Double.NaN));
    EbbSerializers.register(new Urgent.Serializer());
    try (Embedded nodes = Embedded.start(extra, Embedded.init(), Embedded.init())) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      assertThat(refused(alice, new LedbatControl.SetClass(bob.address, "friends")).reason())
          .contains("no class \"friends\"");
      assertThat(refused(alice, new LedbatControl.SampleEvery(10)).reason()).contains("1000");
      assertThat(refused(alice, new LedbatControl.SetTargetDelay(null, 0)).reason())
          .contains("TARGET");
      MessageNotify.Req never =
          MessageNotify.create(alice.message(bob.address, Transport.LEDBAT, 1, 1));
      assertThat(refused(alice, new LedbatControl.Cancel(never.getMsgId())).reason())
          .contains("no such message");
      EbbHeader header = new EbbHeader(alice.address, bob.address, Transport.LEDBAT);
      MessageNotify.Req impossible = MessageNotify.create(new Urgent(header, 4, new byte[1]));
      alice.network.accept(impossible);
      assertThat(alice.answer(impossible).getState()).isEqualTo(State.FAILED);
      assertThat(alice.deliver(alice.message(bob.address, Transport.LEDBAT, 2, 1)))
          .isEqualTo(State.DELIVERED);
    }
  }

  @Test
  void aGossipOvertakesTenChunksAndOneOfThemIsTakenBack() throws Exception {
    EbbSerializers.register(new Urgent.Serializer());
    Budget budget = Budget.of(2_000_000, 50_000_000);
    try (Embedded nodes =
        Embedded.start(
            extra, Embedded.init().withBudget(budget), Embedded.init().withBudget(budget))) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      EbbHeader header = new EbbHeader(alice.address, bob.address, Transport.LEDBAT);
      List<MessageNotify.Req> chunks = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        chunks.add(
            MessageNotify.createWithDeliveryNotification(
                new Urgent(header, Prioritized.NORMAL, new byte[1_000_000])));
      }
      chunks.forEach(alice.network);
      ask(alice, new LedbatControl.SampleEvery(10_000));
      alice.take(
          LedbatControl.Samples.class,
          e -> e.connections().stream().anyMatch(c -> c.waitingMessages() > 15));
      ask(alice, new LedbatControl.SampleEvery(0));
      ask(alice, new LedbatControl.Cancel(chunks.get(29).getMsgId()));
      assertThat(alice.answer(chunks.get(29)).getState()).isEqualTo(State.FAILED);
      MessageNotify.Req gossip =
          MessageNotify.createWithDeliveryNotification(
              new Urgent(header, Prioritized.HIGHEST, new byte[1_000]));
      alice.network.accept(gossip);
      assertThat(alice.answer(gossip).getState()).isEqualTo(State.SENT);
      assertThat(alice.answer(gossip).getState()).isEqualTo(State.DELIVERED);
      Urgent heard = bob.take(Urgent.class, m -> m.priority == Prioritized.HIGHEST);
      assertThat(heard.content).hasSize(1_000);
      // 30 MB at 2 MB/s last for 15 s; the rates rise while it runs, and the rest is there soon.
      ask(alice, new LedbatControl.SetBudget(Budget.of(UNLIMITED, UNLIMITED)));
      for (MessageNotify.Req chunk : chunks.subList(0, 29)) {
        assertThat(alice.answer(chunk).getState()).isEqualTo(State.SENT);
        assertThat(alice.answer(chunk).getState()).isEqualTo(State.DELIVERED);
      }
    }
  }
}
