package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.PunctualComponent;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentCore;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Kill;
import se.sics.kompics.Kompics;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Start;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.netty.NettyAddress;

/** A running Kompics with nodes of {@link LedbatNetwork} and {@link Probe} on loopback. */
final class LiveNodes implements AutoCloseable {
  /** One node. */
  static final class Node {
    final Address address;
    final NetworkCounters counters = new NetworkCounters();
    final Probe probe;
    private final Component network;

    private Node(Root root, Address address, LedbatConfig ledbat, MessageConfig messages) {
      this.address = address;
      Component probeComponent = root.make(Probe.class, se.sics.kompics.Init.NONE);
      probe = (Probe) ((ComponentCore) probeComponent).getComponent();
      LedbatNetwork.Init init =
          new LedbatNetwork.Init(
              address,
              address.asSocket(),
              ledbat,
              messages,
              DriverFactory.netty(),
              new UnpredictableRandom(),
              counters);
      init.waitFor(probeComponent);
      network = root.make(LedbatNetwork.class, init);
      root.join(network, probeComponent);
      root.begin(probeComponent);
      root.begin(network);
    }
  }

  /** The component that all nodes hang from; does what it is told on a Kompics worker. */
  public static final class Root extends ComponentDefinition {
    private record Job(Runnable action) implements KompicsEvent {}

    public Root(Init init) {
      super(PunctualComponent.class);
      handle(loopback, Job.class, job -> job.action.run());
      init.ready.complete(this);
    }

    void perform(Runnable action) {
      trigger(new Job(action), onSelf);
    }

    <T extends ComponentDefinition> Component make(Class<T> type, se.sics.kompics.Init<T> init) {
      return create(type, init);
    }

    <T extends ComponentDefinition> Component make(Class<T> type, se.sics.kompics.Init.None init) {
      return create(type, init);
    }

    void join(Component network, Component probe) {
      connect(
          network.getPositive(Network.class), probe.getNegative(Network.class), Channel.TWO_WAY);
      connect(
          network.getPositive(NetworkControl.class),
          probe.getNegative(NetworkControl.class),
          Channel.TWO_WAY);
    }

    @SuppressWarnings("deprecation") // There is no other way to get the event.
    void begin(Component component) {
      trigger(Start.event, component.control());
    }

    @SuppressWarnings("deprecation") // There is no other way to get the event.
    private void kill(Component component) {
      trigger(Kill.event, component.control());
    }

    /** Ends a component and returns when its {@code tearDown} is done: its ports are free. */
    void killAndWait(Component component) {
      ComponentCore core = (ComponentCore) component;
      perform(() -> kill(component));
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (core.state() != Component.State.DESTROYED) {
        assertThat(System.nanoTime() - deadlineNanos).as("killed after 60 s").isNegative();
        Thread.onSpinWait();
      }
    }

    public static final class Init extends se.sics.kompics.Init<Root> {
      final CompletableFuture<Root> ready;

      public Init(CompletableFuture<Root> ready) {
        this.ready = ready;
      }
    }
  }

  private final Root root;
  private final List<Node> nodes = new ArrayList<>();

  LiveNodes() throws Exception {
    CompletableFuture<Root> ready = new CompletableFuture<>();
    Kompics.createAndStart(Root.class, new Root.Init(ready), 2);
    root = ready.get(60, TimeUnit.SECONDS);
  }

  static Address freeAddress() throws IOException {
    try (DatagramSocket socket =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      return new NettyAddress(socket.getLocalAddress(), socket.getLocalPort());
    }
  }

  Node start(Address address, MessageConfig messages) throws Exception {
    return start(
        address,
        LedbatConfig.defaults().toBuilder().connectTimeoutMicros(2_000_000).build(),
        messages);
  }

  Node start(Address address, LedbatConfig ledbat, MessageConfig messages) throws Exception {
    CompletableFuture<Node> made = new CompletableFuture<>();
    root.perform(
        () -> {
          try {
            made.complete(new Node(root, address, ledbat, messages));
          } catch (RuntimeException e) {
            made.completeExceptionally(e);
          }
        });
    Node node = made.get(60, TimeUnit.SECONDS);
    nodes.add(node);
    node.probe.take(1, se.sics.kompics.network.ListeningStatus.class);
    return node;
  }

  void kill(Node node) {
    root.killAndWait(node.network);
  }

  @Override
  public void close() {
    Kompics.shutdown();
  }
}
