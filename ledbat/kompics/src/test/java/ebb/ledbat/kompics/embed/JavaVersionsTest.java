package ebb.ledbat.kompics.embed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program that embeds Ebb runs on every Java of this machine without a warning, with the flags of
 * docs/kompics.md.
 */
@Timeout(180)
class JavaVersionsTest {
  @TempDir Path temp;

  /** The one that runs the tests, and those where Debian and others put theirs; one a version. */
  private static Map<Integer, Path> javas() throws IOException {
    Map<Integer, Path> found = new TreeMap<>();
    Path installed = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(installed)) {
      try (Stream<Path> homes = Files.list(installed)) {
        for (Path home : homes.toList()) {
          Path release = home.resolve("release");
          if (Files.isRegularFile(release) && Files.isExecutable(home.resolve("bin/java"))) {
            found.putIfAbsent(feature(Files.readString(release)), home);
          }
        }
      }
    }
    found.put(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    found.keySet().removeIf(feature -> feature < 17);
    return found;
  }

  private static int feature(String release) {
    return release
        .lines()
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .map(line -> line.replaceAll("[^0-9.]", "").split("\\.")[0])
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElse(0);
  }

  @Test
  void everyJavaRunsItWithoutAWarning() throws Exception {
    Map<Integer, Path> javas = javas();
    assertThat(javas).isNotEmpty();
    for (Map.Entry<Integer, Path> java : javas.entrySet()) {
      List<String> command = new ArrayList<>();
      command.add(java.getValue().resolve("bin/java").toString());
      if (java.getKey() >= 24) {
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
      }
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(TwoNodesMain.class.getName());
      Path out = temp.resolve("out" + java.getKey());
      Path err = temp.resolve("err" + java.getKey());
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readAllLines(out))
          .as("Java %d: %s", java.getKey(), Files.readString(err))
          .containsExactly("LEDBAT DELIVERED", "UDP DELIVERED", "TCP DELIVERED");
      assertThat(Files.readString(err)).doesNotContainIgnoringCase("warning");
    }
  }
}
