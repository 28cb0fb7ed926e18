package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.CommandRunner;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import io.netty.channel.epoll.Epoll;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb net client}, {@code ping}, {@code sweep} and {@code server} in this process. */
class NetCommandsTest {
  private static List<EbbCommand> commands() {
    return List.of(
        new NetClientCommand(),
        new NetLoadCommand(),
        new NetPingCommand(),
        new NetMatrixCommand(),
        new NetSweepCommand(),
        new NetServerCommand());
  }

  private CommandRunner.Ended last = new CommandRunner.Ended(0, "", "");

  @TempDir Path dir;

  private int ebb(String... args) {
    List<String> words = new ArrayList<>(List.of("net"));
    words.addAll(Arrays.asList(args));
    last = CommandRunner.run(commands(), NetAliases.expand(words.toArray(String[]::new)));
    return last.code();
  }

  private String err() {
    return last.err();
  }

  private String out() {
    return last.out();
  }

  private void refused(ExitCode code, String words, String... args) {
    assertThat(ebb(args)).as("%s: %s", String.join(" ", args), err()).isEqualTo(code.value());
    assertThat(err()).contains(words);
    assertThat(err().lines().filter(line -> line.startsWith("ebb: ")).count()).isEqualTo(1);
    assertThat(out()).isEmpty();
  }

  private static NetServer server() throws Exception {
    return server(new CountDownLatch(0));
  }

