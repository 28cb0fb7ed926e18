package ebb.ledbat.kompics;

import ebb.core.kompics.PunctualComponent;
import ebb.core.rand.UnpredictableRandom;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Handler;
import se.sics.kompics.Kompics;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Negative;
import se.sics.kompics.Positive;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.test.NetworkGenerator;
import se.sics.kompics.network.test.NetworkTest;
import se.sics.kompics.network.test.TestAddress;

/** Kompics' own conformance suite, through one network for all transports. */
@Timeout(180)
class EbbNetworkConformanceTest {
  private static OrderlyShutdown shutdown;

  private static final NetworkGenerator GENERATOR =
      (parent, self) -> {
        shutdown.watch(parent);
        return parent.create(OnLoopback.class, new OnLoopbackInit(self));
      };

  @AfterAll
  static void stopWatching() {
    shutdown.close();
    Kompics.resetFaultHandler();
  }

  @BeforeAll
  static void registerMessages() {
    shutdown = new OrderlyShutdown();
    // By default a fault that nobody handles ends the JVM and with it the report of what failed.
    Kompics.setFaultHandler(fault -> Fault.ResolveAction.DESTROY);
    ConformanceSerializers.register();
  }

  @Test
  void tcpDeliversEverythingAndRecoversFromFaults() {
    NetworkTest.runTests(GENERATOR, 2, new Transport[] {Transport.TCP});
  }

  @Test
  void ledbatDeliversEverythingAndRecoversFromFaults() {
    NetworkTest.runTests(GENERATOR, 2, new Transport[] {Transport.LEDBAT});
  }

  @Test
  void udpDelivers() {
    NetworkTest.runAtLeastTests(GENERATOR, 5, new Transport[] {Transport.UDP});
  }

  @Test
  void aMixOfTcpAndLedbatDeliversEverythingAndRecoversFromFaults() {
    NetworkTest.runTests(GENERATOR, 2, new Transport[] {Transport.TCP, Transport.LEDBAT});
  }

  @Test
  void aMixOfTcpUdpAndLedbatDeliversEverythingAndRecoversFromFaults() {
    // UDP loses nothing here: loopback, and far fewer messages than the socket's buffer holds.
    NetworkTest.runTests(
        GENERATOR, 3, new Transport[] {Transport.LEDBAT, Transport.UDP, Transport.TCP});
  }

  @Test
  void connectionsThatCannotBeMadeAreToldAsDropped() {
    NetworkTest.runDCTest(GENERATOR, 2, new Transport[] {Transport.TCP, Transport.LEDBAT});
  }

  /** What {@link OnLoopback} needs to know. */
  public static final class OnLoopbackInit extends se.sics.kompics.Init<OnLoopback> {
    final Address self;

    OnLoopbackInit(Address self) {
      this.self = self;
    }
  }

  /**
   * An {@link EbbNetwork} behind a component that makes the suite fit to be repeated:
   *
   * <ul>
   *   <li>Its "fake nodes", addresses all over the Internet, become loopback addresses where nobody
   *       listens: TCP's sockets are not bound before they connect and would really go there.
   *   <li>Nothing is sent before every network listens: the suite's nodes begin to send while their
   *       peers are being started, take a refused connection for sent, and wait for the answer.
   *   <li>What the network tells while the suite shuts it down does not count.
   * </ul>
   */
  public static final class OnLoopback extends ComponentDefinition {
    private static final AtomicInteger STARTING = new AtomicInteger();
    private static final Set<OnLoopback> HOLDING = ConcurrentHashMap.newKeySet();

    private final Negative<Network> net = provides(Network.class);
    private final Negative<NetworkControl> networkControl = provides(NetworkControl.class);
    private final Positive<Network> ebb;
    private final Queue<KompicsEvent> held = new ArrayDeque<>();
    private final AtomicBoolean starting = new AtomicBoolean(true);

    private static final class Release implements KompicsEvent {}

    public OnLoopback(OnLoopbackInit init) {
      super(PunctualComponent.class);
      STARTING.incrementAndGet();
      HOLDING.add(this);
      Component network =
          create(
              EbbNetwork.class,
              new EbbNetwork.Init(init.self, EbbNodes.ledbat(), new UnpredictableRandom()));
      ebb = network.getPositive(Network.class);
      connect(ebb, net, Channel.ONE_WAY_NEG);
      Positive<NetworkControl> control = network.getPositive(NetworkControl.class);
      handle(control, ConnectionStatus.Requested.class, this::forward);
      handle(control, ConnectionStatus.Established.class, this::forward);
      handle(control, ConnectionStatus.Dropped.class, this::forward);
      handle(control, NetworkException.class, this::forward);
      subscribe(
          new Handler<Msg<?, ?>>() {
            @Override
            public void handle(Msg<?, ?> message) {
              send(onLoopback(message));
            }
          },
          net);
      handle(net, MessageNotify.Req.class, this::send);
      handle(control, ListeningStatus.class, status -> started());
      handle(loopback, Release.class, release -> flush());
    }

    private void forward(KompicsEvent indication) {
      if (!shutdown.hasBegun()) {
        trigger(indication, networkControl);
      }
    }

    private void started() {
      if (starting.compareAndSet(true, false) && STARTING.decrementAndGet() == 0) {
        HOLDING.forEach(holding -> holding.trigger(new Release(), holding.onSelf));
      }
    }

    private void send(KompicsEvent event) {
      held.add(event);
      flush();
    }

    private void flush() {
      if (STARTING.get() == 0) {
        for (KompicsEvent event = held.poll(); event != null; event = held.poll()) {
          trigger(event, ebb);
        }
      }
    }

    @Override
    public void tearDown() {
      HOLDING.remove(this);
      started();
    }

    private static Msg<?, ?> onLoopback(Msg<?, ?> message) {
      Address destination = message.getHeader().getDestination();
      if (destination.getIp().isLoopbackAddress()
          || !(message instanceof NetworkTest.TestMessage fake)) {
        return message;
      }
      byte[] ip = destination.getIp().getAddress();
      ip[0] = 127;
      try {
        return new NetworkTest.TestMessage(
            fake.header.src,
            new TestAddress(InetAddress.getByAddress(ip), destination.getPort()),
            fake.msgId,
            fake.header.proto);
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }
}
