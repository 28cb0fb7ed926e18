package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.net.server.LoopbackServer;
import ebb.net.server.NetServer;
import io.netty.channel.epoll.Epoll;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code ebb net client --background}: what it moves is whole, and it says how it is steered. */
class BackgroundClientTest {
  private CommandRunner.Ended last = new CommandRunner.Ended(0, "", "");
  private NetServer server;

  @BeforeEach
  void serve() throws Exception {
    server = LoopbackServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int client(String... options) {
    List<String> words = new ArrayList<>(List.of("net", "client", "127.0.0.1", "-p"));
    words.add("" + server.localAddress().getPort());
    words.addAll(Arrays.asList(options));
    List<EbbCommand> commands = List.of(new NetClientCommand(), new NetServerCommand());
    last = CommandRunner.run(commands, words.toArray(String[]::new));
    return last.code();
  }

  private ResultRecord measured(String... options) {
    assertThat(client(options)).as(last.err()).isZero();
    return ResultRecord.fromJson(last.out().strip());
  }

  private static void assertSaysHow(ResultRecord result) {
    String how =
        Epoll.isAvailable()
            ? "what arrives is steered by the receive window, what is sent by bytes in flight"
            : "what arrives is steered by reading at a rate, what is sent by writing at a rate";
    assertThat(result.facts().values()).anySatisfy(fact -> assertThat(fact).contains(how));
  }

  private static long figure(ResultRecord result, String name) {
    return result.figures().get(name).longValue();
  }

  @Test
  void aDownloadIsWhole() {
    ResultRecord result = measured("-R", "--background", "-n", "3M", "-J");
    assertThat(figure(result, "down_received_bytes")).isEqualTo(3_000_000);
    assertThat(result.facts()).containsEntry("payload", "verified");
    assertSaysHow(result);
  }

  @Test
  void anUploadIsWhole() {
    ResultRecord result = measured("--background", "-n", "3M", "-J");
    assertThat(figure(result, "up_received_bytes")).isEqualTo(3_000_000);
    assertSaysHow(result);
  }

  @Test
  void severalConnectionsGoBothWaysAtOnce() {
    ResultRecord result = measured("--bidir", "-P", "3", "--background", "-n", "600K", "-J");
    assertThat(figure(result, "up_received_bytes")).isEqualTo(figure(result, "up_sent_bytes"));
    assertThat(figure(result, "down_received_bytes")).isEqualTo(figure(result, "down_sent_bytes"));
    assertThat(figure(result, "down_received_bytes")).isPositive();
    assertSaysHow(result);
  }

  @Test
  void manyShortResponsesOnOneConnectionAllArrive() {
    ResultRecord result =
        measured("-R", "--background", "--mode", "stop-and-wait", "-l", "100", "-n", "50K", "-J");
    assertThat(figure(result, "down_received_bytes")).isEqualTo(50_000);
  }

  @Test
  void whatIsNotTcpIsRefused() {
    for (String other : List.of("--ledbat", "-u")) {
      assertThat(client(other, "--background")).isEqualTo(ExitCode.USAGE.value());
      assertThat(last.err()).contains("--background is for tcp, not ");
      assertThat(last.out()).isEmpty();
    }
  }
}
