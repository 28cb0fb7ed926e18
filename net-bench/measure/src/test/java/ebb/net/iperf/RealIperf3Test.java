package ebb.net.iperf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.CommandRunner;
import ebb.core.process.Program;
import ebb.core.process.RunningProgram;
import ebb.core.result.ResultRecord;
import ebb.net.command.NetClientCommand;
import ebb.net.command.NetPingCommand;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ebb's client with iperf3's server, and iperf3's client with Ebb's server, over loopback. */
final class RealIperf3Test {
  private static final Duration WAIT = Duration.ofMinutes(1);

  @BeforeEach
  void iperf3IsThere() {
    if (!Program.isInstalled("iperf3") || !Epoll.isAvailable()) {
      String skipped = "skipped: iperf3's protocol with iperf3 because it is not installed here";
      System.out.println(skipped);
      Assumptions.abort(skipped);
    }
  }

  /** {@code iperf3 -s}, until it is closed. */
  private record TheirServer(RunningProgram program, int port) implements AutoCloseable {
    static TheirServer start() throws IOException {
      int port;
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      RunningProgram program =
          Program.of("iperf3", "-s", "-B", "127.0.0.1", "-p", "" + port, "--forceflush")
              .startBeside(RunningProgram.Errors.READ);
      String line = program.readLine();
      while (line != null && !line.contains("listening")) {
        line = program.readLine();
      }
      assertThat(line).as("iperf3 -s").isNotNull();
      Thread reader = new Thread(() -> readAll(program), "iperf3-output");
      reader.setDaemon(true);
      reader.start();
      return new TheirServer(program, port);
    }

    private static void readAll(RunningProgram program) {
      try {
        while (program.readLine() != null) {
          // Only so that it is never held by a full pipe.
        }
      } catch (IOException ended) {
        // Nothing more is said.
      }
    }

    ResultRecord client(String... options) {
      List<String> words = new ArrayList<>(List.of(options));
      words.add("--iperf3");
      return found(words.toArray(String[]::new));
    }

    /** The same by a client that is not told what is there. */
    ResultRecord found(String... options) {
      List<String> words = new ArrayList<>(List.of("net", "client", "127.0.0.1:" + port, "-J"));
      words.addAll(List.of(options));
      CommandRunner.Ended ended =
          CommandRunner.run(new NetClientCommand(), words.toArray(String[]::new));
      assertThat(ended.code()).as("%s: %s", words, ended.err()).isZero();
      ResultRecord result = ResultRecord.fromJson(ended.out().strip());
      assertThat(result.facts()).containsEntry("server_program", "iperf3");
      return result;
    }

    @Override
    public void close() {
      program.close();
    }
  }

  private static double figure(ResultRecord result, String name) {
    Number value = result.figures().get(name);
    assertThat(value).as("%s in %s", name, result.figures()).isNotNull();
    return value.doubleValue();
  }

  @Test
  void ebbsClientStreamsByTcpToAndFromIperf3s() throws Exception {
    try (TheirServer server = TheirServer.start()) {
      ResultRecord up = server.client("-n", "20M", "-P", "4");
      assertThat(figure(up, "up_sent_bytes")).isEqualTo(20e6);
      // iperf3 stops reading when it is told that the test is over.
      assertThat(figure(up, "up_received_bytes")).isBetween(1e6, 20e6);

      ResultRecord down = server.client("-n", "20M", "-R");
      assertThat(figure(down, "down_received_bytes")).isGreaterThanOrEqualTo(20e6);
      assertThat(figure(down, "down_sent_bytes"))
          .isGreaterThanOrEqualTo(figure(down, "down_received_bytes"));

      // iperf3's other options with its meaning.
      ResultRecord blocks = server.client("-k", "20", "-l", "128K", "-M", "1000", "-N", "-S", "32");
      assertThat(figure(blocks, "up_sent_bytes")).isEqualTo(20 * 65_535);

      ResultRecord both = server.client("-t", "1", "--bidir", "-P", "2");
      assertThat(figure(both, "up_received_bytes")).isPositive();
      assertThat(figure(both, "down_received_bytes")).isPositive();
      assertThat(figure(both, "measured_micros")).isBetween(1e6, 30e6);
      assertThat(both.rows().stream().map(row -> row.get("side")).distinct())
          .containsExactlyInAnyOrder("sender", "receiver");
    }
  }

