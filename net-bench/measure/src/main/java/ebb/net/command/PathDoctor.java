package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.ledbat.command.RouteMtu;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.echo.EchoCounts;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoSchedule;
import ebb.net.udp.UdpClientOptions;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/**
 * Whether the path to a server loses large packets that this machine's device lets out, and says
 * nothing: an MTU black hole. Echoes of two sizes show it.
 */
final class PathDoctor {
  private static final int ECHOES = 20;
  private static final long INTERVAL_MICROS = 20_000;
  private static final long WAIT_MICROS = 1_000_000;
  private static final int SMALL_BYTES = 64;
  private static final int IPV4_UDP_BYTES = 28;
  private static final int IPV6_UDP_BYTES = 48;

  /** Larger ones are no packets of the wider network. */
  private static final int MAX_MTU = 9_000;

  private final NetPathOptions path;
  private final NetSession session;

  PathDoctor(NetPathOptions path, NetSession session) {
    this.path = path;
    this.session = session;
  }

  /** Asks the path. */
  void ask(String host, Map<String, String> facts, List<String> warnings)
      throws InterruptedException {
    InetSocketAddress server = path.server(host);
    boolean ipv6 = server.getAddress() instanceof Inet6Address;
    int mtu = Math.min(MAX_MTU, mtuTowards(server));
    int large = mtu - (ipv6 ? IPV6_UDP_BYTES : IPV4_UDP_BYTES);
    EchoCounts small = echoes(server, SMALL_BYTES);
    EchoCounts whole = echoes(server, large);
    judge(mtu, small, whole, facts, warnings);
  }

  /** What echoes of both sizes say. */
  static void judge(
      int mtu,
      EchoCounts small,
      EchoCounts large,
      Map<String, String> facts,
      List<String> warnings) {
    facts.put("path_small_packets", small.received() + " of " + small.transmitted() + " answered");
    facts.put(
        "path_packets_of_" + mtu + "_bytes",
        large.received() + " of " + large.transmitted() + " answered");
    if (small.received() == 0) {
      warnings.add("no UDP echo was answered: a firewall, or a server without plain UDP");
    } else if (large.received() == 0) {
      warnings.add(
          "packets of "
              + mtu
              + " bytes, the device's MTU, vanish on the way while small ones arrive: an MTU black"
              + " hole; give the device a smaller MTU");
    } else if (small.lost() > 0) {
      warnings.add(
          "the path lost " + small.lost() + " of " + small.transmitted() + " small packets");
    }
  }

  private EchoCounts echoes(InetSocketAddress server, int bytes) throws InterruptedException {
    EchoLog log = new EchoLog(WAIT_MICROS, false, reply -> {});
    TestSpec spec =
        TestSpec.of("udp", Mode.ECHO)
            .messageBytes(bytes)
            .bitsPerSecond(8_000_000L * bytes / INTERVAL_MICROS)
            .amountBytes((long) bytes * ECHOES)
            .parameter(EchoSchedule.INTERVAL, INTERVAL_MICROS)
            .build();
    EbbException failure =
        session
            .run(path.plan(server, spec).flows(UdpClientOptions.counting(log)).build())
            .failure();
    if (failure != null) {
      throw failure;
    }
    return log.counts();
  }

  /** Of the device that packets to there leave by; no packet is sent. */
  private static int mtuTowards(InetSocketAddress server) {
    try {
      int mtu = RouteMtu.onTheWayTo(server);
      return mtu == 0 ? 1_500 : mtu;
    } catch (IOException unreachable) {
      throw new EbbException(
          ExitCode.CANNOT_CONNECT, "no route to " + server.getHostString(), unreachable);
    }
  }
}
