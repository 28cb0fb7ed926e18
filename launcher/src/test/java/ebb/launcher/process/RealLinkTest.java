package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs {@code net-bench/testbed/table}, {@code truth} and {@code rates} with the classes under
 * test: Ebb beside the kernel's TCP on links between network namespaces, and what it reports of
 * them. {@code -Debb.real-link.whole} is the whole table. Without root, and where no link can be
 * made, it is skipped and says so.
 */
@Tag("real-link")
final class RealLinkTest {
  private static final Path TESTBED = Path.of("..", "net-bench", "testbed").toAbsolutePath();

  @Test
  void theFiguresOfAKnownLogAreRight() throws Exception {
    List<String> lines = new ArrayList<>();
    int exit = run(lines, "python3", "-B", "-m", "unittest", "discover", "-s", ".", "-t", ".");
    assertThat(exit).as("%s", lines).isZero();
    assertThat(lines).anyMatch(line -> line.startsWith("Ran "));
  }

  @Test
  void limitsAreKeptOnARealLink() throws Exception {
    List<String> command = new ArrayList<>(List.of("python3", TESTBED.resolve("table").toString()));
    if (System.getProperty("ebb.real-link.whole") != null) {
      command.add("--whole");
    }
    Path written = Files.createDirectories(Path.of("target")).resolve("real-link.md");
    command.addAll(List.of("--write", written.toAbsolutePath().toString()));
    List<String> lines = new ArrayList<>();
    int exit = run(lines, command.toArray(String[]::new));
    for (String line : lines) {
      if (line.startsWith("skipped: the comparison on a real link")) {
        Assumptions.abort(line);
      }
    }
    assertThat(exit).as("%s", lines).isZero();
    assertThat(lines).last().asString().endsWith("rows, 0 not kept").doesNotStartWith("0 ");
  }

  /** Rates, sums and times of every mode; losses, duplicates and order to the last one. */
  @Test
  void nothingThatIsReportedIsMoreThanTheLinkDid() throws Exception {
    List<String> lines = new ArrayList<>();
    int exit = run(lines, "python3", TESTBED.resolve("truth").toString());
    for (String line : lines) {
      if (line.startsWith("skipped: ")) {
        Assumptions.abort(line);
      }
    }
    assertThat(exit).as("%s", lines).isZero();
    assertThat(lines).last().asString().endsWith(" runs, 0 that cannot be").doesNotStartWith("0 ");
  }

  @Test
  void udpLosesWhatTheLinkCannotCarry() throws Exception {
    List<String> lines = new ArrayList<>();
    int exit = run(lines, TESTBED.resolve("rates").toString(), "--seconds", "2", "--loss", "0.01");
    for (String line : lines) {
      if (line.startsWith("skipped: ")) {
        Assumptions.abort(line);
      }
    }
    assertThat(exit).as("%s", lines).isZero();
    int table = lines.indexOf("Table 6: UDP packet loss percentage (%)");
    assertThat(table).as("%s", lines).isNotNegative();
    assertThat(lines).contains("Table 7: UDP jitter (ms)");
    String[] loss = lines.get(table + 2).split("\s+");
    // The link loses 1 in 100; 10 Mbit/s for 2 s are 1,786 datagrams, of which 4 to 36 are lost in
    // all but one of many thousand runs.
    assertThat(Double.parseDouble(loss[1])).as("%s", lines).isBetween(0.2, 2.1);
    // 150 Mbit/s of payload are 153 of IP, over a link of 120: 1 - 120 / 153 is 21.6%, and as much
    // less as 50 ms of buffer are of 2 s. A machine that is late sends no more than that.
    assertThat(Double.parseDouble(loss[6])).as("%s", lines).isBetween(10.0, 30.0);
  }

  /** Shows what the program prints while it prints it. */
  private static int run(List<String> lines, String... command)
      throws IOException, InterruptedException {
    if (!runs("python3", "--version")) {
      String skipped = "skipped: the real-link tests because python3 is not installed";
      System.out.println(skipped);
      Assumptions.abort(skipped);
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(TESTBED.toFile());
    builder.environment().put("EBB_CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.redirectErrorStream(true).start();
    try (BufferedReader output =
        new BufferedReader(
            new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        System.out.println(line);
        lines.add(line);
      }
      return process.waitFor();
    } finally {
      process.destroy(); // Its namespaces go with it.
    }
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    }
  }
}
