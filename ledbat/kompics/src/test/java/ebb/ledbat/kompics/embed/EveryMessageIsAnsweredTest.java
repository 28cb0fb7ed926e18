package ebb.ledbat.kompics.embed;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.kompics.EbbNetwork;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;

/** Whatever fails, and whenever it is sent, a message has its answer. */
@Timeout(120)
class EveryMessageIsAnsweredTest {
  private static LedbatConfig with(ControllerFactory.Constructor constructor) {
    return LedbatConfig.defaults().toBuilder()
        .controller(ControllerFactory.of("broken", "for a test", 100_000, constructor))
        .build();
  }

  private static EbbNetwork.Init broken(ControllerFactory.Constructor constructor)
      throws Exception {
    return Embedded.init(Embedded.free("127.0.0.1"), with(constructor));
  }

  @Test
  void aControllerThatCannotBeMadeFailsTheMessagesAndSaysWhy() throws Exception {
    AtomicInteger made = new AtomicInteger();
    ControllerFactory.Constructor once =
        (parameters, mss) -> {
          if (made.getAndIncrement() > 0) {
            return CongestionControllers.byName("ledbat").create(parameters, mss);
          }
          throw new NoClassDefFoundError("my/Controller");
        };
    try (Embedded nodes = Embedded.start(broken(once), Embedded.init())) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      State state = alice.deliver(alice.message(bob.address, Transport.LEDBAT, 1, 10));
      assertThat(state).isEqualTo(State.FAILED);
      NetworkException told =
          alice.take(NetworkException.class, e -> e.protocol == Transport.LEDBAT);
      assertThat(told).hasMessageContaining("my/Controller");
      state = alice.deliver(alice.message(bob.address, Transport.LEDBAT, 2, 10));
      assertThat(state).isEqualTo(State.DELIVERED);
    }
  }

  @Test
  void aControllerThatFailsOnItsWayFailsTheMessagesThatItHeld() throws Exception {
    ControllerFactory.Constructor later =
        (parameters, mss) -> {
          CongestionController real =
              CongestionControllers.byName("ledbat").create(parameters, mss);
          return (CongestionController)
              Proxy.newProxyInstance(
                  CongestionController.class.getClassLoader(),
                  new Class<?>[] {CongestionController.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("onAck")) {
                      throw new StackOverflowError("on purpose");
                    }
                    try {
                      return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });
        };
    try (Embedded nodes = Embedded.start(broken(later), Embedded.init())) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      List<MessageNotify.Req> requests = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        requests.add(
            MessageNotify.create(alice.message(bob.address, Transport.LEDBAT, i, 8 << 20)));
      }
      requests.forEach(alice.network);
      for (MessageNotify.Req request : requests) {
        // The first ones may be in the send buffer already.
        assertThat(alice.answer(request).getState()).isIn(State.SENT, State.FAILED);
      }
      assertThat(alice.take(NetworkException.class, e -> true))
          .hasMessageContaining("failed inside");
      // The node goes on, and still serves the transports that did not fail.
      assertThat(alice.deliver(alice.message(bob.address, Transport.UDP, 99, 10)))
          .isEqualTo(State.DELIVERED);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LEDBAT", "UDP", "TCP"})
  void thousandMessagesBeforeTheStartAreSentAndMoreAreAnswered(Transport transport)
      throws Exception {
    int messages = EbbNetwork.MAX_EARLY_MESSAGES + 500;
    List<MessageNotify.Req> requests = new ArrayList<>();
    EbbNetwork.Init first = Embedded.init();
    EbbNetwork.Init second = Embedded.init();
    Embedded.Extra early =
        (components, node) -> {
          for (int i = 0; requests.size() < messages; i++) {
            Msg<?, ?> message =
                node.message(ebb.core.kompics.EbbAddress.of(second.self), transport, i, 10);
            requests.add(MessageNotify.create(message));
            node.network.accept(requests.get(i));
          }
        };
    EbbSerializers.install();
    try (Embedded nodes = Embedded.start(early, first, second)) {
      Embedded.Node alice = nodes.node(0);
      int sent = 0;
      for (MessageNotify.Req request : requests) {
        if (alice.answer(request).getState() == State.SENT) {
          sent++;
        } else {
          assertThat(alice.take(NetworkException.class, e -> true))
              .hasMessageContaining("wait for the start");
        }
      }
      assertThat(sent).isGreaterThanOrEqualTo(EbbNetwork.MAX_EARLY_MESSAGES);
    }
  }

  /** Handles nothing until it may. */
  public static final class Slow extends ComponentDefinition {
    public Slow(Init init) {
      super(PunctualComponent.class);
      Positive<Network> network = requires(Network.class);
      handle(
          network,
          ebb.core.kompics.PayloadMsg.class,
          message -> {
            try {
              init.go.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            init.handled.countDown();
          });
    }

    /** What it waits for. */
    public static final class Init extends se.sics.kompics.Init<Slow> {
      final CountDownLatch go = new CountDownLatch(1);
      final CountDownLatch handled;

      Init(int messages) {
        handled = new CountDownLatch(messages);
      }
    }
  }

  @Test
  void anApplicationThatIsBehindGetsNoMoreAndThenAllOfIt() throws Exception {
    int messages = 30_000;
    Slow.Init slow = new Slow.Init(messages);
    EbbNetwork.Init second = Embedded.init();
    Embedded.Extra behind =
        (components, node) -> {
          if (node.address.equals(second.self)) {
            Component application = components.create(Slow.class, slow);
            components.connect(node.component, Network.class, application);
            second.waitFor(application);
          }
        };
    try (Embedded nodes = Embedded.start(behind, Embedded.init(), second.withoutTcp())) {
      Embedded.Node alice = nodes.node(0);
      Embedded.Node bob = nodes.node(1);
      for (int i = 0; i < messages; i++) {
        alice.network.accept(alice.message(bob.address, Transport.LEDBAT, i, 10));
      }
      while (second.counters.get(ebb.ledbat.kompics.NetworkCounters.Event.APPLICATION_BEHIND)
          == 0) {
        Thread.onSpinWait();
      }
      slow.go.countDown();
      slow.handled.await();
    }
  }
}
