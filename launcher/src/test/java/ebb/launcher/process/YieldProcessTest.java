package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.net.control.ControlCodec;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.Token;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb net yield} and {@code ebb net server} as processes, over loopback. */
class YieldProcessTest {
  private static final List<String> SHORT =
      List.of("--alone", "1s", "--contended", "1s", "--after", "1s", "--lead", "1s");

  @TempDir Path dir;

  private EbbProcess server(String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("net", "server", "--bind", "127.0.0.1"));
    args.addAll(List.of("--port", "0"));
    args.addAll(Arrays.asList(options));
    return EbbProcess.start(dir, args.toArray(String[]::new));
  }

  private EbbProcess client(String address, String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("net", "yield", address));
    args.addAll(SHORT);
    args.addAll(Arrays.asList(options));
    return EbbProcess.start(dir, args.toArray(String[]::new));
  }

  @Test
  void measuresAllPhasesAndDrawsThem() throws Exception {
    Path page = dir.resolve("yield.html");
    // What the kernel's TCP does depends on the machine: every bound that could fail is off.
    String[] options = {
      "--json",
      "--plot",
      page.toString(),
      "--tcp",
      "default",
      "--max-share",
      "none",
      "--max-tcp-loss",
      "none",
      "--max-recovery",
      "none",
      "--max-queue",
      "none"
    };
    try (EbbProcess server = server("--once");
        EbbProcess client = client(server.address(), options)) {
      assertThat(client.exitCode()).as(client.err()).isEqualTo(ExitCode.DONE.value());
      assertThat(server.exitCode()).as(server.err()).isEqualTo(ExitCode.DONE.value());
      assertThat(server.out())
          .contains("LEDBAT streaming", "TCP streaming", "had the server for itself")
          .doesNotContain("not complete");

      assertThat(client.out().lines().toList()).hasSize(1);
      ResultRecord result = ResultRecord.fromJson(client.out().strip());
      assertThat(result.command()).isEqualTo("net yield");
      assertThat(result.complete()).isTrue();
      for (String figure :
          List.of(
              "alone_ledbat_rate_bits_per_second",
              "contended_ledbat_rate_bits_per_second",
              "after_ledbat_rate_bits_per_second",
              "alone_tcp_rate_bits_per_second",
              "contended_tcp_rate_bits_per_second",
              "base_rtt_micros")) {
        assertThat(result.figures().get(figure)).as(figure).isNotNull();
        assertThat(result.figures().get(figure).doubleValue()).as(figure).isPositive();
      }
      assertThat(result.figures().get("contended_share_ratio").doubleValue()).isBetween(0.0, 1.0);
      assertThat(result.figures().get("alone_duration_micros").longValue())
          .isGreaterThanOrEqualTo(1_000_000);
      assertThat(result.figures())
          .containsKeys(
              "contended_settled_share_ratio",
              "tcp_loss_ratio",
              "recovery_micros",
              "base_delay_range_micros",
              "clock_error_micros",
              "alone_queue_median_micros",
              "alone_queue_p95_micros",
              "contended_queue_median_micros",
              "contended_queue_p95_micros",
              "after_queue_median_micros",
              "after_queue_p95_micros",
              "alone_ledbat_retransmitted_packets",
              "contended_ledbat_retransmitted_packets",
              "contended_tcp_retransmitted_segments",
              "max_share_ratio",
              "max_tcp_loss_ratio",
              "max_recovery_micros",
              "max_queue_micros")
          .containsEntry("tcp_lead_queue_median_micros", null)
          .containsEntry("max_share_ratio", null);
      assertThat(result.facts())
          .containsEntry("verdict", "holds")
          .containsEntry("failed", "")
          .containsEntry("first", "ledbat")
          .containsEntry("rates_counted_at", "receiver")
          .containsKeys("controller", "tcp_congestion_control", "server");
      assertThat(result.rows()).hasSizeGreaterThan(40);
      assertThat(result.rows().stream().map(row -> row.get("phase")).distinct())
          .contains("tcp_alone", "alone", "contended", "after")
          .isSubsetOf("tcp_alone", "alone", "contended", "after", "between");

      String html = Files.readString(page);
      assertThat(html)
          .contains(
              "Arrived at the receiver",
              "Window",
              "Queuing delay",
              "TARGET 100 ms",
              "Base delay above the smallest of the run",
              "\"label\":\"both\"")
          .contains("default-src 'none'");
      assertThat(client.err()).contains("LEDBAT alone").doesNotContain("\r");
      assertThat(client.err().lines()).allMatch(line -> line.length() <= 100);
    }
  }

  @Test
  @Tag("long")
  void aDownloadThatItsReceiverHoldsBackIsJudgedTheSameWay() throws Exception {
    String[] bounds = {
      "--receiver",
      "--json",
      "--max-share",
      "none",
      "--max-tcp-loss",
      "none",
      "--max-recovery",
      "none",
      "--max-queue",
      "none"
    };
    List<String> ledbat = new ArrayList<>(List.of(bounds));
    ledbat.addAll(List.of("--ledbat", "--controller", "scavenger"));
    try (EbbProcess tcpServer = server();
        EbbProcess tcp = client(tcpServer.address(), bounds);
        EbbProcess ledbatServer = server("--controller", "dtl:4");
        EbbProcess byLedbat = client(ledbatServer.address(), ledbat.toArray(String[]::new))) {
      ResultRecord ofTcp = judged(tcp);
      assertThat(ofTcp.facts())
          .containsEntry("yielder", "tcp_receiver")
          .containsEntry("controller", "receiver");
      assertThat(tcp.err()).contains("background alone").doesNotContain("LEDBAT");

      ResultRecord ofLedbat = judged(byLedbat);
      assertThat(ofLedbat.facts())
          .containsEntry("yielder", "ledbat_receiver")
          .containsEntry("controller", "scavenger");
      // They are the receiver's: the server's window is not known at this end.
      assertThat(ofLedbat.rows())
          .anySatisfy(
              row -> {
                assertThat(row.get("phase")).isEqualTo("alone");
                assertThat(row.get("ledbat_cwnd_bytes")).isInstanceOf(Number.class);
                assertThat(row.get("queuing_delay_micros")).isInstanceOf(Number.class);
              });
      assertThat(ofLedbat.figures().get("base_rtt_micros").doubleValue()).isPositive();
    }
  }

  /** What a client of a download found, when nothing is out of bounds. */
  private static ResultRecord judged(EbbProcess client) throws Exception {
    assertThat(client.exitCode()).as(client.err()).isEqualTo(ExitCode.DONE.value());
    ResultRecord result = ResultRecord.fromJson(client.out().strip());
    assertThat(result.complete()).isTrue();
    assertThat(result.facts()).containsEntry("verdict", "holds").containsEntry("direction", "down");
    for (String figure :
        List.of(
            "alone_ledbat_rate_bits_per_second",
            "after_ledbat_rate_bits_per_second",
            "alone_tcp_rate_bits_per_second",
            "contended_tcp_rate_bits_per_second")) {
      assertThat(result.figures().get(figure).doubleValue()).as(figure).isPositive();
    }
    assertThat(result.figures().get("alone_tcp_retransmitted_segments")).isNull();
    return result;
  }

  @Test
  void aMissedThresholdIsNinetyNine() throws Exception {
    // A queue of no time at all nobody keeps to; TCP goes first this time.
    try (EbbProcess server = server();
        EbbProcess client =
            client(
                server.address(),
                "--first",
                "tcp",
                "--tcp",
                "default",
                "--max-share",
                "0%",
                "--json")) {
      assertThat(client.exitCode()).as(client.err()).isEqualTo(99);
      ResultRecord result = ResultRecord.fromJson(client.out().strip());
      assertThat(result.exitCode()).isEqualTo(99);
      assertThat(result.complete()).isTrue();
      assertThat(result.facts()).containsEntry("verdict", "failed").containsEntry("first", "tcp");
      assertThat(result.facts().get("failed")).contains("share");
      assertThat(result.figures().get("tcp_lead_duration_micros")).isNotNull();
      assertThat(server.process.isAlive()).isTrue();
    }
  }

  @Test
  void aSecondClientIsToldThatTheServerIsBusyAndAKilledOneIsForgotten() throws Exception {
    try (EbbProcess server = server()) {
      String address = server.address();
      try (EbbProcess first = client(address, "--tcp", "default", "--tcp-alone", "10m")) {
        server.await(() -> server.err().contains(" measures"));
        try (EbbProcess second = client(address, "--tcp", "default")) {
          assertThat(second.exitCode()).isEqualTo(ExitCode.REFUSED_OR_BUSY.value());
          assertThat(second.errLine())
              .isEqualTo("ebb: the server refused: the server is busy with another client");
          assertThat(second.out()).isEmpty();
        }
        first.kill();
      }
      server.await(() -> server.out().contains("not complete"));
    }
  }

  @Test
  void aServerThatGoesAwayLeavesAnIncompleteResult() throws Exception {
    try (EbbProcess server = server();
        EbbProcess client =
            EbbProcess.start(
                dir,
                "net",
                "yield",
                server.address(),
                "--tcp-alone",
                "1s",
                "--alone",
                "10m",
                "--tcp",
                "default",
                "--json")) {
      // A phase of a second can end between two lines of progress on a busy machine.
      client.await(() -> client.err().contains("LEDBAT alone"));
      server.signal("TERM");
      assertThat(client.exitCode()).isEqualTo(ExitCode.INCOMPLETE.value());
      ResultRecord result = ResultRecord.fromJson(client.out().strip());
      assertThat(result.complete()).isFalse();
      assertThat(result.facts()).containsEntry("verdict", "incomplete");
      assertThat(result.warnings()).anyMatch(warning -> warning.contains("the server is ending"));
      assertThat(result.figures().get("alone_tcp_rate_bits_per_second")).isNotNull();
      assertThat(result.figures().get("contended_share_ratio")).isNull();
    }
  }

  @Test
  void aServerOfAnotherVersionOrKindIsNamed() throws Exception {
    byte[] other = ControlCodec.encode(new Refused(9, Refusal.VERSION, "only version 9"));
    try (ServerSocket fake = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        EbbProcess client = client("127.0.0.1:" + fake.getLocalPort(), "--tcp", "default")) {
      try (Socket socket = fake.accept()) {
        socket.getOutputStream().write(other);
        socket.getOutputStream().flush();
        assertThat(client.exitCode()).isEqualTo(ExitCode.REFUSED_OR_BUSY.value());
      }
      assertThat(client.errLine())
          .contains("version 9")
          .contains("version " + ControlMessage.VERSION);
    }
    try (ServerSocket fake = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        EbbProcess client = client("127.0.0.1:" + fake.getLocalPort(), "--tcp", "default")) {
      try (Socket socket = fake.accept()) {
        socket.getOutputStream().write("SSH-2.0-x\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        assertThat(client.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT.value());
      }
      assertThat(client.errLine()).contains("not 'ebb net server'");
    }
  }

  @Test
  void strangersAreDroppedWithoutAWordAndCostNobodyTheServer() throws Exception {
    try (EbbProcess server = server()) {
      for (String words : List.of("GET / HTTP/1.1\r\n\r\n", "\0\0", "\377\377junk")) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
          socket.setSoTimeout(60_000);
          socket.getOutputStream().write(words.getBytes(StandardCharsets.ISO_8859_1));
          InputStream in = socket.getInputStream();
          assertThat(in.read()).as("an answer to %s", words).isEqualTo(-1);
        }
      }
      byte[] later =
          ControlCodec.encode(new Hello(ControlMessage.VERSION, Purpose.SESSION, Token.NONE));
      later[12] = ControlMessage.VERSION + 1; // The version's second byte.
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(later);
        byte[] answer = socket.getInputStream().readAllBytes();
        ControlMessage read = ControlCodec.decode(Arrays.copyOfRange(answer, 2, answer.length));
        assertThat(read)
            .isInstanceOfSatisfying(
                Refused.class,
                refused -> {
                  assertThat(refused.refusal()).isEqualTo(Refusal.VERSION);
                  assertThat(refused.reason())
                      .contains("version " + ControlMessage.VERSION)
                      .contains("version " + (ControlMessage.VERSION + 1));
                });
      }
      assertThat(server.process.isAlive()).isTrue();
    }
  }
}
