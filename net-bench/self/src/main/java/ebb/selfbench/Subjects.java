package ebb.selfbench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Transport;

/** Every path that can be measured, in the order in which they take turns. */
final class Subjects {
  private static final int CONNECTIONS = 1_000;
  private static final int ECHOES_PER_SECOND = 200;
  private static final int DELAYS_PER_SECOND = 1_000;
  private static final List<Map.Entry<String, Integer>> NETTY_SIZES =
      List.of(Map.entry("64k", 65_000), Map.entry("10k", 10_000), Map.entry("1k", 1_000));
  private static final List<Map.Entry<String, Integer>> PORT_SIZES =
      List.of(Map.entry("1m", 1_000_000), Map.entry("10k", 10_000), Map.entry("1k", 1_000));

  private final int datagramBytes;
  private final PeerPrograms peers;
  private final Namespaces namespaces;
  private final @Nullable Path directory;

  Subjects(int datagramBytes, PeerPrograms peers, Namespaces namespaces, @Nullable Path directory) {
    this.datagramBytes = datagramBytes;
    this.peers = peers;
    this.namespaces = namespaces;
    this.directory = directory;
  }

  List<Subject> all() {
    List<Subject> all = new ArrayList<>();
    for (BenchMode mode : List.of(BenchMode.AUTO, BenchMode.EPOLL, BenchMode.NIO)) {
      all.add(ebb(mode, datagramBytes));
      all.add(raw(mode, datagramBytes));
    }
    all.add(tcp());
    all.add(libutp());
    others(all);
    NETTY_SIZES.forEach(size -> all.add(messages("netty-tcp-", Transport.TCP, size)));
    NETTY_SIZES.forEach(size -> all.add(messages("netty-udp-", Transport.UDP, size)));
    PORT_SIZES.forEach(size -> all.add(messages("port-", Transport.LEDBAT, size)));
    device(all);
    all.add(crowd());
    all.add(echo("ebb"));
    all.add(echo("udp"));
    all.add(delayNoise());
    all.add(new FileTransfer(directory));
    all.add(new FileCopy(directory));
    all.add(
        new BulkTransfer(
            sink(BenchMode.AUTO, datagramBytes, true), source(BenchMode.AUTO, datagramBytes)));
    all.add(new LongFatPath());
    return all;
  }

  /** One LEDBAT connection. */
  static Pair ebb(BenchMode mode, int datagramBytes) {
    return Pair.onLoopback(
        "ebb" + suffix(mode),
        "Ebb, one connection" + words(mode),
        sink(mode, datagramBytes, true),
        source(mode, datagramBytes));
  }

  /** Bare datagrams the same way. */
  static Pair raw(BenchMode mode, int datagramBytes) {
    return Pair.onLoopback(
        "raw" + suffix(mode),
        "bare UDP datagrams" + words(mode),
        Side.jvm(RawSink.class, mode.name()),
        Side.jvm(RawSource.class, mode.name(), String.valueOf(datagramBytes)));
  }

  private static Side sink(BenchMode mode, int datagramBytes, boolean verify) {
    return Side.jvm(
        StreamSink.class, mode.name(), String.valueOf(datagramBytes), String.valueOf(verify));
  }

  private static Side source(BenchMode mode, int datagramBytes) {
    return Side.jvm(StreamSource.class, mode.name(), String.valueOf(datagramBytes));
  }

  private static Pair tcp() {
    return Pair.onLoopback(
        "tcp", "kernel TCP from Java", Side.jvm(TcpStream.class), Side.jvm(TcpStream.class));
  }

  private Pair libutp() {
    return Pair.onLoopback(
            "utp-native",
            "libutp (npm utp-native), 4 MB socket buffers",
            peers.utpNative("receive"),
            peers.utpNative("send"))
        .missing(peers.missing("utp-native"));
  }

