package ebb.selfbench.side;

import com.google.common.collect.ImmutableSet;
import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.KompicsSystem;
import ebb.core.kompics.KompicsSystem.Components;
import ebb.core.kompics.NettyNetworkSupport;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.LedbatNetwork;
import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Component;
import se.sics.kompics.Init;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.NettyInit;
import se.sics.kompics.network.netty.NettyNetwork;
import se.sics.kompics.timer.Timer;
import se.sics.kompics.timer.java.JavaTimer;

/**
 * A process that sends or receives messages through a Kompics {@link Network} port: Ebb's own for
 * LEDBAT, Kompics' NettyNetwork as it comes for TCP and UDP.
 */
public final class MessageNode {
  private final EbbAddress self;
  private final @Nullable EbbAddress peer;
  private final MessageLoad load;
  private final int datagramBytes;
  private final Meter meter = new Meter();

  private MessageNode(
      EbbAddress self, @Nullable EbbAddress peer, MessageLoad load, int datagramBytes) {
    this.self = self;
    this.peer = peer;
    this.load = load;
    this.datagramBytes = datagramBytes;
  }

  private Component assemble(Components components) {
    Component network = network(components);
    Component timer = components.create(JavaTimer.class, Init.NONE);
    Component application =
        peer == null
            ? components.create(
                MessageSink.class, new MessageSink.Init(self.getPort(), load, meter))
            : components.create(
                MessageSource.class, new MessageSource.Init(self, peer, load, meter));
    components.connect(network, Network.class, application);
    components.connect(timer, Timer.class, application);
    return application;
  }

  private Component network(Components components) {
    Transport transport = load.transport();
    if (transport == Transport.LEDBAT) {
      return components.create(
          LedbatNetwork.class,
          new LedbatNetwork.Init(
              self, Sides.config(datagramBytes), DriverFactory.netty(), new UnpredictableRandom()));
    }
    return NettyNetworkSupport.construct(
        () ->
            components.create(
                NettyNetwork.class, new NettyInit(self, 0, ImmutableSet.of(transport))));
  }

  /**
   * Arguments: address, transport, message size, datagram size, the receiver's address and port.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    InetAddress address = InetAddress.getByName(args[0]);
    MessageLoad load = new MessageLoad(Transport.valueOf(args[1]), Integer.parseInt(args[2]));
    EbbAddress self = EbbAddress.of(address, freePort(address));
    EbbAddress peer =
        args.length < 6
            ? null
            : EbbAddress.of(InetAddress.getByName(args[4]), Integer.parseInt(args[5]));
    MessageNode node = new MessageNode(self, peer, load, Integer.parseInt(args[3]));
    KompicsSystem.start(node::assemble, fault -> System.out.println("FAILED " + fault));
    node.meter.serve();
    // The system is not closed: NettyNetwork takes seconds for that.
    Runtime.getRuntime().halt(0);
  }

  /** Free for TCP and UDP; NettyNetwork and addresses of components need a number. */
  private static int freePort(InetAddress address) throws IOException {
    for (int attempt = 0; attempt < 100; attempt++) {
      try (ServerSocket tcp = new ServerSocket()) {
        tcp.bind(new InetSocketAddress(address, 0));
        int port = tcp.getLocalPort();
        try (DatagramSocket udp = new DatagramSocket(new InetSocketAddress(address, port))) {
          return udp.getLocalPort();
        } catch (IOException taken) {
          // By somebody else's UDP; another one.
        }
      }
    }
    throw new IOException("no port is free for TCP and UDP");
  }
}
