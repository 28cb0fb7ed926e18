package ebb.ledbat.kompics;

import ebb.core.kompics.PayloadMsg;
import ebb.core.kompics.PunctualComponent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Positive;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.NetworkException;

/** An application whose strings a test pulls: keeps what it hears, sends what it is told. */
public final class Probe extends ComponentDefinition {
  private final Positive<Network> network = requires(Network.class);
  private final Positive<NetworkControl> networkControl = requires(NetworkControl.class);
  private final BlockingQueue<KompicsEvent> events = new LinkedBlockingQueue<>();

  private final List<KompicsEvent> passedOver = new LinkedList<>();

  /** Answers to numbered messages, when the test wants any; null for none. */
  volatile java.util.function.@org.jspecify.annotations.Nullable Function<NumberMsg, KompicsEvent>
      answer;

  public Probe() {
    super(PunctualComponent.class);
    handle(network, NumberMsg.class, this::handleMessage);
    keep(PayloadMsg.class, network);
    keep(MessageNotify.Resp.class, network);
    keep(ConnectionStatus.Requested.class, networkControl);
    keep(ConnectionStatus.Established.class, networkControl);
    keep(ConnectionStatus.Dropped.class, networkControl);
    keep(NetworkException.class, networkControl);
    keep(ListeningStatus.class, networkControl);
    keep(ListeningStatus.Response.class, networkControl);
  }

  private void handleMessage(NumberMsg message) {
    var makeAnswer = answer;
    if (makeAnswer != null) {
      trigger(makeAnswer.apply(message), network);
    }
    events.add(message);
  }

  private <E extends KompicsEvent> void keep(
      Class<E> type, se.sics.kompics.Port<? extends se.sics.kompics.PortType> port) {
    subscribe(
        new Handler<E>(type) {
          @Override
          public void handle(E event) {
            events.add(event);
          }
        },
        port);
  }

  void send(KompicsEvent event) {
    trigger(event, network);
  }

  void ask(KompicsEvent event) {
    trigger(event, networkControl);
  }

  /** The next {@code count} events that are wanted; others are kept for later calls. */
  <E extends KompicsEvent> List<E> take(int count, Class<E> type, Predicate<E> wanted)
      throws InterruptedException {
    List<E> taken = new ArrayList<>();
    for (Iterator<KompicsEvent> it = passedOver.iterator();
        it.hasNext() && taken.size() < count; ) {
      KompicsEvent event = it.next();
      if (type.isInstance(event) && wanted.test(type.cast(event))) {
        taken.add(type.cast(event));
        it.remove();
      }
    }
    while (taken.size() < count) {
      KompicsEvent event = events.poll(60, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError(
            "only %d of %d %s: %s, but %s"
                .formatted(taken.size(), count, type.getSimpleName(), taken, passedOver));
      }
      if (type.isInstance(event) && wanted.test(type.cast(event))) {
        taken.add(type.cast(event));
      } else {
        passedOver.add(event);
      }
    }
    return taken;
  }

  <E extends KompicsEvent> List<E> take(int count, Class<E> type) throws InterruptedException {
    return take(count, type, event -> true);
  }

  /** Whether nothing of this type is left over or waits. */
  boolean hasNo(Class<? extends KompicsEvent> type) {
    return passedOver.stream().noneMatch(type::isInstance)
        && events.stream().noneMatch(type::isInstance);
  }
}
