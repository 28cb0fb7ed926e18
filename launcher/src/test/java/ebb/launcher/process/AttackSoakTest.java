package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs {@code ledbat/attack/run} against the classes under test: an attacker in Python that shares
 * no code with Ebb. Fails with its table where a limit is not kept. Without root, python3 or what
 * {@code ledbat/attack/install} installs, it is skipped and says so. {@code -Debb.attack.only=path}
 * runs one group.
 */
@Tag("soak")
final class AttackSoakTest {
  private static final Path ATTACKER = Path.of("..", "ledbat", "attack").toAbsolutePath();

  @Test
  void everyLimitIsKeptAgainstAnAttackerWhoKnowsTheWire() throws Exception {
    Path written = Files.createDirectories(Path.of("target")).resolve("attacks.md");
    List<String> lines = new ArrayList<>();
    int exit =
        run(
            lines,
            "python3",
            ATTACKER.resolve("run").toString(),
            "--write",
            written.toAbsolutePath().toString(),
            "--only",
            System.getProperty("ebb.attack.only", ""));
    for (String line : lines) {
      if (line.startsWith("skipped: the attacker")) {
        Assumptions.abort(line);
      }
    }
    assertThat(lines.stream().filter(line -> line.startsWith("not kept: "))).isEmpty();
    assertThat(exit).as("%s", lines).isZero();
    assertThat(lines).last().asString().endsWith("rows, 0 not kept").doesNotStartWith("0 ");
  }

  /** Shows what the program prints while it prints it. */
  private static int run(List<String> lines, String... command) throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("EBB_CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process;
    try {
      process = builder.redirectErrorStream(true).start();
    } catch (IOException noPython) {
      String skipped = "skipped: the attacker because python3 is not installed";
      System.out.println(skipped);
      Assumptions.abort(skipped);
      return 0;
    }
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        System.out.println(line);
        lines.add(line);
      }
      return process.waitFor();
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    } finally {
      process.destroy(); // Its namespaces go with it.
    }
  }
}
