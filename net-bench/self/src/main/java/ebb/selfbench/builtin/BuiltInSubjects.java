package ebb.selfbench.builtin;

import ebb.selfbench.process.MeasuredProcess;
import ebb.selfbench.side.BenchMode;
import ebb.selfbench.side.Sides;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Headline;
import ebb.selfbench.subject.ProcessPair;
import ebb.selfbench.subject.Results;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Side;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import se.sics.kompics.network.Transport;

/** The subjects that Ebb brings along, in the order in which they take turns. */
public final class BuiltInSubjects {
  private static final String UTP_NATIVE = "utp-native";
  private static final String KEYED = "ebb-key";
  private static final String QUINN = "quinn";
  private static final int CONNECTIONS = 1_000;
  private static final int ECHOES_PER_SECOND = 200;
  private static final int DELAYS_PER_SECOND = 1_000;
  private static final double TWO_GIGABITS_IN_MEGABYTES = 250;

  private BuiltInSubjects() {}

  public static List<Subject> all() {
    Side utpSink = UtpNative.side("receive");
    Side utpSource = UtpNative.side("send");
    return List.of(
        ebb(BenchMode.AUTO)
            .targets(
                Target.rates(1, "one connection / libutp", "ebb", UTP_NATIVE).atLeast(5),
                Target.rates(1, "one connection / NettyNetwork TCP 64 KB", "ebb", "netty-tcp-64k")
                    .atLeast(3),
                Target.rates(1, "one connection / bare UDP", "ebb", "raw").atLeast(0.4),
                Target.of(
                        1,
                        "CPU s/GB, both sides: one connection / libutp",
                        run -> run.ratio(Sample::cpuSecondsPerGigabyte, "ebb", UTP_NATIVE),
                        "ebb",
                        UTP_NATIVE)
                    .atMost(0.25),
                Target.rates(1, "one connection / iperf3's TCP", "ebb", "iperf3").atLeast(1),
                Target.of(
                        1,
                        "CPU s/GB: one connection / iperf3's TCP",
                        run -> run.ratio(Sample::cpuSecondsPerGigabyte, "ebb", "iperf3"),
                        "ebb",
                        "iperf3")
                    .atMost(1.5),
                allocated("sender"),
                allocated("receiver")),
        raw(BenchMode.AUTO),
        ebb(BenchMode.EPOLL)
            .targets(
                Target.rates(3, "epoll: one connection / bare UDP", "ebb-epoll", "raw-epoll")
                    .atLeast(0.8)),
        raw(BenchMode.EPOLL),
        ebb(BenchMode.NIO)
            .targets(
                Target.rates(3, "NIO: one connection / bare UDP", "ebb-nio", "raw-nio")
                    .atLeast(0.8)),
        raw(BenchMode.NIO),
        ProcessPair.of(
                KEYED, "Ebb, one stream with a key", Sides.keyedStream(), Sides.keyedStream())
            .targets(Target.rates(10, "stream with a key / quinn", KEYED, QUINN).atLeast(1.5)),
        ProcessPair.of(QUINN, "QUIC (Rust quinn), encrypted", quinn("receive"), quinn("send"))
            .missing(BuiltInSubjects::quinnMissing),
        ProcessPair.of("tcp", "kernel TCP from Java", Sides.tcp(), Sides.tcp()),
        ProcessPair.of(
                UTP_NATIVE, "libutp (npm utp-native), 4 MB socket buffers", utpSink, utpSource)
            .missing(context -> context.peers().missing(UTP_NATIVE)),
        new StreamPeer("librqbit-utp", "librqbit-utp (Rust), content hashed", 60_000_000),
        new StreamPeer("anacrolix-utp", "anacrolix/utp (Go), content hashed", 20_000_000),
        new Libtorrent(),
        new Iperf3Tcp(),
        messages("netty-tcp-64k", Transport.TCP, 65_000),
        messages("netty-tcp-10k", Transport.TCP, 10_000),
        messages("netty-tcp-1k", Transport.TCP, 1_000),
        messages("netty-udp-64k", Transport.UDP, 65_000),
        messages("netty-udp-10k", Transport.UDP, 10_000),
        messages("netty-udp-1k", Transport.UDP, 1_000),
        messages("port-1m", Transport.LEDBAT, 1_000_000)
            .targets(Target.rates(2, "1 MB messages / stream", "port-1m", "ebb").atLeast(0.8)),
        messages("port-10k", Transport.LEDBAT, 10_000)
            .targets(
                Target.rates(2, "10 KB messages / NettyNetwork TCP", "port-10k", "netty-tcp-10k")
                    .atLeast(3)),
        messages("port-1k", Transport.LEDBAT, 1_000)
            .targets(
                Target.rates(2, "1 KB messages / NettyNetwork TCP", "port-1k", "netty-tcp-1k")
                    .atLeast(4)),
        ProcessPair.of(
                "veth-ebb",
                "Ebb over veth, MTU 1500",
                Sides.streamSink(BenchMode.AUTO, true),
                Sides.streamSource(BenchMode.AUTO))
            .overVeth()
            .targets(
                Target.of(4, "veth, MTU 1500", run -> run.rate("veth-ebb"), "veth-ebb")
                    .atLeast(TWO_GIGABITS_IN_MEGABYTES, "MB/s")),
        ProcessPair.of("veth-libutp", "libutp over veth", utpSink, utpSource)
            .missing(context -> context.peers().missing(UTP_NATIVE))
            .overVeth(),
        ProcessPair.of(
                "veth-libutp-ebb",
                "libutp to Ebb over veth",
                Sides.streamSink(BenchMode.AUTO, false),
                utpSource)
            .missing(context -> context.peers().missing(UTP_NATIVE))
            .overVeth()
            .targets(
                Target.rates(
                        4, "libutp to Ebb / libutp to libutp", "veth-libutp-ebb", "veth-libutp")
                    .atLeast(1)),
        ProcessPair.of("veth-tcp", "kernel TCP over veth", Sides.tcp(), Sides.tcp()).overVeth(),
        crowd("crowd", 1)
            .targets(
                Target.rates(5, "1,000 connections / one", "crowd", "ebb").atLeast(0.7),
                Target.of(5, "slowest / mean of the 1,000", BuiltInSubjects::slowestByMean, "crowd")
                    .atLeast(0.5)),
        crowd("crowd-2-loops", 2),
        echo(true)
            .targets(
                Target.of(
                        8,
                        "p99 of a 100-byte echo / plain UDP's",
                        run ->
                            run.detail("echo-ebb", "sender_p99_micros")
                                / run.detail("echo-udp", "sender_p99_micros"),
                        "echo-ebb",
                        "echo-udp")
                    .atMost(3)),
        echo(false),
        delayNoise(),
        new PipeTransfer(PipeTransfer.Kind.CAT),
        new PipeTransfer(PipeTransfer.Kind.KEYED_CAT),
        new PipeTransfer(PipeTransfer.Kind.SOCAT),
        new FileTransfer(FileTransfer.Kind.LARGE),
        new FileTransfer(FileTransfer.Kind.KEYED),
        new FileCopy(),
        new Rsync(SourceFiles.LARGE),
        new FileTransfer(FileTransfer.Kind.SMALL),
        new Rsync(SourceFiles.SMALL),
        StartTime.saying("--version", 400),
        StartTime.saying("--help", 500),
        StartTime.sending(1_000),
        new BulkTransfer(),
        new LongFatPath());
  }

