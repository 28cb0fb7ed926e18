package ebb.selfbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.selfbench.process.PeerPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VersionsTest {
  @TempDir Path peers;

  @Test
  void namesWhatTheInstallerWroteDownAndNettyBesideIt() throws Exception {
    Files.writeString(
        peers.resolve("versions.json"),
        "{\"quinn\": {\"version\": \"0.11.9\", \"runtime\": \"rustc 1.95.0\"}}");
    assertThat(Versions.of(new PeerPrograms(peers)))
        .containsEntry("quinn", "0.11.9 on rustc 1.95.0")
        .containsKey("Netty");
  }

  @Test
  void takesTheFirstVersionThatAProgramSays() {
    assertThat(Versions.first("iperf 3.12 (cJSON 1.7.15)\nLinux 6.1")).isEqualTo("3.12");
    assertThat(Versions.first("rsync  version 3.2.7  protocol version 31")).isEqualTo("3.2.7");
    assertThat(Versions.first("socat by G. Rieger - see www\nsocat version 1.7.4.4 on 06 Nov 2022"))
        .isEqualTo("1.7.4.4");
    assertThat(Versions.first("unknown option")).isEmpty();
  }
}
