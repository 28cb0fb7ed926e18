package ebb.selfbench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The nine targets of Ebb's speed, and what a run says about each. A ratio is the median of the
 * ratios of its rounds: a machine that is shared changes its pace from minute to minute, and both
 * sides of a round with it.
 */
final class Targets {
  static final String NOT_ASKED_FOR = " was not asked for";

  private static final double MEBIBYTE = 1 << 20;
  private static final double TWO_GIGABITS_IN_MEGABYTES = 250;

  private final Map<String, Series> byName = new HashMap<>();
  private final List<Verdict> verdicts = new ArrayList<>();

  private Targets(List<Series> series) {
    series.forEach(one -> byName.put(one.name(), one));
  }

  /** All of them, in order. */
  static List<Verdict> judge(List<Series> series) {
    Targets targets = new Targets(series);
    targets.connection();
    targets.messages();
    targets.withoutOffloads();
    targets.device();
    targets.crowd();
    targets.longFatPath();
    targets.memory();
    targets.latency();
    targets.file();
    return List.copyOf(targets.verdicts);
  }

  private void connection() {
    rates(1, "one connection / libutp", "ebb", "utp-native", 5);
    rates(1, "one connection / NettyNetwork TCP 64 KB", "ebb", "netty-tcp-64k", 3);
    rates(1, "one connection / bare UDP", "ebb", "raw", 0.4);
    add(
        Verdict.atMost(
            1,
            "CPU s/GB, both sides: one connection / libutp",
            ratio(Sample::cpuSecondsPerGigabyte, "ebb", "utp-native"),
            0.25,
            ""),
        "ebb",
        "utp-native");
  }

  private void messages() {
    rates(2, "1 MB messages / stream", "port-1m", "ebb", 0.8);
    rates(2, "10 KB messages / NettyNetwork TCP", "port-10k", "netty-tcp-10k", 3);
    rates(2, "1 KB messages / NettyNetwork TCP", "port-1k", "netty-tcp-1k", 4);
  }

  private void withoutOffloads() {
    rates(3, "NIO: one connection / bare UDP", "ebb-nio", "raw-nio", 0.8);
    rates(3, "epoll: one connection / bare UDP", "ebb-epoll", "raw-epoll", 0.8);
  }

  private void device() {
    add(
        Verdict.atLeast(4, "veth, MTU 1500", rate("veth-ebb"), TWO_GIGABITS_IN_MEGABYTES, "MB/s"),
        "veth-ebb");
    rates(4, "libutp to Ebb / libutp to libutp", "veth-libutp-ebb", "veth-libutp", 1);
  }

  private void crowd() {
    rates(5, "1,000 connections / one", "crowd", "ebb", 0.7);
    Series crowd = byName.get("crowd");
    double slowest = Double.NaN;
    if (crowd != null && crowd.measured()) {
      slowest =
          crowd.detail("receiver_slowest_bytes")
              * crowd.detail("receiver_connections")
              / crowd.detail("receiver_bytes");
    }
    add(Verdict.atLeast(5, "slowest / mean of the 1,000", slowest, 0.5, ""), "crowd");
  }

  private void longFatPath() {
    add(
        Verdict.atLeast(
            6,
            "1 Gbit/s x 200 ms, simulated: share of the link",
            detail(LongFatPath.NAME, LongFatPath.UTILISATION),
            0.9,
            ""),
        LongFatPath.NAME);
  }

  private void memory() {
    add(Verdict.atMost(7, "allocated by the sender", allocated("sender"), 64, "B/packet"), "ebb");
    add(
        Verdict.atMost(7, "allocated by the receiver", allocated("receiver"), 64, "B/packet"),
        "ebb");
    add(
        Verdict.atMost(7, "longest pause of the collector", longestPause(), 10, "ms"),
        BulkTransfer.NAME);
    double heap =
        Math.max(
            detail(BulkTransfer.NAME, "sender_heap_peak_bytes"),
            detail(BulkTransfer.NAME, "receiver_heap_peak_bytes"));
    add(
        Verdict.atMost(7, "heap of a 10 GiB transfer", heap / MEBIBYTE, 256, "MiB"),
        BulkTransfer.NAME);
  }

  private double allocated(String side) {
    return detail("ebb", side + "_allocated_bytes_per_packet");
  }

  private double longestPause() {
    return Math.max(
        detail(BulkTransfer.NAME, "sender_gc_max_millis"),
        detail(BulkTransfer.NAME, "receiver_gc_max_millis"));
  }

  private void latency() {
    double ebb = detail("echo-ebb", "sender_p99_micros");
    double udp = detail("echo-udp", "sender_p99_micros");
    add(
        Verdict.atMost(8, "p99 of a 100-byte echo / plain UDP's", ebb / udp, 3, ""),
        "echo-ebb",
        "echo-udp");
    add(
        Verdict.atMost(
            8,
            "p99 of one-way delay noise, 1,000 packets/s",
            detail("delay-noise", "sender_delay_p99_micros"),
            200,
            "us"),
        "delay-noise");
  }

  private void file() {
    rates(9, "file to file with SHA-256 / stream", FileTransfer.NAME, "ebb", 0.8);
  }

  private void rates(int target, String what, String above, String below, double atLeast) {
    add(
        Verdict.atLeast(target, what, ratio(Sample::megabytesPerSecond, above, below), atLeast, ""),
        above,
        below);
  }

  private double ratio(ToDoubleFunction<Sample> figure, String above, String below) {
    Series first = byName.get(above);
    Series second = byName.get(below);
    return first != null && second != null ? first.ratioTo(second, figure) : Double.NaN;
  }

  private double rate(String name) {
    Series series = byName.get(name);
    return series != null && series.measured() ? series.rate().median() : Double.NaN;
  }

  private double detail(String name, String detail) {
    Series series = byName.get(name);
    return series == null ? Double.NaN : series.detail(detail);
  }

  private void add(Verdict verdict, String... needed) {
    if (verdict.wasMeasured()) {
      verdicts.add(verdict);
      return;
    }
    for (String name : needed) {
      Series series = byName.get(name);
      if (series == null) {
        verdicts.add(verdict.because(name + NOT_ASKED_FOR));
        return;
      }
      if (!series.measured()) {
        verdicts.add(
            verdict.because(series.missing().isEmpty() ? name + " failed" : series.missing()));
        return;
      }
    }
    verdicts.add(verdict.because("a figure is missing"));
  }
}
