package ebb.core.kompics;

import com.google.common.collect.ImmutableSet;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.compression.SnappyFrameEncoder;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Kompics;
import se.sics.kompics.Positive;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.NettyInit;
import se.sics.kompics.network.netty.NettyNetwork;

/** A real NettyNetwork on loopback, and an attacker's sockets. One at a time in a JVM. */
final class NettyNode implements AutoCloseable {
  static final long WAIT_SECONDS = 60;

  final EbbAddress address;
  final BlockingQueue<PayloadMsg> received = new LinkedBlockingQueue<>();
  final BlockingQueue<MessageNotify.Resp> answers = new LinkedBlockingQueue<>();
  private final CountDownLatch listening = new CountDownLatch(1);
  private volatile User user;

  NettyNode() throws IOException, InterruptedException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    address = EbbAddress.of(loopback, freePort(loopback));
    Kompics.createAndStart(Root.class, new RootInit(this), 2);
    if (!listening.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not listen");
    }
  }

  private static int freePort(InetAddress ip) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, ip)) {
      return socket.getLocalPort();
    }
  }

  /** Asks the node to send and to say what became of it. */
  void send(se.sics.kompics.network.Msg<?, ?> message) {
    user.send(MessageNotify.create(message));
  }

  static void datagram(EbbAddress to, byte[] bytes) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.send(new DatagramPacket(bytes, bytes.length, to.asSocket()));
    }
  }

  /** One connection with one frame of NettyNetwork's: two bytes of length, then Snappy. */
  static void frame(EbbAddress to, int claimedLength, byte[] bytes) throws IOException {
    EmbeddedChannel snappy = new EmbeddedChannel(new SnappyFrameEncoder());
    snappy.writeOutbound(Unpooled.buffer().writeShort(claimedLength).writeBytes(bytes.clone()));
    try (Socket socket = new Socket()) {
      socket.connect(to.asSocket(), 5_000);
      for (io.netty.buffer.ByteBuf out = snappy.readOutbound();
          out != null;
          out = snappy.readOutbound()) {
        socket.getOutputStream().write(Gadget.bytesOf(out));
      }
      socket.shutdownOutput();
      socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
      // Until the other side has read it all and closed.
      socket.getInputStream().readAllBytes();
    } catch (java.net.SocketException e) {
      // Reset: it did not like what it got.
    }
  }

  /** Raw bytes on a connection of their own. */
  static void raw(EbbAddress to, byte[] bytes) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(to.getIp(), to.getPort()), 5_000);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
      socket.getInputStream().readAllBytes();
    } catch (java.net.SocketException e) {
      // Reset: it did not like what it got.
    }
  }

  static final class RootInit extends se.sics.kompics.Init<Root> {
    final NettyNode node;

    RootInit(NettyNode node) {
      this.node = node;
    }
  }

  static final class UserInit extends se.sics.kompics.Init<User> {
    final NettyNode node;

    UserInit(NettyNode node) {
      this.node = node;
    }
  }

  /** Creates the network and its user. */
  public static final class Root extends ComponentDefinition {
    public Root(RootInit init) {
      super(PunctualComponent.class);
      Component network =
          create(
              NettyNetwork.class,
              new NettyInit(init.node.address, 0, ImmutableSet.of(Transport.TCP, Transport.UDP)));
      Component user = create(User.class, new UserInit(init.node));
      connect(
          network.getPositive(Network.class),
          user.getNegative(Network.class),
          se.sics.kompics.Channel.TWO_WAY);
      connect(
          network.getPositive(NetworkControl.class),
          user.getNegative(NetworkControl.class),
          se.sics.kompics.Channel.TWO_WAY);
    }
  }

  /** Puts what arrives into the node's queues. */
  public static final class User extends ComponentDefinition {
    private final Positive<Network> net = requires(Network.class);
    private final Positive<NetworkControl> networkControl = requires(NetworkControl.class);

    public User(UserInit init) {
      super(PunctualComponent.class);
      init.node.user = this;
      handle(net, PayloadMsg.class, init.node.received::add);
      handle(net, MessageNotify.Resp.class, init.node.answers::add);
      handle(networkControl, ListeningStatus.class, status -> init.node.listening.countDown());
    }

    void send(MessageNotify.Req request) {
      trigger(request, net);
    }
  }

  @Override
  public void close() {
    Kompics.shutdown();
  }
}
