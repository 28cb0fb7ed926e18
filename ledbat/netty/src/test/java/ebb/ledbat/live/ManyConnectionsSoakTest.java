package ebb.ledbat.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten thousand connections on one endpoint, and as many on its peer, in one JVM of 512 MiB. */
@Tag("soak")
final class ManyConnectionsSoakTest {
  private static final int CONNECTIONS = 10_000;
  private static final int BYTES_EACH = 32 << 10;

  @Test
  void tenThousandConnectionsAreServedWithoutStarvation() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=64m",
                "-cp",
                System.getProperty("java.class.path"),
                ManyConnections.class.getName(),
                "" + CONNECTIONS,
                "" + BYTES_EACH)
            .redirectErrorStream(true)
            .start();
    String output;
    try {
      output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
    } finally {
      process.destroyForcibly();
    }
    System.out.println("ten thousand connections: " + output.strip());
    Map<String, Double> figures =
        Arrays.stream(output.strip().split("\\s+"))
            .filter(word -> word.contains("="))
            .map(word -> word.split("="))
            .collect(Collectors.toMap(pair -> pair[0], pair -> Double.valueOf(pair[1])));
    assertThat(figures.get("open")).isEqualTo(CONNECTIONS);
    assertThat(figures.get("failures")).isZero();
    assertThat(figures.get("read")).isEqualTo((double) CONNECTIONS * BYTES_EACH);
    assertThat(figures.get("maxMiB")).isLessThanOrEqualTo(512);
    // Served in turn: nobody waits more than three times as long as half of them do.
    assertThat(figures.get("lastMillis")).isLessThanOrEqualTo(3 * figures.get("medianMillis"));
  }
}
