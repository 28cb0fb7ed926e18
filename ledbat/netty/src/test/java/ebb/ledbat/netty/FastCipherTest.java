package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.secure.RecordCipher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FastCipherTest {
  @TempDir Path scratch;

  @ParameterizedTest
  @CsvSource({
    "'', 'flags\t\t: fpu vme aes avx', AES_GCM",
    "'', 'flags\t\t: fpu vme vaes avx', CHACHA20_POLY1305",
    "'', 'Features\t: fp asimd aes pmull', AES_GCM",
    "'', 'Features\t: fp asimd evtstrm crc32', CHACHA20_POLY1305",
    "'', 'isa\t: rv64imafdc', AES_GCM",
    "'', '', AES_GCM",
    "CHACHA20_POLY1305, 'flags\t\t: aes', CHACHA20_POLY1305",
    "AES_GCM, 'flags\t\t: fpu', AES_GCM",
    "RC4, 'flags\t\t: fpu', CHACHA20_POLY1305",
  })
  void theProcessorDecidesUnlessOneIsWanted(String wanted, String line, RecordCipher expected)
      throws IOException {
    Path cpuInfo = Files.writeString(scratch.resolve("cpuinfo"), "model name\t: a\n" + line + "\n");
    assertThat(FastCipher.of(wanted, cpuInfo)).isEqualTo(expected);
    assertThat(FastCipher.of(wanted, scratch.resolve("none")))
        .isEqualTo("CHACHA20_POLY1305".equals(wanted) ? expected : RecordCipher.AES_GCM);
  }
}
