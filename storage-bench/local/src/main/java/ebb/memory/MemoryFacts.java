package ebb.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the machine says about its caches and memory modules, read from the kernel's files. What it
 * does not say is 0, never guessed.
 *
 * @param lastLevelCacheBytes of all last-level caches together
 * @param theoreticalBytesPerSecond of all memory modules at their configured speed, each on a
 *     channel of its own; as modules may share one, it is an upper bound
 * @param modules how many that counts
 */
record MemoryFacts(long lastLevelCacheBytes, double theoreticalBytesPerSecond, int modules) {
  private static final Path ROOT = Path.of("/");

  // Offsets of a memory device in SMBIOS 3.x, section 7.18 ("Memory Device (Type 17)").
  private static final int DATA_WIDTH = 0x0A;
  private static final int SIZE = 0x0C;
  private static final int SPEED = 0x15;
  private static final int CONFIGURED_SPEED = 0x20;

  /** The value of a 16-bit field that the firmware does not know. */
  private static final int UNKNOWN = 0xFFFF;

  private static final int BITS = 8;

  static MemoryFacts ofThisMachine() {
    return of(ROOT);
  }

  /** The same with the kernel's files below another root. */
  static MemoryFacts of(Path root) {
    double sum = 0;
    int modules = 0;
    for (Path entry : list(root.resolve("sys/firmware/dmi/entries"), "17-*")) {
      double module = moduleBytesPerSecond(bytes(entry.resolve("raw")));
      if (module > 0) {
        sum += module;
        modules++;
      }
    }
    return new MemoryFacts(caches(root), sum, modules);
  }

  /** Megatransfers a second times the bytes of each; 0 for an empty slot or an unknown speed. */
  static double moduleBytesPerSecond(byte[] raw) {
    if (raw.length < SPEED + Short.BYTES) {
      return 0;
    }
    ByteBuffer module = ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
    int width = Short.toUnsignedInt(module.getShort(DATA_WIDTH));
    int size = Short.toUnsignedInt(module.getShort(SIZE));
    int speed = Short.toUnsignedInt(module.getShort(SPEED));
    // The structure's own length, the second byte, says whether it has the field.
    int length = Byte.toUnsignedInt(raw[1]);
    if (length >= CONFIGURED_SPEED + Short.BYTES && raw.length >= length) {
      int configured = Short.toUnsignedInt(module.getShort(CONFIGURED_SPEED));
      speed = configured == 0 || configured == UNKNOWN ? speed : configured;
    }
    if (size == 0 || width == UNKNOWN || speed == UNKNOWN) {
      return 0;
    }
    return speed * 1e6 * width / BITS;
  }

  private static long caches(Path root) {
    int highest = 0;
    long sum = 0;
    Set<String> seen = new HashSet<>();
    for (Path cpu : list(root.resolve("sys/devices/system/cpu"), "cpu[0-9]*")) {
      for (Path index : list(cpu.resolve("cache"), "index*")) {
        String type = text(index.resolve("type"));
        String level = text(index.resolve("level"));
        if (type.equals("Instruction") || !level.matches("[0-9]")) {
          continue;
        }
        int rank = Integer.parseInt(level);
        if (rank > highest) {
          highest = rank;
          sum = 0;
          seen.clear();
        }
        if (rank == highest && seen.add(text(index.resolve("shared_cpu_list")))) {
          sum += kibibytes(text(index.resolve("size")));
        }
      }
    }
    return sum;
  }

  private static long kibibytes(String text) {
    return text.matches("[0-9]{1,12}K") ? Long.parseLong(text.replace("K", "")) * 1_024 : 0;
  }

  private static List<Path> list(Path directory, String names) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, names)) {
      stream.forEach(entries::add);
    } catch (IOException e) {
      entries.clear();
    }
    return entries;
  }

  private static String text(Path file) {
    return new String(bytes(file), StandardCharsets.UTF_8).strip();
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  /** Bytes of this process that are in transparent huge pages; 0 where nobody says. */
  static long hugePageBytes() {
    for (String line : text(Path.of("/proc/self/smaps_rollup")).split("\n", -1)) {
      if (line.startsWith("AnonHugePages:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1_024;
      }
    }
    return 0;
  }
}
