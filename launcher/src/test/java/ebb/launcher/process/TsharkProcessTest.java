package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.KompicsSystem;
import ebb.core.kompics.PayloadMsg;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.EbbNetwork;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.secure.KeyRing;
import ebb.ledbat.secure.PresharedKey;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import se.sics.kompics.Component;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.Transport;

/** What Wireshark, as it comes, makes of everything that Ebb sends by LEDBAT. */
@Timeout(180)
class TsharkProcessTest {
  /** The kinds of extension that every Wireshark knows are below this. Newer ones know 3, too. */
  private static final int KNOWN_EXTENSIONS = 3;

  private static final int BYTES = 300_000;

  @TempDir Path temp;
  private final byte[] secret = new byte[PresharedKey.BYTES];
  private byte[] content;
  private Path pcap;

  @BeforeEach
  void setUp() throws Exception {
    boolean there;
    try {
      there = new ProcessBuilder("tshark", "--version").start().waitFor() == 0;
    } catch (IOException missing) {
      there = false;
    }
    if (!there) {
      System.err.println("skipped: captures in Wireshark's eyes, for there is no tshark");
    }
    assumeTrue(there, "no tshark");
    pcap = temp.resolve("capture.pcap");
    content = new byte[BYTES];
    new Random(1).nextBytes(content);
    new Random(2).nextBytes(secret);
  }

  private List<String> tshark(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("tshark", "-r", pcap.toString(), "--enable-heuristic", "bt_utp_udp"));
    command.addAll(List.of(words));
    Path out = temp.resolve("tshark.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readAllLines(out);
  }

  /** Everything is uTP but what begins with rarer extensions, and nothing is malformed. */
  private void assertIsUtp() throws Exception {
    assertThat(tshark("-Y", "_ws.malformed")).isEmpty();
    long decodedBytes = 0;
    for (String line : tshark("-T", "fields", "-e", "frame.protocols", "-e", "udp.payload")) {
      String[] fields = line.split("\t");
      boolean isUtp = fields[0].contains("bt-utp");
      assertThat(isUtp || hasRareExtensions(fields[1])).as(line).isTrue();
      decodedBytes += isUtp ? fields[1].length() / 2 : 0;
    }
    assertThat(decodedBytes).isGreaterThan(BYTES * 9 / 10);
  }

  private static boolean hasRareExtensions(String hex) {
    int first = Integer.parseInt(hex.substring(2, 4), 16);
    int next = first == 0 ? 0 : Integer.parseInt(hex.substring(40, 42), 16);
    return first >= KNOWN_EXTENSIONS || next >= KNOWN_EXTENSIONS;
  }

  private Path keyFile() throws Exception {
    Path path = temp.resolve("key");
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(path, Base64.getEncoder().encodeToString(secret) + "\n");
  }

  private static String text(InetSocketAddress address) {
    return "127.0.0.1:" + address.getPort();
  }

