package org.example.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.net.Mechanisms;
import ebb.net.command.NetClientCommand;
import ebb.net.command.NetMatrixCommand;
import ebb.net.command.NetPingCommand;
import ebb.net.command.NetSweepCommand;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.ServerOptions;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A protocol from outside is one as good as any: nothing in Ebb's own packages names it. */
class ToyMechanismTest {
  private static List<EbbCommand> commands() {
    return List.of(
        new NetClientCommand(),
        new NetPingCommand(),
        new NetMatrixCommand(),
        new NetSweepCommand());
  }

  @TempDir Path dir;

  private CommandRunner.Ended last = new CommandRunner.Ended(0, "", "");

  private int net(String... args) {
    List<String> words = new ArrayList<>(List.of("net"));
    words.addAll(Arrays.asList(args));
    last = CommandRunner.run(commands(), words.toArray(String[]::new));
    return last.code();
  }

  private String out() {
    return last.out();
  }

  private String err() {
    return last.err();
  }

  private static NetServer server(Map<Mechanism, ServerOptions> mechanisms) throws Exception {
    return NetServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        mechanisms,
        ServerLimits.NONE,
        new NetServer.Listener() {
          @Override
          public void onSessionEnd(SessionReport report) {}

          @Override
          public void onRefused(InetSocketAddress client, Refused refused) {}
        });
  }

  private static NetServer server() throws Exception {
    Map<Mechanism, ServerOptions> all = new LinkedHashMap<>();
    Mechanisms.all().forEach(each -> all.put(each, each.serverOptions()));
    return server(all);
  }

  private static String address(NetServer server) {
    return "127.0.0.1:" + server.localAddress().getPort();
  }

  @Test
  void itsOptionsAreInTheHelp() {
    assertThat(net("client", "--help")).isZero();
    assertThat(out())
        .contains("--toy ", "A toy that stays in memory.", "--toy-per-turn=N", "--ack-timeout")
        .contains("--controller", "-C, --congestion");
    assertThat(net("ping", "--help")).isZero();
    assertThat(out()).contains("--toy ", "--tcp", "--ledbat");
    for (String command : List.of("sweep", "matrix")) {
      assertThat(net(command, "--help")).isZero();
      assertThat(out()).contains("Of tcp, udp, ledbat, toy (default: all)");
    }
  }

  @Test
  void aClientMeasuresByItAndTellsItsColumn() throws Exception {
    try (NetServer server = server()) {
      String[] run = {"client", address(server), "--toy", "-n", "50K", "-l", "500"};
      assertThat(net(run)).as(err()).isZero();
      assertThat(out())
          .contains("TOY streaming to ", "Turns  Limited by", "100 messages sent, 50000 bytes sent")
          .doesNotContain("do not agree");

      List<String> words = new ArrayList<>(Arrays.asList(run));
      Path page = dir.resolve("toy.html");
      words.addAll(List.of("--toy-per-turn", "25", "-J", "--plot", page.toString()));
      assertThat(net(words.toArray(String[]::new))).as(err()).isZero();
      ResultRecord result = ResultRecord.fromJson(out().strip());
      assertThat(result.facts()).containsEntry("protocol", "toy");
      assertThat(result.figures()).containsEntry("up_received_bytes", 50_000L);
      // 100 messages, 25 a turn: the server's end was told so.
      assertThat(result.rows()).allMatch(row -> row.containsKey("toy_turns"));
      assertThat(result.rows().stream().mapToLong(row -> (Long) row.get("toy_turns")).sum())
          .isEqualTo(4);
      assertThat(Files.readString(page)).contains("\"title\":\"Turns\"");
    }
  }

  @Test
  void sweepsKnowIt() throws Exception {
    try (NetServer server = server()) {
      String[] sweep = {
        "sweep",
        address(server),
        "--protocols",
        "toy",
        "-n",
        "5K",
        "-l",
        "500",
        "--no-warm-up",
        "-J"
      };
      assertThat(net(sweep)).as(err()).isZero();
      ResultRecord result = ResultRecord.fromJson(out().strip());
      assertThat(result.rows())
          .hasSize(1)
          .allMatch(row -> row.get("protocol").equals("toy"))
          .allMatch(row -> row.get("received_bytes").equals(5_000L));
    }
  }

  @Test
  void whatCannotBeIsAUsageError() throws Exception {
    assertThat(net("client", "127.0.0.1", "--toy", "-u")).isEqualTo(ExitCode.USAGE.value());
    assertThat(err()).contains("-u and --toy exclude each other");
    assertThat(net("client", "127.0.0.1", "--toy", "-l", "1001")).isEqualTo(ExitCode.USAGE.value());
    assertThat(err()).contains("a TOY message carries at most 1000 bytes: 1001");
    assertThat(net("client", "127.0.0.1", "--toy", "--toy-per-turn", "0"))
        .isEqualTo(ExitCode.USAGE.value());
    assertThat(err()).contains("--toy-per-turn must be at least 1: 0");
    assertThat(net("sweep", "--protocols", "top")).isEqualTo(ExitCode.USAGE.value());
    assertThat(err()).contains("a protocol is one of tcp, udp, ledbat, toy: top");
  }

  @Test
  void aServerWithoutItSaysSo() throws Exception {
    Mechanism tcp = Mechanisms.get("tcp");
    try (NetServer server = server(Map.of(tcp, tcp.serverOptions()))) {
      assertThat(net("client", address(server), "--toy", "-n", "1K", "-l", "500"))
          .isEqualTo(ExitCode.REFUSED_OR_BUSY.value());
      assertThat(err()).contains("this server does not know the protocol toy");
    }
  }
}
