package ebb.vm.local;

import ebb.core.process.Program;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Network namespaces of Linux, by {@code ip}. */
public final class Namespaces {
  private static final Duration AT_MOST = Duration.ofMinutes(1);

  private Namespaces() {}

  /** Why there can be none here; empty when there can. */
  public static String trouble() throws InterruptedException {
    try {
      if (!Files.isReadable(Path.of("/dev/net/tun"))) {
        return "there is no /dev/net/tun";
      }
      String name = "ebbvm-probe-" + ProcessHandle.current().pid();
      Program.Ended added = run("ip", "netns", "add", name);
      if (!added.isDone()) {
        return added.lastLine();
      }
      run("ip", "netns", "del", name);
      return "";
    } catch (IOException noTool) {
      return OneLine.of(noTool);
    }
  }

  static void make(String name) throws IOException, InterruptedException {
    checked(run("ip", "netns", "add", name));
    checked(run("ip", "-n", name, "link", "set", "lo", "up"));
    run(
        "ip",
        "netns",
        "exec",
        name,
        "sysctl",
        "-q",
        "-w",
        "net.ipv6.conf.all.disable_ipv6=1",
        "net.ipv6.conf.default.disable_ipv6=1",
        // A measurement must not begin with what the one before it found out.
        "net.ipv4.tcp_no_metrics_save=1",
        "net.ipv4.tcp_rmem=4096 131072 33554432",
        "net.ipv4.tcp_wmem=4096 16384 33554432");
  }

  /** Whether this process is in it. */
  static boolean isMine(String name) {
    try {
      Object there = Files.getAttribute(Path.of("/run/netns", name), "unix:ino");
      return there.equals(Files.getAttribute(Path.of("/proc/self/ns/net"), "unix:ino"));
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }

  static void remove(String name) throws IOException, InterruptedException {
    if (Files.exists(Path.of("/run/netns", name))) {
      checked(run("ip", "netns", "del", name));
    }
  }

  static Program.Ended run(String... words) throws IOException, InterruptedException {
    return Program.of(words).run(AT_MOST);
  }

  static void checked(Program.Ended ended) throws IOException {
    if (!ended.isDone()) {
      throw new IOException("ip: " + ended.lastLine());
    }
  }
}
