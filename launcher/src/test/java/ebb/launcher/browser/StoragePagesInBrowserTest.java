package ebb.launcher.browser;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Cli;
import ebb.core.cli.EbbCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/**
 * The pages of {@code ebb disk}, {@code ebb memory} and {@code ebb storage report}, in a browser.
 */
final class StoragePagesInBrowserTest {
  @Command(name = "ebb")
  private static final class Root {}

  @TempDir Path dir;

  private static void ebb(String... words) {
    PrintStream before = System.out;
    System.setOut(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    try {
      int code = Cli.run(new Root(), Map.of(), ServiceLoader.load(EbbCommand.class), words);
      assertThat(code).as("%s", (Object) words).isZero();
    } finally {
      System.setOut(before);
    }
  }

  @Test
  void everyPageOpensWithItsChartsAndWithoutAComplaint() throws Exception {
    try (Browser browser = Browser.orSkip("the pages of storage in a browser")) {
      Path page = dir.resolve("disk.html");
      String small = "--size=1Mi";
      ebb("disk", "" + dir, small, "--block=4Ki", "--time=200ms", "--warm-up=0", "--plot=" + page);
      // Sequential and random, read and write, one and four threads: a line each.
      assertThat(Pages.check(browser, page))
          .hasSize(1)
          .allSatisfy(
              (name, points) -> {
                assertThat(points).isGreaterThan(8);
              });

      page = dir.resolve("memory.html");
      ebb("memory", small, "--block=1Ki", "--time=10ms", "--repeat=2", "--plot=" + page);
      assertThat(Pages.check(browser, page)).hasSize(1);

      Path results = dir.resolve("results.jsonl");
      for (String period : new String[] {"morning", "evening"}) {
        ebb(
            "storage",
            "run",
            "--target=mem:",
            small,
            "--repeat=6",
            "--period=" + period,
            "--out=" + results);
      }
      page = dir.resolve("report.html");
      ebb("storage", "report", "" + results, "--html=" + page);
      // Upload and download by period; each box with two more.
      assertThat(Pages.check(browser, page)).hasSize(2);
    }
  }
}