  private static NetServer server(CountDownLatch sessions) throws Exception {
    return NetServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        ServerLimits.NONE,
        new NetServer.Listener() {
          @Override
          public void onSessionEnd(SessionReport report) {
            sessions.countDown();
          }

          @Override
          public void onRefused(InetSocketAddress client, Refused refused) {}
        });
  }

  private static String[] with(NetServer server, String... args) {
    List<String> words = new ArrayList<>(Arrays.asList(args));
    words.add("-p");
    words.add("" + server.localAddress().getPort());
    return words.toArray(String[]::new);
  }

  @Test
  void whatCannotBeIsOneLineAndAUsageError() {
    ExitCode usage = ExitCode.USAGE;
    refused(usage, "-l is between 1 and 1048576 bytes: 2Mi", "-c", "127.0.0.1", "-l", "2Mi");
    refused(
        usage,
        "between 1 and 65535 bytes: 65536",
        "-c",
        "127.0.0.1",
        "--mode",
        "stop-and-wait",
        "-l",
        "65536");
    refused(usage, "at most 65507 bytes: 65535", "-c", "127.0.0.1", "-u", "-l", "65535");
    refused(usage, "-b: '-5M' is not a rate", "-c", "127.0.0.1", "-b", "-5M");
    refused(usage, "-t and -k exclude", "-c", "127.0.0.1", "-t", "0", "-k", "1");
    refused(usage, "-k must be at least one message", "-c", "127.0.0.1", "-k", "0");
    refused(usage, "-4 and -6 exclude", "-c", "127.0.0.1", "-4", "-6");
    refused(usage, "-S and --dscp exclude", "-c", "127.0.0.1", "-S", "1", "--dscp", "ef");
    refused(usage, "-S is 0 to 255: 256", "-c", "127.0.0.1", "-S", "256");
    refused(usage, "--dscp is 0 to 63", "-c", "127.0.0.1", "--dscp", "af55");
    refused(usage, "marks no datagrams", "-c", "127.0.0.1", "-u", "-R", "-S", "32");
    refused(usage, "for tcp and udp", "-c", "127.0.0.1", "--ledbat", "--cport", "7000");
    refused(usage, "-M is between", "-c", "127.0.0.1", "-M", "40");
    refused(usage, "-f is one of", "-c", "127.0.0.1", "-f", "x");
    refused(usage, "--sctp: there is no SCTP", "-c", "127.0.0.1", "--sctp");
    refused(usage, "-F: files travel by", "-c", "127.0.0.1", "-F", "x");
    refused(usage, "--get-server-output: the", "-c", "127.0.0.1", "--get-server-output");
    refused(usage, "-D: run it with", "server", "-D");
    refused(usage, "--idle-timeout: idle clients", "server", "--idle-timeout", "3");
    refused(usage, "-n must be at least one byte", "-c", "127.0.0.1", "-n", "0");
    refused(usage, "-t and -n exclude", "-c", "127.0.0.1", "-t", "1", "-n", "1");
    refused(usage, "-R and --bidir", "-c", "127.0.0.1", "-R", "--bidir");
    refused(usage, "-u and --ledbat", "-c", "127.0.0.1", "-u", "--ledbat");
    refused(usage, "streaming or stop-and-wait", "-c", "127.0.0.1", "--mode", "x");
    refused(usage, "-P is between 1 and 256: 0", "-c", "127.0.0.1", "-P", "0");
    refused(usage, "-P is between 1 and 256: 1000", "-c", "127.0.0.1", "-P", "1000");
    refused(usage, "-l is between 1 and 1048576 bytes: 0", "-c", "127.0.0.1", "-l", "0");
    refused(usage, "-l is between 1 and 1048576 bytes: 100G", "-c", "127.0.0.1", "-l", "100G");
    refused(usage, "-l is between 1 and 65535 bytes: 66K", "-c", "127.0.0.1", "-u", "-l", "66K");
    refused(usage, "-w is at most 1 GiB: 100T", "-c", "127.0.0.1", "-w", "100T");
    refused(usage, "--repeat must be", "-c", "127.0.0.1", "--repeat", "0");
    refused(usage, "one server", "client");
    refused(usage, "is not a port", "-c", "127.0.0.1", "-p", "0");
    refused(usage, "cannot write", "-c", "127.0.0.1", "--csv", dir.resolve("no/x").toString());
    refused(usage, "cannot write", "-c", "127.0.0.1", "--logfile", dir.toString());
    refused(usage, "-c must be at least 1", "ping", "127.0.0.1", "-c", "0");
    refused(usage, "exclude each other", "ping", "127.0.0.1", "-c", "1", "-t", "1");
    refused(usage, "-t must be above 0", "ping", "127.0.0.1", "-t", "0");
    refused(usage, "-W is between", "ping", "127.0.0.1", "-W", "0");
    refused(usage, "-i is 0, or at least", "ping", "127.0.0.1", "-i", "0.000001");
    refused(usage, "which go by UDP", "ping", "127.0.0.1", "--tcp", "--continuous");
    refused(usage, "not a port", "ping", "127.0.0.1", "--metrics", "x");
    refused(usage, "cannot write", "ping", "127.0.0.1", "--csv", dir.toString());
    refused(usage, "--loads: ", "load", "127.0.0.1", "--loads", "quic");
    refused(usage, "--ways takes down", "load", "127.0.0.1", "--ways", "left");
    refused(usage, "-t must be more than 2 s", "load", "127.0.0.1", "-t", "2");
    refused(usage, "--idle must be", "load", "127.0.0.1", "--idle", "0");
    refused(usage, "-i is between", "load", "127.0.0.1", "-i", "0");
    refused(usage, "-P is between", "load", "127.0.0.1", "-P", "0");
    refused(usage, "--preset is", "sweep", "--preset", "seed-9");
    refused(usage, "a mode is", "sweep", "--modes", "fast");
    refused(usage, "one inventory", "matrix");
    refused(usage, "no such file", "matrix", dir.resolve("none.toml").toString());
    refused(usage, "--max-clients", "-s", "--max-clients", "0");
  }

  @Test
  void whoCannotBeReachedIsNamed() throws Exception {
    refused(ExitCode.CANNOT_CONNECT, "unknown host", "-c", "no-such-host.invalid");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    refused(ExitCode.CANNOT_CONNECT, "connection refused", "-c", "127.0.0.1", "-p", "" + port);
  }

  @Test
  void aPortInUseIsRefusedWhicheverItIs() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = "" + taken.getLocalPort();
      refused(ExitCode.REFUSED_OR_BUSY, "cannot bind", "-s", "-B", "127.0.0.1", "-p", port);
    }
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      String port = "" + taken.getLocalPort();
      refused(
          ExitCode.REFUSED_OR_BUSY,
          "UDP port " + port,
          "-s",
          "-B",
          "127.0.0.1",
          "-p",
          "0",
          "--udp-port",
          port);
    }
  }

  @Test
  void aRunPrintsIntervalsAndBothEndsOrJsonOnly() throws Exception {
    try (NetServer server = server()) {
      assertThat(ebb(with(server, "-c", "127.0.0.1", "-n", "5M", "-P", "2"))).as(err()).isZero();
      assertThat(out())
          .contains("[ ID] Interval", "[SUM]", "sender", "receiver", "Transmission time")
          .contains("78 messages sent, 5000000 bytes sent")
          .doesNotContain("do not agree");
      Path csv = dir.resolve("run.csv");
      Path page = dir.resolve("run.html");
      int code =
          ebb(
              with(
                  server,
                  "-c",
                  "127.0.0.1",
                  "-u",
                  "-b",
                  "4M",
                  "-t",
                  "0.5",
                  "-i",
                  "0.1",
                  "-J",
                  "--csv",
                  csv.toString(),
                  "--plot",
                  page.toString()));
      assertThat(code).as(err()).isZero();
      ResultRecord result = ResultRecord.fromJson(out().strip());
      assertThat(result.complete()).isTrue();
      assertThat(result.command()).isEqualTo("net client");
      assertThat(result.facts())
          .containsEntry("protocol", "udp")
          .containsEntry("mode", "streaming");
      // 4 Mbit/s are a byte in two microseconds; a busy machine may end late, or send less.
      long measured = result.figures().get("measured_micros").longValue();
      assertThat(result.figures().get("up_sent_bytes").longValue())
          .isBetween(1_400L, measured / 2 + 2_800);
      assertThat(result.figures())
          .containsKeys("up_loss_ratio", "up_jitter_micros", "up_received_rate_bits_per_second");
      assertThat(result.rows()).isNotEmpty();
      assertThat(Files.readString(csv)).startsWith("from_micros,to_micros,");
      assertThat(Files.readString(page)).contains("\"title\":\"Received\"", "default-src 'none'");
      assertThat(ebb(with(server, "-c", "127.0.0.1", "--ledbat", "-n", "1M", "--json-stream")))
          .as(err())
          .isZero();
      List<String> lines = out().lines().toList();
      assertThat(JSON.std.mapFrom(lines.get(0))).containsEntry("event", "start");
      assertThat(JSON.std.mapFrom(lines.get(1))).containsEntry("event", "interval");
      assertThat(JSON.std.mapFrom(lines.get(lines.size() - 1))).containsEntry("event", "end");
    }
  }

  @Test
  void whoOnlyReceivesTellsNoRoundTripOrWindowOfItsOwn() throws Exception {
    try (NetServer server = server()) {
      for (String protocol : List.of("--ledbat", "--tcp")) {
        assertThat(ebb(with(server, "-c", "127.0.0.1", protocol, "--bidir", "-n", "1M", "-J")))
            .as(err())
            .isZero();
        ResultRecord result = ResultRecord.fromJson(out().strip());
        assertThat(result.rows().stream().filter(row -> row.get("side").equals("receiver")))
            .as(protocol)
            .isNotEmpty()
            .allMatch(row -> row.get("rtt_micros") == null && row.get("cwnd_bytes") == null);
      }
    }
  }

  @Test
  void repetitionsAreSummedUpAndKept() throws Exception {
    try (NetServer server = server()) {
      int code =
          ebb(
              with(
                  server,
                  "-c",
                  "127.0.0.1",
                  "--mode",
                  "stop-and-wait",
                  "-n",
                  "640",
                  "--repeat",
                  "3",
                  "-J"));
      assertThat(code).as(err()).isZero();
      ResultRecord result = ResultRecord.fromJson(out().strip());
      assertThat(result.rows()).hasSize(3);
      assertThat(result.rows()).allMatch(row -> row.get("sent_messages").equals(10L));
      assertThat(result.figures())
          .containsKeys("mean_transmission_micros", "p50_round_trip_p50_micros");
    }
  }

  @Test
  void whatEarlierRunsFoundStaysWhenTheServerGoesAway() throws Exception {
    CountDownLatch measured = new CountDownLatch(2);
    NetServer server = server(measured);
    Thread end =
        new Thread(
            () -> {
              try {
                measured.await();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
              server.close();
            });
    end.start();
    int code = ebb(with(server, "-c", "127.0.0.1", "-n", "1K", "--repeat", "100000", "-J"));
    end.join(60_000);
    assertThat(code).as(err()).isEqualTo(ExitCode.INCOMPLETE.value());
    ResultRecord result = ResultRecord.fromJson(out().strip());
    assertThat(result.complete()).isFalse();
    assertThat(result.warnings()).anyMatch(line -> line.startsWith("incomplete: "));
    assertThat(result.rows().stream().filter(row -> row.get("complete").equals(true)).count())
        .isGreaterThanOrEqualTo(2);
    assertThat(result.figures()).containsKey("mean_transmission_micros");
  }

  @Test
  void aMatrixMeasuresEveryOtherHostBothWaysAndIsJoined() throws Exception {
    try (NetServer server = server()) {
      Path inventory =
          Files.writeString(
              dir.resolve("hosts.toml"),
              """
              [[host]]
              name = "a"
              internal = "127.0.0.1"
              external = "no-such-host.invalid"
              port = %1$d
              [[host]]
              name = "b"
              internal = "127.0.0.1"
              external = "127.0.0.1"
              port = %1$d
              """
                  .formatted(server.localAddress().getPort()));
      String[] quick = {"-t", "0.05", "--repeat", "2", "--protocols", "tcp", "-J"};
      List<String> words = new ArrayList<>(List.of("matrix", inventory.toString()));
      words.addAll(List.of(quick));
      words.addAll(List.of("--self", "a"));
      assertThat(ebb(words.toArray(String[]::new))).as(err()).isZero();
      ResultRecord a = ResultRecord.fromJson(out().strip());
      // Two addresses; a round trip, there and back; twice.
      assertThat(a.rows()).hasSize(2 * 3 * 2);
      assertThat(a.rows().stream().filter(row -> row.get("from").equals("b")).toList())
          .hasSize(2 * 2)
          .allMatch(row -> row.get("mode").equals("streaming") && row.get("to").equals("a"))
          .allMatch(row -> (Long) row.get("received_bytes") > 0);
      Path first = Files.writeString(dir.resolve("a.json"), a.toJson());
      words.set(words.size() - 1, "b");
      // b does not reach a by its external name; that costs a row each, and nothing else.
      assertThat(ebb(words.toArray(String[]::new))).isEqualTo(ExitCode.INCOMPLETE.value());
      ResultRecord b = ResultRecord.fromJson(out().strip());
      assertThat(b.rows()).hasSize(3 * 2 + 1);
      assertThat(b.warnings()).anyMatch(line -> line.contains("unknown host"));
      Path second = Files.writeString(dir.resolve("b.json"), b.toJson());
      Path page = dir.resolve("matrix.html");
      assertThat(ebb("matrix", "--join", "" + first, "" + second, "--plot", page.toString()))
          .isEqualTo(ExitCode.INCOMPLETE.value());
      assertThat(out())
          .contains("Round trip, median", "Received, median of the runs", "Not measured")
          .contains("b > a, external: unknown host");
      // Round trip and rate, internal and external.
      assertThat(Files.readString(page).split("<figure class=\"chart\"", -1)).hasSize(1 + 4);
      assertThat(Files.readString(page)).contains("\"rows\":[\"a\",\"b\"]");
    }
  }

  @Test
  void aFullDiskForTheLogIsOneLineAndTheRunGoesOn() throws Exception {
    Path full = Path.of("/dev/full");
    if (!Files.isWritable(full)) {
      System.out.println("skipped: full disk because there is no /dev/full");
      return;
    }
    try (NetServer server = server()) {
      int code = ebb(with(server, "-c", "127.0.0.1", "-n", "1M", "--logfile", full.toString()));
      assertThat(code).isEqualTo(ExitCode.INCOMPLETE.value());
      assertThat(err().lines().toList()).hasSize(1);
      assertThat(err()).contains("cannot write /dev/full: No space left on device");
    }
  }

  @Test
  void pingTellsEveryRoundTrip() throws Exception {
    try (NetServer server = server()) {
      assertThat(ebb(with(server, "ping", "127.0.0.1", "-c", "3", "-i", "0.01")))
          .as(err())
          .isZero();
      assertThat(out()).contains("seq=1 time=", "seq=3 time=", "rtt min/avg/max/mdev = ");
      assertThat(ebb(with(server, "ping", "127.0.0.1", "--tcp", "-c", "3", "-i", "0.01")))
          .as(err())
          .isZero();
      assertThat(out()).contains("seq=3 time=", "Round trip from the planned time");
    }
  }

  @Test
  void pingWithAMarkSaysWhetherItArrives() throws Exception {
    assertThat(ebb("ping", "127.0.0.1", "--dscp", "64")).isEqualTo(ExitCode.USAGE.value());
    assertThat(err()).contains("--dscp is 0 to 63");
    try (NetServer server = server()) {
      String[] words =
          with(server, "ping", "127.0.0.1", "-t", "1.5", "-i", "0.1", "--dscp", "ef", "-J");
      assertThat(ebb(words)).as(err()).isZero();
      ResultRecord result = ResultRecord.fromJson(out().strip());
      assertThat(result.facts()).containsEntry("mark", "ef");
      // Only native epoll sees marks.
      assertThat(result.facts().get("marks_1"))
          .contains(Epoll.isAvailable() ? "both ways: ef, ef+ECT(0)" : "was not seen always");
      assertThat(result.figures().get("mark_answered").longValue()).isPositive();
      assertThat(ebb(with(server, "ping", "127.0.0.1", "-c", "1", "--dscp", "ef"))).isZero();
      assertThat(out()).contains("too short to ask");
      assertThat(ebb(with(server, "-c", "127.0.0.1", "--ledbat", "-n", "1M", "--dscp", "le")))
          .as(err())
          .isZero();
    }
  }

  @Test
  @Tag("long")
  void aSweepPrintsTheTablesOfItsPreset() {
    assertThat(ebb("sweep", "--preset", "seed-004", "-n", "1Mi,2Mi", "--repeat", "2"))
        .as(err())
        .isZero();
    assertThat(out().lines().filter(line -> line.startsWith("Table ")).toList()).hasSize(8);
    // 1 MiB in messages of 65,535 bytes: 16 and a short one.
    assertThat(out())
        .contains("Table 1: TCP streaming", "Table 8: UDP stop-and-wait", "1 MB", "17");
    assertThat(ebb("sweep", "--preset", "udp-rates", "-t", "0.1", "--no-warm-up"))
        .as(err())
        .isZero();
    assertThat(out()).contains("Table 6: UDP packet loss", "Table 7: UDP jitter", "150M");
  }

  @Test
  void aSweepHasARowForEachCombination() {
    assertThat(
            ebb(
                "sweep",
                "-n",
                "100K",
                "--protocols",
                "udp,ledbat",
                "-b",
                "0,50M",
                "--clients",
                "1,2",
                "--no-warm-up",
                "-J"))
        .as(err())
        .isZero();
    ResultRecord result = ResultRecord.fromJson(out().strip());
    // Two protocols, two rates, one client and two clients.
    assertThat(result.rows()).hasSize(2 * 2 * (1 + 2));
  }

  @Test
  void theAliasesOfIperf3AreWords() {
    assertThat(NetAliases.expand("net", "-s", "-p", "1"))
        .containsExactly("net", "server", "-s", "-p", "1");
    assertThat(NetAliases.expand("net", "-u", "-c", "h"))
        .containsExactly("net", "client", "-u", "-c", "h");
    assertThat(NetAliases.expand("net", "--help")).containsExactly("net", "--help");
    assertThat(NetAliases.expand("net", "yield", "-c")).containsExactly("net", "yield", "-c");
    assertThat(NetAliases.expand("sim", "-s")).containsExactly("sim", "-s");
  }

  @Test
  void aConnectTimeoutWithoutAUnitIsInMilliseconds() {
    for (String[] each :
        new String[][] {{"0", "2"}, {"3600001", "2"}, {"3600000", "3"}, {"1h", "3"}, {"2h", "2"}}) {
      CommandRunner.Ended ended =
          CommandRunner.run(
              new NetClientCommand(), "net", "client", "127.0.0.1:1", "--connect-timeout", each[0]);
      assertThat(ended.code()).as(each[0]).isEqualTo(Integer.parseInt(each[1]));
      assertThat(ended.err()).hasLineCount(1);
    }
  }
}