  @Test
  void ebbsClientKnowsIperf3sServerByItsAnswer() throws Exception {
    try (TheirServer server = TheirServer.start()) {
      ResultRecord up = server.found("-n", "2M", "-P", "2");
      assertThat(figure(up, "up_sent_bytes")).isEqualTo(2e6);
      ResultRecord down = server.found("-u", "-b", "4M", "-t", "1", "-R");
      assertThat(figure(down, "down_received_messages")).isPositive();
      // What iperf3 has not it is not asked for; nobody waits for an answer that cannot come.
      for (String[] none :
          List.of(new String[] {"--ledbat", "-t", "1"}, new String[] {"--mode", "stop-and-wait"})) {
        List<String> words =
            new ArrayList<>(List.of("net", "client", "127.0.0.1:" + server.port()));
        words.addAll(List.of(none));
        CommandRunner.Ended ended =
            CommandRunner.run(new NetClientCommand(), words.toArray(String[]::new));
        assertThat(ended.code()).as("%s", words).isEqualTo(4);
        assertThat(ended.err()).contains("the server is 'iperf3 -s'").hasLineCount(1);
      }
      CommandRunner.Ended ping =
          CommandRunner.run(
              new NetPingCommand(), "net", "ping", "127.0.0.1:" + server.port(), "-c", "1");
      assertThat(ping.code()).isEqualTo(3);
      assertThat(ping.err()).contains("is 'iperf3 -s'").hasLineCount(1);
      assertThat(figure(server.found("-n", "1M"), "up_sent_bytes")).isEqualTo(1e6);
    }
  }

  @Test
  @Tag("long")
  void ebbsClientSendsAndReceivesIperf3sDatagrams() throws Exception {
    try (TheirServer server = TheirServer.start()) {
      ResultRecord up = server.client("-u", "-b", "4M", "-t", "1", "-O", "1", "-P", "2");
      double sent = figure(up, "up_sent_messages");
      // A busy machine sends fewer, never more.
      assertThat(sent).isBetween(1.0, 2 * 4e6 / (8 * 1_400) + 80);
      assertThat(figure(up, "up_received_messages")).isBetween(1.0, sent + 80);
      assertThat(figure(up, "up_loss_ratio")).isBetween(0.0, 1.0);

      ResultRecord both = server.client("-u", "-b", "4M", "-t", "1", "--bidir");
      assertThat(figure(both, "down_received_messages"))
          .isBetween(1.0, figure(both, "down_sent_messages"));
      assertThat(figure(both, "down_received_rate_bits_per_second")).isLessThan(4.4e6);
    }
  }

  @Test
  void aServerThatIsBusyOrNotThereOrNotIperf3sIsOneLine() throws Exception {
    CommandRunner.Ended none =
        CommandRunner.run(
            new NetClientCommand(), "net", "client", "127.0.0.1:1", "--iperf3", "-t", "1");
    assertThat(none.code()).isEqualTo(3);
    assertThat(none.err()).contains("no 'iperf3 -s' listens there").hasLineCount(1);
    try (TheirServer server = TheirServer.start();
        java.net.Socket holds = new java.net.Socket("127.0.0.1", server.port())) {
      // Whoever says a cookie and then nothing keeps iperf3 busy.
      holds.getOutputStream().write(Iperf3Wire.cookie());
      assertThat(holds.getInputStream().read()).isEqualTo(Iperf3Wire.PARAM_EXCHANGE);
      CommandRunner.Ended busy =
          CommandRunner.run(
              new NetClientCommand(),
              "net",
              "client",
              "127.0.0.1:" + server.port(),
              "--iperf3",
              "--connect-timeout",
              "2s");
      // 3.12 does not answer a second client while it waits for the first one's parameters.
      assertThat(busy.code()).isIn(3, 4);
      assertThat(busy.err()).hasLineCount(1);
    }
  }

  /** Ebb's server, and what iperf3's clients did there. */
  private static final class OurServer implements NetServer.Listener, AutoCloseable {
    private final LinkedBlockingQueue<SessionReport> ended = new LinkedBlockingQueue<>();
    private final NetServer server;

