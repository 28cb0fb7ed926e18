package ebb.ledbat.kompics.embed;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.KompicsSystem;
import ebb.core.kompics.PayloadMsg;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.EbbNetwork;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Component;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;

/**
 * Nodes as an embedding program has them, made of nothing but what is published: each an {@link
 * EbbNetwork}, what it told, and ways to ask it.
 */
final class Embedded implements AutoCloseable {
  private static final long WAIT_SECONDS = 60;

  /** One node. */
  static final class Node {
    final EbbAddress address;
    final Component component;
    final Consumer<KompicsEvent> network;
    private final BlockingQueue<KompicsEvent> events = new LinkedBlockingQueue<>();
    private final List<KompicsEvent> passedOver = new ArrayList<>();

    private Node(KompicsSystem.Components components, EbbNetwork.Init init) {
      address = EbbAddress.of(init.self);
      component = components.create(EbbNetwork.class, init);
      network = components.into(component, Network.class);
      keep(components, Network.class, PayloadMsg.class);
      keep(components, Network.class, MessageNotify.Resp.class);
      keep(components, NetworkControl.class, ListeningStatus.class);
      keep(components, NetworkControl.class, NetworkException.class);
    }

    <P extends PortType> void keep(
        KompicsSystem.Components components, Class<P> port, Class<? extends KompicsEvent> event) {
      components.on(component, port, event, events::add);
    }

    PayloadMsg message(EbbAddress to, Transport transport, long number, int bytes) {
      return new PayloadMsg(new EbbHeader(address, to, transport), number, new byte[bytes]);
    }

    /** The next event that is wanted; others are kept for later calls. */
    <E extends KompicsEvent> E take(Class<E> type, Predicate<E> wanted)
        throws InterruptedException {
      for (Iterator<KompicsEvent> it = passedOver.iterator(); it.hasNext(); ) {
        KompicsEvent event = it.next();
        if (type.isInstance(event) && wanted.test(type.cast(event))) {
          it.remove();
          return type.cast(event);
        }
      }
      while (true) {
        KompicsEvent event = events.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        if (event == null) {
          throw new AssertionError("no " + type.getSimpleName() + ", but " + passedOver);
        }
        if (type.isInstance(event) && wanted.test(type.cast(event))) {
          return type.cast(event);
        }
        passedOver.add(event);
      }
    }

    /** What came of that kind and was not taken. */
    <E extends KompicsEvent> List<E> seen(Class<E> type) {
      events.drainTo(passedOver);
      return passedOver.stream().filter(type::isInstance).map(type::cast).toList();
    }

    MessageNotify.Resp answer(MessageNotify.Req request) throws InterruptedException {
      return take(MessageNotify.Resp.class, a -> a.msgId.equals(request.getMsgId()));
    }

    /** Sends a message and waits for its last answer. */
    MessageNotify.State deliver(PayloadMsg message) throws InterruptedException {
      return outcome(send(message));
    }

    /** Sends a message, and has its answers for {@link #outcome}. */
    MessageNotify.Req send(PayloadMsg message) {
      MessageNotify.Req request = MessageNotify.createWithDeliveryNotification(message);
      network.accept(request);
      return request;
    }

    /** Waits for the last answer. */
    MessageNotify.State outcome(MessageNotify.Req request) throws InterruptedException {
      MessageNotify.State state = answer(request).getState();
      return state == MessageNotify.State.SENT ? answer(request).getState() : state;
    }

    PayloadMsg arrival(long number) throws InterruptedException {
      return take(PayloadMsg.class, message -> message.number() == number);
    }
  }

  /** Does more with a node's component while the system is being assembled. */
  interface Extra {
    void add(KompicsSystem.Components components, Node node);
  }

  private final KompicsSystem<List<Node>> system;

  private Embedded(KompicsSystem<List<Node>> system) {
    this.system = system;
  }

  static Embedded start(EbbNetwork.Init... inits) throws InterruptedException {
    return start((components, node) -> {}, inits);
  }

  static Embedded start(Extra extra, EbbNetwork.Init... inits) throws InterruptedException {
    Embedded started =
        new Embedded(
            KompicsSystem.start(
                components -> {
                  List<Node> nodes = new ArrayList<>();
                  for (EbbNetwork.Init init : inits) {
                    Node node = new Node(components, init);
                    nodes.add(node);
                    extra.add(components, node);
                  }
                  return nodes;
                },
                Throwable::printStackTrace));
    for (Node node : started.system.handle()) {
      node.take(ListeningStatus.class, status -> true);
    }
    return started;
  }

  Node node(int index) {
    return system.handle().get(index);
  }

  static EbbNetwork.Init init() throws IOException {
    return init(free("127.0.0.1"), null);
  }

  static EbbNetwork.Init init(EbbAddress self, @Nullable LedbatConfig config) {
    LedbatConfig ledbat =
        config != null
            ? config
            : LedbatConfig.defaults().toBuilder().connectTimeoutMicros(3_000_000).build();
    return new EbbNetwork.Init(self, ledbat, new UnpredictableRandom());
  }

  static EbbAddress free(String ip) throws IOException {
    InetAddress address = InetAddress.getByName(ip);
    for (int i = 0; i < 100; i++) {
      try (DatagramSocket udp = new DatagramSocket(new InetSocketAddress(address, 0));
          ServerSocket tcp = new ServerSocket(udp.getLocalPort(), 1, address)) {
        return EbbAddress.of(address, tcp.getLocalPort());
      } catch (java.net.BindException e) {
        // Somebody's TCP has it; another one.
      }
    }
    throw new IOException("no free port");
  }

  @Override
  public void close() {
    system.close();
  }
}