  private void files(String... options) throws Exception {
    Path dir = Files.createDirectory(temp.resolve("dir"));
    Path file = Files.write(temp.resolve("file"), content);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, options);
        Capture capture = new Capture(pcap, receiver.port())) {
      List<String> args = new ArrayList<>(List.of("ledbat", "send"));
      args.addAll(List.of(options));
      args.addAll(List.of(file.toString(), text(capture.address())));
      try (EbbProcess sender = EbbProcess.start(temp, args.toArray(String[]::new))) {
        assertThat(sender.exitCode()).as(sender.err()).isZero();
      }
    }
    assertIsUtp();
  }

  private void cat(String... options) throws Exception {
    Path file = Files.write(temp.resolve("file"), content);
    List<String> listen =
        new ArrayList<>(List.of("ledbat", "cat", "-l", "--bind", "127.0.0.1", "0"));
    listen.addAll(List.of(options));
    try (EbbProcess listener =
            EbbProcess.start(temp, List.of(), file, listen.toArray(String[]::new));
        Capture capture = new Capture(pcap, listener.port())) {
      List<String> call = new ArrayList<>(List.of("ledbat", "cat", text(capture.address())));
      call.addAll(List.of(options));
      try (EbbProcess caller =
          EbbProcess.start(temp, List.of(), file, call.toArray(String[]::new))) {
        assertThat(caller.exitCode()).as(caller.err()).isZero();
        assertThat(listener.exitCode()).as(listener.err()).isZero();
      }
    }
    assertIsUtp();
  }

  @Test
  void filesAreUtp() throws Exception {
    files();
  }

  @Test
  @Tag("long")
  void filesWithAKeyAreUtp() throws Exception {
    files("--key-file", keyFile().toString());
  }

  @Test
  @Tag("long")
  void catIsUtp() throws Exception {
    cat();
  }

  @Test
  void catWithAKeyIsUtp() throws Exception {
    cat("--key-file", keyFile().toString());
  }

  @Test
  void messagesAndStreamsAreUtp() throws Exception {
    messagesAndStreams(false);
  }

  @Test
  void messagesAndStreamsWithAKeyAreUtp() throws Exception {
    messagesAndStreams(true);
  }

  private record Node(
      EbbAddress address, Consumer<KompicsEvent> network, Consumer<KompicsEvent> streams) {}

  private void messagesAndStreams(boolean keyed) throws Exception {
    BlockingQueue<KompicsEvent> events = new LinkedBlockingQueue<>();
    List<EbbAddress> free = List.of(freeAddress(), freeAddress());
    try (KompicsSystem<List<Node>> system =
        KompicsSystem.start(
            components -> {
              List<Node> nodes = new ArrayList<>();
              nodes.add(node(components, free.get(0), keyed, events));
              nodes.add(node(components, free.get(1), keyed, events));
              return nodes;
            },
            Throwable::printStackTrace)) {
      next(events, ListeningStatus.class);
      next(events, ListeningStatus.class);
      Node alice = system.handle().get(0);
      Node bob = system.handle().get(1);
      try (Capture capture = new Capture(pcap, bob.address.getPort())) {
        EbbAddress relay = EbbAddress.of(capture.address());
        EbbHeader header = new EbbHeader(alice.address, relay, Transport.LEDBAT);
        alice.network.accept(
            MessageNotify.createWithDeliveryNotification(new PayloadMsg(header, 1, content)));
        next(events, MessageNotify.Resp.class);
        next(events, MessageNotify.Resp.class);
        long id = LedbatStreams.newStreamId();
        alice.streams.accept(new LedbatStreams.Connect(id, capture.address()));
        next(events, LedbatStreams.Connected.class);
        alice.streams.accept(new LedbatStreams.Write(id, ByteBuffer.wrap(content)));
        alice.streams.accept(new LedbatStreams.Finish(id));
        next(events, LedbatStreams.PeerFinished.class);
      }
    }
    assertIsUtp();
  }

  private static EbbAddress freeAddress() throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    try (DatagramSocket free = new DatagramSocket(0, loopback)) {
      return EbbAddress.of(loopback, free.getLocalPort());
    }
  }

  private Node node(
      KompicsSystem.Components components,
      EbbAddress self,
      boolean keyed,
      BlockingQueue<KompicsEvent> events) {
    EbbNetwork.Init init =
        new EbbNetwork.Init(self, LedbatConfig.defaults(), new UnpredictableRandom()).withoutTcp();
    if (keyed) {
      init = init.withKeys(new KeyRing(new PresharedKey(secret)));
    }
    Component component = components.create(EbbNetwork.class, init);
    Consumer<KompicsEvent> streams = components.into(component, LedbatStreams.class);
    components.on(component, Network.class, MessageNotify.Resp.class, events::add);
    components.on(component, NetworkControl.class, ListeningStatus.class, events::add);
    components.on(component, LedbatStreams.class, LedbatStreams.Connected.class, events::add);
    components.on(component, LedbatStreams.class, LedbatStreams.PeerFinished.class, events::add);
    components.on(
        component,
        LedbatStreams.class,
        LedbatStreams.Accepted.class,
        e -> streams.accept(new LedbatStreams.Demand(e.streamId(), Long.MAX_VALUE)));
    return new Node(self, components.into(component, Network.class), streams);
  }

  private static void next(BlockingQueue<KompicsEvent> events, Class<? extends KompicsEvent> type)
      throws InterruptedException {
    assertThat(events.poll(60, TimeUnit.SECONDS)).isInstanceOf(type);
  }
}