    OurServer(ServerLimits limits) throws Exception {
      server =
          NetServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), limits, this);
    }

    @Override
    public void onSessionEnd(SessionReport report) {
      ended.add(report);
    }

    @Override
    public void onRefused(InetSocketAddress client, Refused refused) {}

    SessionReport report() throws InterruptedException {
      SessionReport report = ended.poll(WAIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(report).isNotNull();
      return report;
    }

    Map<String, Object> run(String... options) throws Exception {
      List<String> words =
          new ArrayList<>(
              List.of("iperf3", "-c", "127.0.0.1", "-p", "" + server.localAddress().getPort()));
      words.add("-J");
      words.addAll(List.of(options));
      return JSON.std
          .without(JSON.Feature.FAIL_ON_DUPLICATE_MAP_KEYS)
          .mapFrom(Program.of(words).run(WAIT).output());
    }

    /** The part of its result with this name. */
    Map<?, ?> client(String part, String... options) throws Exception {
      Map<String, Object> whole = run(options);
      assertThat(whole.get("error")).as("%s", List.of(options)).isNull();
      assertThat(report().complete()).isTrue();
      assertThat(whole.get("end")).isInstanceOf(Map.class);
      Object found = ((Map<?, ?>) whole.get("end")).get(part);
      assertThat(found).as("%s of %s", part, whole.get("end")).isInstanceOf(Map.class);
      return (Map<?, ?>) found;
    }

    @Override
    public void close() {
      server.close();
    }
  }

  private static double number(Map<?, ?> from, String name) {
    assertThat(from.get(name)).as("%s of %s", name, from).isInstanceOf(Number.class);
    return ((Number) from.get(name)).doubleValue();
  }

  @Test
  void iperf3sClientStreamsByTcpToAndFromEbbsServer() throws Exception {
    try (OurServer server = new OurServer(ServerLimits.NONE)) {
      Map<?, ?> up = server.client("sum_received", "-n", "20M", "-P", "4");
      assertThat(number(up, "bytes")).as("all of it came").isGreaterThanOrEqualTo(20 << 20);
      Map<?, ?> down = server.client("sum_received", "-n", "20M", "-R", "-P", "2");
      assertThat(number(down, "bytes")).isGreaterThanOrEqualTo(20 << 20);
      Map<?, ?> marked =
          server.client("sum_received", "-k", "20", "-l", "128K", "-S", "0x20", "-M", "1000", "-N");
      assertThat(number(marked, "bytes")).isGreaterThanOrEqualTo(20 << 17);
      Map<?, ?> timed = server.client("sum_sent", "-t", "1", "-R", "-O", "1");
      assertThat(number(timed, "bytes")).isPositive();
      Map<?, ?> both = server.client("sum_received_bidir_reverse", "-t", "1", "--bidir", "-P", "2");
      assertThat(number(both, "bytes")).isPositive();
    }
  }

  @Test
  @Tag("long")
  void iperf3sClientSendsAndReceivesDatagrams() throws Exception {
    try (OurServer server = new OurServer(ServerLimits.NONE)) {
      for (String[] ways :
          List.of(
              new String[] {"-t", "1"},
              new String[] {"-t", "1", "-R", "--udp-counters-64bit"},
              new String[] {"-t", "1", "-P", "3", "--bidir"})) {
        List<String> options =
            new ArrayList<>(List.of("-u", "-b", "4M", "-l", "1000", "--connect-timeout", "5000"));
        options.addAll(List.of(ways));
        Map<?, ?> sum = server.client("sum", options.toArray(String[]::new));
        double packets = number(sum, "packets");
        assertThat(packets).as("%s", options).isPositive();
        assertThat(number(sum, "lost_packets")).as("%s", options).isBetween(0.0, packets);
      }
    }
  }

  @Test
  void whatTheServerDoesNotAllowIperf3Says() throws Exception {
    ServerLimits limits = new ServerLimits(2_000_000, 10_000_000, 1_000, null);
    try (OurServer server = new OurServer(limits)) {
      assertThat(server.run("-t", "1").get("error")).asString().contains("bandwidth");
      assertThat(server.run("-t", "1", "-b", "20M").get("error")).asString().contains("bandwidth");
      assertThat(server.run("-t", "5", "-b", "1M").get("error")).asString().contains("duration");
      assertThat(server.report().complete()).isFalse();
      assertThat(server.run("-t", "1", "-b", "5M").get("error")).isNull();
    }
  }

  @Test
  void aKeyKeepsIperf3sClientsOut() throws Exception {
    ServerLimits limits =
        new ServerLimits(60_000_000, 0, 1_000, ebb.net.control.NetKey.of(new byte[32]));
    try (OurServer server = new OurServer(limits)) {
      assertThat(server.run("-t", "1").get("error")).asString().contains("busy");
    }
  }

  @Test
  void stopAndWaitAndLedbatAreNothingForIperf3() {
    for (String[] wrong :
        List.of(
            new String[] {"--ledbat"},
            new String[] {"--mode", "stop-and-wait"},
            new String[] {"-O", "0.5"},
            new String[] {"-P", "129"})) {
      List<String> words = new ArrayList<>(List.of("net", "client", "127.0.0.1", "--iperf3"));
      words.addAll(List.of(wrong));
      CommandRunner.Ended ended =
          CommandRunner.run(new NetClientCommand(), words.toArray(String[]::new));
      assertThat(ended.code()).as("%s", words).isEqualTo(2);
      assertThat(ended.err()).contains("iperf3").hasLineCount(1);
    }
  }
}
