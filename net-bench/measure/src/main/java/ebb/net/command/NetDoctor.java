package ebb.net.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What of this machine would spoil measurements, as Linux tells it. Reads files only; what is not
 * there is not told.
 *
 * @param facts what was found
 * @param warnings one line each
 * @param devices of the network, by name
 */
record NetDoctor(Map<String, String> facts, List<String> warnings, List<String> devices) {
  private static final long WANTED_BUFFER_BYTES = 4 << 20;
  private static final int READ_BYTES = 1 << 16;
  private static final double MUCH_STEAL = 0.02;

  static NetDoctor ofThisMachine() {
    return of(Path.of("/"));
  }

  /** Of the machine whose files are below {@code root}. */
  static NetDoctor of(Path root) {
    Map<String, String> facts = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>();
    for (String which : List.of("rmem_max", "wmem_max")) {
      String value = read(root.resolve("proc/sys/net/core/" + which));
      if (value != null) {
        facts.put("net.core." + which, value);
        if (number(value) < WANTED_BUFFER_BYTES) {
          warnings.add(
              "net.core."
                  + which
                  + " is "
                  + value
                  + ": UDP's socket buffers are cut to it and bursts may be lost (4194304 is"
                  + " good)");
        }
      }
    }
    String clock =
        read(root.resolve("sys/devices/system/clocksource/clocksource0/current_clocksource"));
    if (clock != null) {
      facts.put("clock_source", clock);
      if (!List.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page")
          .contains(clock)) {
        warnings.add("the clock source is " + clock + ": reading the time is slow");
      }
    }
    String congestion = read(root.resolve("proc/sys/net/ipv4/tcp_congestion_control"));
    if (congestion != null) {
      facts.put("tcp_congestion_control", congestion);
    }
    load(root, facts, warnings);
    steal(root, facts, warnings);
    governor(root, facts, warnings);
    return new NetDoctor(facts, warnings, mtu(root, facts));
  }

  private static void load(Path root, Map<String, String> facts, List<String> warnings) {
    String load = read(root.resolve("proc/loadavg"));
    String cpus = read(root.resolve("proc/stat"));
    if (load == null || cpus == null) {
      return;
    }
    long count = cpus.lines().filter(line -> line.matches("cpu\\d+ .*")).count();
    String now = load.split(" ", -1)[0];
    facts.put("load", now + " on " + count + " CPUs");
    if (count > 0 && number(now) > count) {
      warnings.add("the load is " + now + " on " + count + " CPUs: others work on this machine");
    }
  }

  private static void steal(Path root, Map<String, String> facts, List<String> warnings) {
    String stat = read(root.resolve("proc/stat"));
    if (stat == null) {
      return;
    }
    String[] words = stat.lines().findFirst().orElse("").trim().split("\\s+", -1);
    if (words.length < 9) {
      return;
    }
    double total = 0;
    for (int i = 1; i <= 8; i++) {
      total += Math.max(0, number(words[i]));
    }
    double share = total <= 0 ? 0 : number(words[8]) / total;
    facts.put("steal", String.format(Locale.ROOT, "%.2f%% since boot", 100 * share));
    if (share > MUCH_STEAL) {
      warnings.add(
          String.format(
              Locale.ROOT, "the hypervisor took %.1f%% of the CPU time since boot", 100 * share));
    }
  }

  private static void governor(Path root, Map<String, String> facts, List<String> warnings) {
    String governor = read(root.resolve("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    if (governor == null) {
      facts.put("cpu_governor", "unknown, such as in a virtual machine");
    } else {
      facts.put("cpu_governor", governor);
      if (governor.equals("powersave") || governor.equals("conservative")) {
        warnings.add(
            "the CPU governor is "
                + governor
                + ": short runs and round trips are slower than the machine is");
      }
    }
  }

  private static List<String> mtu(Path root, Map<String, String> facts) {
    List<String> found = new ArrayList<>();
    try (var devices = Files.list(root.resolve("sys/class/net"))) {
      for (Path device : devices.sorted().toList()) {
        String mtu = read(device.resolve("mtu"));
        if (mtu != null) {
          facts.put("mtu_" + device.getFileName(), mtu);
          found.add(String.valueOf(device.getFileName()));
        }
      }
    } catch (IOException none) {
      return found; // Not Linux.
    }
    return found;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException none) {
      return -1;
    }
  }

  private static @Nullable String read(Path file) {
    // In one large read: the kernel's sysctl files end after the first, however small it is.
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(READ_BYTES), StandardCharsets.UTF_8).strip();
    } catch (IOException | SecurityException none) {
      return null;
    }
  }
}
