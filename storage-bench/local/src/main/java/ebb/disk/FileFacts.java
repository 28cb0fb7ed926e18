package ebb.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reader must know about where the files were.
 *
 * @param fileSystem as the kernel names it; with commas when there are several
 * @param memoryFileSystem those of them that have no disk under them; "" for none
 * @param direct whether all have direct I/O
 * @param alignment what direct requests are multiples of
 * @param memoryBytes of this machine; 0 when it is not known
 */
record FileFacts(
    String fileSystem, String memoryFileSystem, boolean direct, int alignment, long memoryBytes) {
  private static final Pattern TOTAL = Pattern.compile("MemTotal:\\s+(\\d+) kB");

  boolean inMemory() {
    return !memoryFileSystem.isEmpty();
  }

  static FileFacts of(BenchFiles files) {
    return new FileFacts(
        files.fileSystems(),
        files.inMemory(),
        files.hasDirect(),
        files.alignment(),
        installedMemory());
  }

  private static long installedMemory() {
    try {
      String text =
          new String(Files.readAllBytes(Path.of("/proc/meminfo")), StandardCharsets.UTF_8);
      Matcher matcher = TOTAL.matcher(text);
      return matcher.find() ? Long.parseLong(matcher.group(1)) * 1_024 : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}
