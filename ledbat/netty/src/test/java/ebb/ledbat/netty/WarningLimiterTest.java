package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class WarningLimiterTest {
  @Test
  void oneWarningInTenSecondsIsSaidAndTheOthersAreCounted() {
    List<String> said = new ArrayList<>();
    Logger log =
        (Logger)
            Proxy.newProxyInstance(
                Logger.class.getClassLoader(),
                new Class<?>[] {Logger.class},
                (proxy, method, arguments) -> {
                  said.add(method.getName() + Arrays.deepToString(arguments));
                  return null;
                });
    WarningLimiter limiter = new WarningLimiter(log);
    limiter.warn(5, "{}: {}", "a", 1);
    limiter.warn(6, "{}: {}", "b", 2);
    limiter.warn(10_000_004, "{}: {}", "c", 3);
    limiter.warn(10_000_005, "{}: {}", "d", 4);
    assertThat(said)
        .containsExactly("warn[{}: {}, a, 1]", "warn[{}: {} (2 more like it not shown), d, 4]");
  }

  /** Fails a part twice; for a program of its own, without anything that logs. */
  static final class Unlogged {
    public static void main(String[] arguments) {
      WarningLimiter limiter = new WarningLimiter(LoggerFactory.getLogger("none"));
      limiter.warnFailed(0, "a part", new StackOverflowError("too\u001bdeep"));
      limiter.warnFailed(60_000_000, "a part", new StackOverflowError("again"));
    }
  }

  @Test
  void withoutALogAFailureIsSaidOnceOnStandardError() throws Exception {
    String path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("logback"))
            .collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                path,
                Unlogged.class.getName())
            .redirectErrorStream(true)
            .start();
    List<String> lines;
    try (BufferedReader reader = process.inputReader()) {
      lines = reader.lines().filter(line -> !line.startsWith("SLF4J")).toList();
    }
    assertThat(lines)
        .containsExactly("ebb: a part failed; carrying on: java.lang.StackOverflowError: too deep");
    assertThat(process.waitFor()).isZero();
  }
}
