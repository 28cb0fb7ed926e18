package ebb.net.command;

import ebb.core.process.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What network devices do to packets before a path does, as {@code tc} and {@code ethtool} say
 * where they are installed: queue disciplines and offloads. It changes nothing.
 */
final class DevicesDoctor {
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private static final Pattern QDISC = Pattern.compile("qdisc (\\S+) \\S+ dev (\\S+) .*");
  private static final Pattern OFF = Pattern.compile("\\s*(\\S+): off( .*)?");

  /** Without these a CPU has a packet's work for each packet. */
  private static final List<String> WANTED =
      List.of("generic-segmentation-offload", "generic-receive-offload");

  private DevicesDoctor() {}

  /** Asks for all devices of this machine; nothing that is not installed is told. */
  static void ask(List<String> devices, Map<String, String> facts, List<String> warnings)
      throws InterruptedException {
    qdiscs(output("tc", "qdisc", "show"), facts, warnings);
    if (!Program.isInstalled("ethtool")) {
      facts.put("offloads", "unknown, ethtool is not installed");
      return;
    }
    for (String device : devices) {
      offloads(device, output("ethtool", "-k", device), facts, warnings);
    }
  }

  private static String output(String... command) throws InterruptedException {
    if (!Program.isInstalled(command[0])) {
      return "";
    }
    try {
      return Program.of(command).run(ANSWER).output();
    } catch (IOException unwilling) {
      return ""; // Such as a device that has no such thing.
    }
  }

  /** What {@code tc qdisc show} says. */
  static void qdiscs(String told, Map<String, String> facts, List<String> warnings) {
    for (String line : told.lines().toList()) {
      Matcher qdisc = QDISC.matcher(line);
      if (!qdisc.matches()) {
        continue;
      }
      String kind = qdisc.group(1);
      String device = qdisc.group(2);
      facts.merge("qdisc_" + device, kind, (a, b) -> a.contains(b) ? a : a + ", " + b);
      if (kind.equals("netem") || kind.equals("tbf")) {
        warnings.add(
            "the queue discipline of "
                + device
                + " is "
                + kind
                + ", which "
                + (kind.equals("netem") ? "delays or loses packets" : "bounds the rate")
                + " on this machine");
      }
    }
  }

  /** What {@code ethtool -k} says of one device. */
  static void offloads(
      String device, String told, Map<String, String> facts, List<String> warnings) {
    List<String> off = new ArrayList<>();
    for (String line : told.lines().toList()) {
      Matcher feature = OFF.matcher(line);
      if (feature.matches() && WANTED.contains(feature.group(1))) {
        off.add(feature.group(1));
      }
    }
    if (told.isBlank()) {
      return;
    }
    facts.put("offloads_" + device, off.isEmpty() ? "on" : "off: " + String.join(", ", off));
    for (String feature : new TreeSet<>(off)) {
      warnings.add(feature + " of " + device + " is off: fast streams cost more CPU time");
    }
  }
}
