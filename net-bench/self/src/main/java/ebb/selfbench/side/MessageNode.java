package ebb.selfbench.side;

import com.google.common.collect.ImmutableSet;
import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.NettyNetworkSupport;
import ebb.core.kompics.PunctualComponent;
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
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Kompics;
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
public final class MessageNode extends ComponentDefinition {
  private static final int WORKERS = 2;

  public MessageNode(Init init) {
    super(PunctualComponent.class);
    Component network = network(init);
    Component timer = create(JavaTimer.class, se.sics.kompics.Init.NONE);
    Component application =
        init.peer == null
            ? create(
                MessageSink.class, new MessageSink.Init(init.self.getPort(), init.load, init.meter))
            : create(
                MessageSource.class,
                new MessageSource.Init(init.self, init.peer, init.load, init.meter));
    connect(
        network.getPositive(Network.class),
        application.getNegative(Network.class),
        Channel.TWO_WAY);
    connect(timer.getPositive(Timer.class), application.getNegative(Timer.class), Channel.TWO_WAY);
  }

  private Component network(Init init) {
    Transport transport = init.load.transport();
    if (transport == Transport.LEDBAT) {
      return create(
          LedbatNetwork.class,
          new LedbatNetwork.Init(
              init.self,
              Sides.config(init.datagramBytes),
              DriverFactory.netty(),
              new UnpredictableRandom()));
    }
    return NettyNetworkSupport.construct(
        () -> create(NettyNetwork.class, new NettyInit(init.self, 0, ImmutableSet.of(transport))));
  }

  @Override
  public Fault.ResolveAction handleFault(Fault fault) {
    System.out.println("FAILED " + fault.getCause());
    return Fault.ResolveAction.DESTROY;
  }

  /**
   * Arguments: address, transport, message size, datagram size, the receiver's address and port.
   */
  public static void main(String[] args) throws IOException {
    InetAddress address = InetAddress.getByName(args[0]);
    MessageLoad load = new MessageLoad(Transport.valueOf(args[1]), Integer.parseInt(args[2]));
    EbbAddress self = EbbAddress.of(address, freePort(address));
    EbbAddress peer =
        args.length < 6
            ? null
            : EbbAddress.of(InetAddress.getByName(args[4]), Integer.parseInt(args[5]));
    Meter meter = new Meter();
    Kompics.createAndStart(
        MessageNode.class, new Init(self, peer, load, Integer.parseInt(args[3]), meter), WORKERS);
    meter.serve();
    // Not Kompics.shutdown(): NettyNetwork's takes seconds.
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

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<MessageNode> {
    final EbbAddress self;
    final @Nullable EbbAddress peer;
    final MessageLoad load;
    final int datagramBytes;
    final Meter meter;

    Init(
        EbbAddress self,
        @Nullable EbbAddress peer,
        MessageLoad load,
        int datagramBytes,
        Meter meter) {
      this.self = self;
      this.peer = peer;
      this.load = load;
      this.datagramBytes = datagramBytes;
      this.meter = meter;
    }
  }
}
