package ebb.core.result;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The machine that a result was measured on, by plain names. What cannot be found out is absent,
 * never invented.
 */
public final class Environment {
  private static final int READ_BYTES = 1 << 16;

  private Environment() {}

  /** Reads the facts of this machine and process. */
  public static Map<String, String> capture() {
    Map<String, String> facts = new LinkedHashMap<>();
    put(facts, "os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    put(facts, "arch", System.getProperty("os.arch", ""));
    put(facts, "cpu", cpuModel());
    put(facts, "cpus", Integer.toString(Runtime.getRuntime().availableProcessors()));
    put(
        facts,
        "jvm",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    put(facts, "max_heap_bytes", Long.toString(Runtime.getRuntime().maxMemory()));
    put(facts, "rmem_max_bytes", read("/proc/sys/net/core/rmem_max"));
    put(facts, "wmem_max_bytes", read("/proc/sys/net/core/wmem_max"));
    put(
        facts,
        "clock_source",
        read("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
    return Collections.unmodifiableMap(facts);
  }

  private static void put(Map<String, String> facts, String name, String value) {
    if (!value.isBlank()) {
      facts.put(name, value.trim());
    }
  }

  private static String cpuModel() {
    for (String line : read("/proc/cpuinfo").split("\n", -1)) {
      if (line.startsWith("model name")) {
        return line.substring(line.indexOf(':') + 1);
      }
    }
    return "";
  }

  private static String read(String path) {
    // In one large read: the kernel's sysctl files end after the first, however small it is.
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      return new String(in.readNBytes(READ_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