  /** One LEDBAT connection. */
  public static ProcessPair ebb(BenchMode mode) {
    return ProcessPair.of(
        "ebb" + suffix(mode),
        "Ebb, one connection" + words(mode),
        Sides.streamSink(mode, true),
        Sides.streamSource(mode));
  }

  /** Bare datagrams the same way. */
  public static ProcessPair raw(BenchMode mode) {
    return ProcessPair.of(
        "raw" + suffix(mode),
        "bare UDP datagrams" + words(mode),
        Sides.rawSink(mode),
        Sides.rawSource(mode));
  }

  private static Target allocated(String side) {
    return Target.of(
            7,
            "allocated by the " + side,
            run -> run.detail("ebb", side + "_allocated_bytes_per_packet"),
            "ebb")
        .atMost(64, "B/packet");
  }

  private static Side quinn(String role) {
    return (context, host, peer) -> {
      List<String> command = new ArrayList<>(host.prefix());
      command.addAll(List.of(context.peers().program(QUINN).toString(), role, host.address()));
      command.addAll(peer);
      return new MeasuredProcess(QUINN, command);
    };
  }

  private static String quinnMissing(BenchContext context) {
    return context.peers().missing(QUINN).replace("/install", "/install --quinn");
  }

  private static ProcessPair messages(String name, Transport transport, int messageBytes) {
    Side side = Sides.messages(transport, messageBytes);
    String through =
        transport == Transport.LEDBAT
            ? "Ebb through Kompics' Network port"
            : "Kompics' NettyNetwork, " + transport;
    return ProcessPair.of(
        name, String.format(Locale.ROOT, "%s, %,d B messages", through, messageBytes), side, side);
  }

  private static ProcessPair crowd(String name, int loops) {
    String what = String.format(Locale.ROOT, "Ebb, %,d connections of one port", CONNECTIONS);
    return ProcessPair.of(
        name,
        loops == 1 ? what : what + ", " + loops + " loops a side",
        Sides.crowdSink(CONNECTIONS, loops),
        Sides.crowdSource(CONNECTIONS, loops));
  }

  private static double slowestByMean(Results run) {
    return run.detail("crowd", "receiver_slowest_bytes")
        * run.detail("crowd", "receiver_connections")
        / run.detail("crowd", "receiver_bytes");
  }

  private static ProcessPair echo(boolean ledbat) {
    return ProcessPair.of(
            ledbat ? "echo-ebb" : "echo-udp",
            "100-byte echo, " + ECHOES_PER_SECOND + "/s, " + (ledbat ? "Ebb" : "plain UDP"),
            Sides.echoServer(ledbat),
            Sides.echoClient(ledbat, ECHOES_PER_SECOND))
        .headline(Headline.latency("sender_"));
  }

  private static ProcessPair delayNoise() {
    return ProcessPair.of(
            "delay-noise",
            "one-way delay on an idle path, " + DELAYS_PER_SECOND + " packets/s",
            Sides.streamSink(BenchMode.AUTO, false),
            Sides.delaySource(DELAYS_PER_SECOND))
        .headline(Headline.latency("sender_delay_"))
        .targets(
            Target.of(
                    8,
                    "p99 of one-way delay noise, 1,000 packets/s",
                    run -> run.detail("delay-noise", "sender_delay_p99_micros"),
                    "delay-noise")
                .atMost(200, "us"));
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
