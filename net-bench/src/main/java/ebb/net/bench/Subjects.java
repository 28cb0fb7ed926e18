package ebb.net.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every path that can be measured, in the order in which they take turns. */
final class Subjects {
  private Subjects() {}

  static List<Subject> all(int datagramBytes, PeerPrograms peers) {
    List<Subject> all = new ArrayList<>();
    for (BenchMode mode : List.of(BenchMode.AUTO, BenchMode.EPOLL, BenchMode.NIO)) {
      all.add(ebb(mode, datagramBytes));
      all.add(raw(mode, datagramBytes));
    }
    all.add(
        Pair.onLoopback(
                "utp-native",
                "libutp (npm utp-native), 4 MB socket buffers",
                peers.utpNative("receive"),
                peers.utpNative("send"))
            .missing(peers.missing("utp-native")));
    return all;
  }

  /** One LEDBAT connection. */
  static Pair ebb(BenchMode mode, int datagramBytes) {
    String size = String.valueOf(datagramBytes);
    return Pair.onLoopback(
        "ebb" + suffix(mode),
        "Ebb, one connection" + words(mode),
        Side.jvm(StreamSink.class, mode.name(), size, "true"),
        Side.jvm(StreamSource.class, mode.name(), size));
  }

  /** Bare datagrams the same way. */
  static Pair raw(BenchMode mode, int datagramBytes) {
    return Pair.onLoopback(
        "raw" + suffix(mode),
        "bare UDP datagrams" + words(mode),
        Side.jvm(RawSink.class, mode.name()),
        Side.jvm(RawSource.class, mode.name(), String.valueOf(datagramBytes)));
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
