package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.PayloadMsg;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentCore;
import se.sics.kompics.Kompics;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Transport;

/** A running Kompics with nodes of {@link EbbNetwork} and {@link Probe} on loopback. */
final class EbbNodes implements AutoCloseable {
  /** One node. */
  static final class Node {
    final EbbAddress address;
    final EbbNetwork.Init init;
    final ListeningStatus listening;
    final Probe probe;
    private final Component network;

    private Node(EbbNetwork.Init init, Component network, Component probe) throws Exception {
      this.init = init;
      this.address = EbbAddress.of(init.self);
      this.network = network;
      this.probe = (Probe) ((ComponentCore) probe).getComponent();
      this.listening = this.probe.take(1, ListeningStatus.class).get(0);
    }

    PayloadMsg message(EbbAddress to, Transport transport, int number, int bytes) {
      return new PayloadMsg(new EbbHeader(address, to, transport), number, new byte[bytes]);
    }

    MessageNotify.Resp sendAndAwait(MessageNotify.Req request) throws InterruptedException {
      probe.send(request);
      return nextAnswer(request);
    }

    /** The state after SENT. */
    MessageNotify.State sendAndAwaitDelivery(MessageNotify.Req request)
        throws InterruptedException {
      awaitSent(request);
      return nextAnswer(request).getState();
    }

    void awaitSent(MessageNotify.Req request) throws InterruptedException {
      assertThat(sendAndAwait(request).getState()).isEqualTo(MessageNotify.State.SENT);
    }

    MessageNotify.Resp nextAnswer(MessageNotify.Req request) throws InterruptedException {
      return probe
          .take(1, MessageNotify.Resp.class, answer -> answer.msgId.equals(request.getMsgId()))
          .get(0);
    }
  }

  private final LiveNodes.Root root;

  EbbNodes() throws Exception {
    CompletableFuture<LiveNodes.Root> ready = new CompletableFuture<>();
    Kompics.createAndStart(LiveNodes.Root.class, new LiveNodes.Root.Init(ready), 2);
    root = ready.get(60, TimeUnit.SECONDS);
  }

  static LedbatConfig ledbat() {
    return LedbatConfig.defaults().toBuilder().connectTimeoutMicros(3_000_000).build();
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

  Node start(String ip) throws Exception {
    return start(init(free(ip)));
  }

  static EbbNetwork.Init init(EbbAddress self) {
    return new EbbNetwork.Init(self, ledbat(), new UnpredictableRandom());
  }

  Node start(EbbNetwork.Init init) throws Exception {
    CompletableFuture<Component[]> made = new CompletableFuture<>();
    root.perform(
        () -> {
          try {
            Component probe = root.make(Probe.class, se.sics.kompics.Init.NONE);
            Component network = root.make(EbbNetwork.class, init);
            root.join(network, probe);
            root.begin(probe);
            root.begin(network);
            made.complete(new Component[] {network, probe});
          } catch (RuntimeException e) {
            made.completeExceptionally(e);
          }
        });
    Component[] components = made.get(60, TimeUnit.SECONDS);
    return new Node(init, components[0], components[1]);
  }

  void kill(Node node) {
    root.killAndWait(node.network);
  }

  @Override
  public void close() {
    Kompics.shutdown();
  }
}
