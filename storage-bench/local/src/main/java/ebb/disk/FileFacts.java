package ebb.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reader must know about where the file was.
 *
 * @param fileSystem as the kernel names it
 * @param inMemory whether that file system has no disk under it
 * @param direct whether it has direct I/O
 * @param alignment what direct requests are multiples of
 * @param memoryBytes of this machine; 0 when it is not known
 */
record FileFacts(
    String fileSystem, boolean inMemory, boolean direct, int alignment, long memoryBytes) {
  private static final Pattern TOTAL = Pattern.compile("MemTotal:\\s+(\\d+) kB");

  static FileFacts of(BenchFile file) {
    return new FileFacts(
        file.fileSystem(),
        file.isInMemory(),
        file.hasDirect(),
        file.alignment(),
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
