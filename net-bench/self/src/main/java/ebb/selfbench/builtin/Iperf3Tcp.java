package ebb.selfbench.builtin;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.Program;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** iperf3 with itself: the kernel's TCP as others measure it. */
final class Iperf3Tcp implements Subject {
  private static final int TRIES = 20;
  private static final long TRY_MILLIS = 100;

  @Override
  public String name() {
    return "iperf3";
  }

  @Override
  public String what() {
    return "iperf3, TCP, 128 KiB writes";
  }

  @Override
  public String missing(BenchContext context) {
    return Program.isInstalled(name()) ? "" : "iperf3 is not installed";
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    String port = String.valueOf(freePort());
    String seconds = String.valueOf(Math.max(1, Math.round(period.millis() / 1e3)));
    String omit = String.valueOf(Math.max(1, Math.round(period.warmUpMillis() / 1e3)));
    try (PeerProcess server =
        new PeerProcess(name(), List.of("iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", port))) {
      for (int attempt = 1; ; attempt++) {
        try (PeerProcess client =
            new PeerProcess(
                name(),
                List.of(
                    "iperf3", "-c", "127.0.0.1", "-p", port, "-t", seconds, "-O", omit, "-J"))) {
          String said = client.readAll();
          // The server may not listen yet.
          if (said.contains("\"error\"") && attempt < TRIES) {
            Thread.sleep(TRY_MILLIS);
            continue;
          }
          server.end();
          return sample(said);
        }
      }
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "no free port: " + e.getMessage(), e);
    }
  }

  private static Sample sample(String said) {
    try {
      Map<String, Object> all = JSON.std.mapFrom(said);
      double bits = number(all, "end", "sum_received", "bits_per_second");
      double busy =
          number(all, "end", "cpu_utilization_percent", "host_total")
              + number(all, "end", "cpu_utilization_percent", "remote_total");
      return new Sample(bits / 8e6, busy / 100 / (bits / 8e9), Map.of());
    } catch (IOException | IllegalArgumentException e) {
      throw new EbbException(
          ExitCode.INCOMPLETE,
          String.format(Locale.ROOT, "iperf3's answer is not understood: %s", e.getMessage()),
          e);
    }
  }

  private static double number(Map<String, Object> all, String... path) {
    Object at = all;
    for (String name : path) {
      at = at instanceof Map<?, ?> map ? map.get(name) : null;
    }
    if (at instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException("no " + String.join(".", path));
  }
}
