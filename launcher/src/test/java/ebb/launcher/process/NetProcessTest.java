package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.net.control.ControlCodec;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb net server} and {@code client} as processes, and what happens when one is ended. */
class NetProcessTest {
  @TempDir Path dir;

  @Test
  void anInterruptedClientWritesAResultAndAKilledOneCostsNobodyTheServer() throws Exception {
    try (EbbProcess server = EbbProcess.start(dir, "net", "-s", "-B", "127.0.0.1", "-p", "0")) {
      String port = "" + server.port();
      try (EbbProcess client =
          EbbProcess.start(
              dir, "net", "-c", "127.0.0.1", "-p", port, "-t", "600", "--json-stream")) {
        client.await(() -> client.out().contains("\"interval\""));
        client.interrupt();
        assertThat(client.exitCode()).as(client.err()).isEqualTo(ExitCode.INCOMPLETE.value());
        String last = client.out().lines().reduce((first, second) -> second).orElseThrow();
        String head = "{\"event\":\"end\",\"data\":";
        assertThat(last).startsWith(head);
        ResultRecord result =
            ResultRecord.fromJson(last.substring(head.length(), last.length() - 1));
        assertThat(result.complete()).isFalse();
        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.warnings()).anyMatch(warning -> warning.contains("interrupted"));
        assertThat(result.figures().get("up_sent_bytes").longValue()).isPositive();
      }
      try (EbbProcess client =
          EbbProcess.start(
              dir,
              "net",
              "-c",
              "127.0.0.1",
              "-p",
              port,
              "--ledbat",
              "-t",
              "600",
              "--json-stream")) {
        client.await(() -> client.out().contains("\"interval\""));
        client.kill();
      }
      server.await(() -> server.out().contains("LEDBAT") && server.out().contains("not complete"));
      int number = server.port();
      try (Socket stranger = new Socket("127.0.0.1", number);
          DatagramSocket udp = new DatagramSocket()) {
        byte[] junk = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        for (int to : new int[] {number, number + 1}) {
          udp.send(new DatagramPacket(junk, junk.length, InetAddress.getLoopbackAddress(), to));
        }
        stranger.getOutputStream().write(junk);
        try (EbbProcess client =
            EbbProcess.start(dir, "net", "-c", "127.0.0.1", "-p", port, "-n", "1M")) {
          assertThat(client.exitCode()).as(client.err()).isZero();
        }
      }
      assertThat(server.process.isAlive()).isTrue();
      server.interrupt();
      assertThat(server.exitCode()).isZero();
      assertThat(server.err())
          .containsPattern("dropped [1-9]\\d* connections and datagrams of strangers");
    }
  }

  @Test
  void aServerOfAnotherVersionIsNamedWithBoth() throws Exception {
    byte[] other = ControlCodec.encode(new Refused(9, Refusal.VERSION, "only version 9"));
    try (ServerSocket fake = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        EbbProcess client =
            EbbProcess.start(dir, "net", "-c", "127.0.0.1:" + fake.getLocalPort())) {
      try (Socket socket = fake.accept()) {
        socket.getOutputStream().write(other);
        socket.getOutputStream().flush();
        assertThat(client.exitCode()).isEqualTo(ExitCode.REFUSED_OR_BUSY.value());
      }
      assertThat(client.errLine()).contains("version 9", "version " + ControlMessage.VERSION);
      assertThat(client.out()).isEmpty();
    }
  }
}
