package ebb.ledbat.netty;

import ebb.ledbat.secure.RecordCipher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which cipher this machine is fast with: AES-GCM where its processor has instructions for AES, as
 * Linux tells in {@code /proc/cpuinfo}; and where nobody tells. {@code EBB_RECORD_CIPHER} in the
 * environment overrules that: {@code AES_GCM} or {@code CHACHA20_POLY1305}.
 */
final class FastCipher {
  private static final String VARIABLE = "EBB_RECORD_CIPHER";

  private static final Logger LOG = LoggerFactory.getLogger(FastCipher.class);

  static final RecordCipher HERE =
      of(System.getenv().getOrDefault(VARIABLE, ""), Path.of("/proc/cpuinfo"));

  private FastCipher() {}

  static RecordCipher of(String wanted, Path cpuInfo) {
    for (RecordCipher cipher : RecordCipher.values()) {
      if (cipher.name().equals(wanted)) {
        return cipher;
      }
    }
    if (!wanted.isEmpty()) {
      LOG.warn(
          "{} is one of {} and not '{}'; left to the processor",
          VARIABLE,
          Arrays.toString(RecordCipher.values()),
          wanted);
    }
    return hasAes(cpuInfo) ? RecordCipher.AES_GCM : RecordCipher.CHACHA20_POLY1305;
  }

  /** x86 has a line of "flags", ARM one of "Features" for each processor. */
  private static boolean hasAes(Path cpuInfo) {
    try (Stream<String> lines = Files.lines(cpuInfo)) {
      return lines
          .filter(line -> line.startsWith("flags") || line.startsWith("Features"))
          .findFirst()
          .map(line -> Arrays.asList(line.split("\\s+")).contains("aes"))
          .orElse(true);
    } catch (IOException | RuntimeException nobodyTells) {
      return true;
    }
  }
}
