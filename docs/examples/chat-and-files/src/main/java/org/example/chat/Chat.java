package org.example.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.KompicsSystem;
import ebb.core.kompics.PayloadMsg;
import ebb.ledbat.kompics.EbbNetwork;
import ebb.ledbat.kompics.LedbatControl;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.secure.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Component;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.Transport;

/**
 * One node: lines are messages, files are streams, and a helper introduces peers that are behind
 * address translation. All of that on one UDP port, for those who have the key. Owns the Kompics
 * system and knows who is there; what is in a file's stream is {@link FileStream}'s.
 */
final class Chat implements AutoCloseable {
  private static final int MAX_LINE_BYTES = 10_000;

  private record Ports(
      Consumer<KompicsEvent> network,
      Consumer<KompicsEvent> control,
      Consumer<KompicsEvent> streams) {}

  private final EbbAddress self;
  private final @Nullable EbbAddress helper;
  private final Path incoming;
  private final Consumer<String> show;
  private final Set<EbbAddress> there = ConcurrentHashMap.newKeySet();
  private final Map<Long, Path> toSend = new ConcurrentHashMap<>();
  private final KompicsSystem<Ports> system;

  /**
   * Starts it.
   *
   * @param self an address of this machine, and the port
   * @param helper whom to be introduced by; null for a node that introduces others
   * @param incoming where files go that others send
   * @param show is called with one line, on any thread
   * @param onFault hears why it has ended, if it has: a port that is taken, for instance
   */
  Chat(
      EbbAddress self,
      KeyRing keys,
      @Nullable EbbAddress helper,
      Path incoming,
      Consumer<String> show,
      Consumer<Throwable> onFault)
      throws InterruptedException {
    this.self = self;
    this.helper = helper;
    this.incoming = incoming;
    this.show = show;
    EbbNetwork.Init init = new EbbNetwork.Init(self).withKeys(keys);
    EbbNetwork.Init node = helper == null ? init.withHelping() : init;
    system = KompicsSystem.start(components -> assemble(components, node), onFault);
    if (helper != null) {
      system.handle().control.accept(new LedbatControl.UseHelper(helper));
    }
  }

  private Ports assemble(KompicsSystem.Components components, EbbNetwork.Init init) {
    Component node = components.create(EbbNetwork.class, init);
    components.on(node, Network.class, PayloadMsg.class, this::onLine);
    components.on(node, NetworkControl.class, ConnectionStatus.Dropped.class, this::onDropped);
    components.on(
        node,
        LedbatControl.class,
        LedbatControl.SeenAs.class,
        e -> show.accept("you are " + e.self()));
    components.on(
        node,
        LedbatControl.class,
        LedbatControl.AddressChanged.class,
        e -> show.accept("you are no longer " + e.before() + " but " + e.now()));
    components.on(node, LedbatControl.class, LedbatControl.Met.class, this::onMet);
    components.on(
        node,
        LedbatControl.class,
        LedbatControl.NotMet.class,
        e -> show.accept("not met " + e.peer() + ": " + e.reason()));
    components.on(
        node,
        LedbatControl.class,
        LedbatControl.Refused.class,
        e -> show.accept("refused: " + e.reason()));
    components.on(node, LedbatStreams.class, LedbatStreams.Accepted.class, this::onAccepted);
    components.on(node, LedbatStreams.class, LedbatStreams.Connected.class, this::onConnected);
    components.on(node, LedbatStreams.class, LedbatStreams.ConnectFailed.class, this::onFailed);
    return new Ports(
        components.into(node, Network.class),
        components.into(node, LedbatControl.class),
        components.into(node, LedbatStreams.class));
  }

  /** Asks the helper for a peer; {@code peer} is what that one was told to be. */
  void meet(EbbAddress peer) {
    if (helper == null) {
      show.accept("a helper meets nobody");
    } else {
      system.handle().control.accept(new LedbatControl.Introduce(helper, peer));
    }
  }

  /** Says something to everybody who is there. */
  void say(String line) {
    there.forEach(peer -> say(peer, line));
  }

  private void say(EbbAddress peer, String line) {
    EbbHeader header = new EbbHeader(self, peer, Transport.LEDBAT);
    system.handle().network.accept(new PayloadMsg(header, 0, line.getBytes(UTF_8)));
  }

  /** Sends a file to everybody who is there. */
  void send(Path file) throws IOException {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IOException("cannot read " + file);
    }
    for (EbbAddress peer : there) {
      long id = LedbatStreams.newStreamId();
      toSend.put(id, file);
      system.handle().streams.accept(new LedbatStreams.Connect(id, peer.asSocket()));
    }
  }

  // ---- What happens

  private void onMet(LedbatControl.Met met) {
    EbbAddress peer = EbbAddress.of(met.peer());
    there.add(peer);
    show.accept("met " + peer);
    // Beside a symmetric NAT only this side knows that they met.
    say(peer, "hello");
  }

  private void onDropped(ConnectionStatus.Dropped status) {
    EbbAddress peer = EbbAddress.of(status.peer);
    if (status.last && there.remove(peer)) {
      show.accept("gone " + peer);
    }
  }

  private void onLine(PayloadMsg message) {
    EbbAddress from = message.getHeader().getSource();
    there.add(from);
    if (message.payload().length <= MAX_LINE_BYTES) {
      show.accept(from + " says " + printable(new String(message.payload(), UTF_8)));
    }
  }

  private void onAccepted(LedbatStreams.Accepted e) {
    FileStream stream = new FileStream(e.stream().block());
    onThread(() -> show.accept(e.remote() + " sent " + printable(stream.receiveInto(incoming))));
  }

  private void onConnected(LedbatStreams.Connected e) {
    Path file = toSend.remove(e.streamId());
    FileStream stream = new FileStream(e.stream().block());
    onThread(() -> show.accept("sent " + stream.send(file) + " bytes to " + e.remote()));
  }

  private void onFailed(LedbatStreams.ConnectFailed e) {
    toSend.remove(e.streamId());
    show.accept("no stream to " + e.remote() + ": " + e.reason());
  }

  private interface Work {
    void run() throws Exception;
  }

  /** Files and streams block, and Kompics has few threads. */
  private void onThread(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception failure) {
                show.accept("error: " + failure);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** Others choose this text: no escapes for the terminal. */
  private static String printable(String text) {
    return text.replaceAll("\\p{C}", "?");
  }

  @Override
  public void close() {
    system.close();
  }
}
