package ebb.launcher.browser;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Cli;
import ebb.core.cli.KeyFile;
import ebb.core.result.ResultRecord;
import ebb.net.command.NetAliases;
import ebb.net.command.NetClientCommand;
import ebb.net.command.NetMatrixCommand;
import ebb.net.command.NetPingCommand;
import ebb.net.command.NetSweepCommand;
import ebb.net.command.NetYieldCommand;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.NetKey;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/** The pages of {@code ebb net}, as a browser shows them, against the results they are made of. */
final class PagesInBrowserTest {
  @Command(name = "ebb")
  private static final class Root {}

  /** The panels of the time line, by their columns. */
  private static final List<String> TIME_LINE =
      List.of(
          "receiver_rate_bits_per_second",
          "round_trip_p50_micros",
          "round_trip_p99_micros",
          "receiver_jitter_micros",
          "receiver_lost_messages",
          "cwnd_bytes",
          "rtt_micros",
          "queuing_delay_micros",
          "base_delay_micros");

  /** What the first button for CSV saves. */
  private static final String SAVED =
      """
      new Promise(done => {
        const address = URL.createObjectURL;
        URL.createObjectURL = blob => {
          blob.text().then(done);
          return address.call(URL, blob);
        };
        [...document.querySelectorAll('.tools button')].find(b => b.textContent === 'CSV').click();
      })\
      """;

  @TempDir Path dir;

  /** Runs a command with {@code -J} and {@code --plot PAGE}. */
  private ResultRecord ebb(Path page, String... words) {
    List<String> all = new ArrayList<>(List.of("net"));
    all.addAll(Arrays.asList(words));
    all.addAll(List.of("--json", "--plot", page.toString(), "--key-file", "" + dir.resolve("key")));
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      int code =
          Cli.run(
              new Root(),
              Map.of(),
              List.of(
                  new NetClientCommand(),
                  new NetMatrixCommand(),
                  new NetPingCommand(),
                  new NetSweepCommand(),
                  new NetYieldCommand()),
              NetAliases.expand(all.toArray(String[]::new)));
      // 99 is a verdict of yield's; short phases on a busy machine may well have it.
      assertThat(code).as("%s", all).isIn(0, 99);
    } finally {
      System.setOut(before);
    }
    return ResultRecord.fromJson(out.toString(StandardCharsets.UTF_8).strip());
  }

  /** A point for each number, and those of each stream where there are several. */
  private static int timeLine(ResultRecord result) {
    return numbers(result, TIME_LINE)
        + (result.figures().get("streams").longValue() > 1
            ? numbers(result, List.of("rate_bits_per_second"))
            : 0);
  }

  private static int numbers(ResultRecord result, List<String> columns) {
    int count = 0;
    for (Map<String, Object> row : result.rows()) {
      for (String column : columns) {
        count += row.get(column) instanceof Number ? 1 : 0;
      }
    }
    return count;
  }

  /** It asks for a key, so that every command shows that it can prove one. */
  private NetServer server() throws Exception {
    KeyFile.create(dir.resolve("key"));
    NetKey key = NetKey.of(KeyFile.read(dir.resolve("key")));
    return NetServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        new ServerLimits(ServerLimits.DEFAULT_MAX_MICROS, 0, 10, key),
        new NetServer.Listener() {
          @Override
          public void onSession(InetSocketAddress client) {}

          @Override
          public void onSessionEnd(SessionReport report) {}

          @Override
          public void onRefused(InetSocketAddress client, Refused refused) {}
        });
  }

  @Test
  @Tag("long")
  void everyChartIsDrawnWithAsManyPointsAsItsResultHas() throws Exception {
    try (Browser browser = Browser.orSkip("the pages in a browser");
        NetServer server = server()) {
      String host = "127.0.0.1:" + server.localAddress().getPort();
      String time = "The run over time";

      Path page = dir.resolve("tcp.html");
      ResultRecord tcp = ebb(page, "-c", host, "-t", "0.3", "-i", "0.06", "-P", "2");
      assertThat(Pages.check(browser, page)).containsOnly(Map.entry(time, timeLine(tcp)));

      page = dir.resolve("ledbat.html");
      ResultRecord ledbat = ebb(page, "-c", host, "--ledbat", "-t", "0.8", "-i", "0.1");
      assertThat(ledbat.rows().get(1)).containsKeys("queuing_delay_micros", "target_micros");
      assertThat(Pages.check(browser, page)).containsOnly(Map.entry(time, timeLine(ledbat)));
      assertThat((String) browser.evaluate("document.querySelector('svg').textContent"))
          .contains("Received", "cwnd", "Queuing delay", "TARGET", "Base delay");

      page = dir.resolve("echo.html");
      ResultRecord echo =
          ebb(
              page,
              "-c",
              host,
              "-u",
              "--mode",
              "stop-and-wait",
              "-b",
              "100K",
              "-t",
              "0.5",
              "-i",
              "0.1");
      // Five percentiles, from sending and from the plan.
      assertThat(Pages.check(browser, page))
          .containsOnly(Map.entry(time, timeLine(echo)), Map.entry("Latency percentiles", 10));

      page = dir.resolve("rates.html");
      ebb(page, "sweep", host, "--preset", "seed-000-udp", "-t", "0.1", "--no-warm-up");
      // Loss and jitter at six rates.
      assertThat(Pages.check(browser, page)).containsEntry("Loss and jitter against rate", 12);

      page = dir.resolve("ping.html");
      ResultRecord ping = ebb(page, "ping", host, "-c", "50", "-i", "0.002");
      assertThat(Pages.check(browser, page))
          .containsEntry(
              "How many round trips took at most so long",
              numbers(ping, List.of("round_trip_micros")));
      assertThat(browser.evaluate("document.querySelectorAll('main > table, .across').length"))
          .as("echoes are folded away")
          .isEqualTo(0);

      page = dir.resolve("sweep.html");
      ebb(page, "sweep", host, "-l", "64,1400", "--protocols", "tcp,ledbat", "-t", "0.1");
      assertThat(Pages.check(browser, page))
          .containsOnly(Map.entry("Figures against message size", 4));
      assertThat((String) browser.evaluate(SAVED))
          .as("what is saved are bytes, not places on an axis of powers of two")
          .contains("\nReceived,TCP streaming,64,", "\nReceived,TCP streaming,1400,");

      page = dir.resolve("matrix.html");
      Path inventory = Files.createFile(dir.resolve("hosts.toml"));
      String[] addresses = host.split(":");
      Files.writeString(
          inventory,
          "[[host]]\nname='a <&> b'\ninternal='%s'\nport=%s\n"
              .formatted(addresses[0], addresses[1]));
      ebb(page, "matrix", inventory.toString(), "--protocols", "tcp", "-t", "0.1", "--repeat", "1");
      // One host there, measured up and down; and its round trip.
      assertThat(Pages.check(browser, page))
          .containsOnly(
              Map.entry("TCP, 65,535 B, internal addresses, received", 2),
              Map.entry("TCP stop-and-wait, 64 B, internal addresses, round trip", 1));

      page = dir.resolve("yield.html");
      ebb(
          page,
          "yield",
          host,
          "--tcp",
          "default",
          "--tcp-alone",
          "1s",
          "--alone",
          "1s",
          "--contended",
          "1s",
          "--after",
          "1s");
      assertThat(Pages.check(browser, page)).isNotEmpty();
    }
  }
}
