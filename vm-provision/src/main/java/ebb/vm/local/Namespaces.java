package ebb.vm.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Network namespaces of Linux, by {@code ip}. */
public final class Namespaces {
  private Namespaces() {}

  /** Why there can be none here; empty when there can. */
  public static String trouble() throws InterruptedException {
    try {
      if (!Files.isReadable(Path.of("/dev/net/tun"))) {
        return "there is no /dev/net/tun";
      }
      String name = "ebbvm-probe-" + ProcessHandle.current().pid();
      Shell.Ended added = Shell.run("ip", "netns", "add", name);
      if (!added.isDone()) {
        return added.lastLine();
      }
      Shell.run("ip", "netns", "del", name);
      return "";
    } catch (IOException noTool) {
      return "there is no ip command";
    }
  }

  static void make(String name) throws IOException, InterruptedException {
    checked(Shell.run("ip", "netns", "add", name));
    checked(Shell.run("ip", "-n", name, "link", "set", "lo", "up"));
    Shell.run(
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
      checked(Shell.run("ip", "netns", "del", name));
    }
  }

  static void checked(Shell.Ended ended) throws IOException {
    if (!ended.isDone()) {
      throw new IOException("ip: " + ended.lastLine());
    }
  }
}