  private void others(List<Subject> all) {
    all.add(
        new StreamPeer(
            "librqbit-utp",
            "librqbit-utp (Rust), content hashed",
            peers.missing("librqbit-utp"),
            peers.program("librqbit-utp"),
            60_000_000));
    all.add(
        new StreamPeer(
            "anacrolix-utp",
            "anacrolix/utp (Go), content hashed",
            peers.missing("anacrolix-utp"),
            peers.program("anacrolix-utp"),
            20_000_000));
    all.add(new Libtorrent(peers.missing("libtorrent"), peers.program("libtorrent")));
    all.add(new Iperf3());
  }

  private Pair messages(String prefix, Transport transport, Map.Entry<String, Integer> size) {
    Side side =
        Side.jvm(
            MessageNode.class,
            transport.name(),
            String.valueOf(size.getValue()),
            String.valueOf(datagramBytes));
    String through =
        transport == Transport.LEDBAT
            ? "Ebb through Kompics' Network port"
            : "Kompics' NettyNetwork, " + transport;
    return Pair.onLoopback(
        prefix + size.getKey(),
        String.format(Locale.ROOT, "%s, %,d B messages", through, size.getValue()),
        side,
        side);
  }

  private void device(List<Subject> all) {
    Side ebbSink = sink(BenchMode.AUTO, datagramBytes, true);
    Side anySink = sink(BenchMode.AUTO, datagramBytes, false);
    Side ebbSource = source(BenchMode.AUTO, datagramBytes);
    Side utpSink = peers.utpNative("receive");
    Side utpSource = peers.utpNative("send");
    String noUtp = peers.missing("utp-native");
    all.add(veth("veth-ebb", "Ebb over veth, MTU 1500", "", ebbSink, ebbSource));
    all.add(veth("veth-libutp", "libutp over veth", noUtp, utpSink, utpSource));
    all.add(veth("veth-libutp-ebb", "libutp to Ebb over veth", noUtp, anySink, utpSource));
    Side tcp = Side.jvm(TcpStream.class);
    all.add(veth("veth-tcp", "kernel TCP over veth", "", tcp, tcp));
  }

  private Subject veth(String name, String what, String missing, Side receiver, Side sender) {
    return new VethPair(
        Pair.onLoopback(name, what, receiver, sender)
            .missing(missing)
            .between(namespaces.sender(), namespaces.receiver()),
        namespaces);
  }

  private Pair crowd() {
    String size = String.valueOf(datagramBytes);
    String count = String.valueOf(CONNECTIONS);
    return Pair.onLoopback(
        "crowd",
        String.format(Locale.ROOT, "Ebb, %,d connections of one endpoint", CONNECTIONS),
        Side.jvm(CrowdSink.class, BenchMode.AUTO.name(), size, count),
        Side.jvm(CrowdSource.class, BenchMode.AUTO.name(), size, count));
  }

  private Pair echo(String kind) {
    String size = String.valueOf(datagramBytes);
    String pace = String.valueOf(ECHOES_PER_SECOND);
    return Pair.onLoopback(
        "echo-" + kind,
        "100-byte echo, " + pace + "/s, " + (kind.equals("ebb") ? "Ebb" : "plain UDP"),
        Side.jvm(EchoServer.class, BenchMode.AUTO.name(), size, kind),
        Side.jvm(EchoClient.class, BenchMode.AUTO.name(), size, kind, pace));
  }

  private Pair delayNoise() {
    String pace = String.valueOf(DELAYS_PER_SECOND);
    return Pair.onLoopback(
        "delay-noise",
        "one-way delay on an idle path, " + pace + " packets/s",
        sink(BenchMode.AUTO, datagramBytes, false),
        Side.jvm(DelaySource.class, BenchMode.AUTO.name(), String.valueOf(datagramBytes), pace));
  }

  private static String suffix(BenchMode mode) {
    return mode == BenchMode.AUTO ? "" : "-" + mode.name().toLowerCase(Locale.ROOT);
  }

  private static String words(BenchMode mode) {
    return switch (mode) {
      case AUTO -> "";
      case NIO -> ", NIO";
      case EPOLL -> ", epoll without GSO and GRO";
      case OFFLOAD -> ", epoll with GSO and GRO";
    };
  }
}
