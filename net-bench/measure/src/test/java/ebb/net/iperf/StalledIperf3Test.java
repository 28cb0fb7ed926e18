package ebb.net.iperf;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.result.ResultRecord;
import ebb.net.command.NetClientCommand;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client whose iperf3 server begins a test, and then sends nothing or goes away. */
final class StalledIperf3Test {
  /** Reads so many bytes of the flow, and then waits for the client or goes away. */
  private static void serve(ServerSocket listening, int bytes) {
    try (Socket control = listening.accept()) {
      DataInputStream in = new DataInputStream(control.getInputStream());
      OutputStream out = control.getOutputStream();
      in.readNBytes(Iperf3Wire.COOKIE_BYTES);
      out.write(Iperf3Wire.PARAM_EXCHANGE);
      in.readNBytes(in.readInt());
      out.write(Iperf3Wire.CREATE_STREAMS);
      try (Socket data = listening.accept()) {
        data.getInputStream().readNBytes(Iperf3Wire.COOKIE_BYTES);
        out.write(new byte[] {Iperf3Wire.TEST_START, Iperf3Wire.TEST_RUNNING});
        data.getInputStream().readNBytes(bytes);
        while (bytes == 0 && in.read() >= 0) {
          // Until the client has had enough.
        }
      }
    } catch (IOException ended) {
      // The client went away.
    }
  }

  @Test
  void isGivenUpAfterTheReceiveTimeout() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> server = CompletableFuture.runAsync(() -> serve(listening, 0));
      CommandRunner.Ended ended =
          CommandRunner.run(
              new NetClientCommand(),
              "net",
              "client",
              "127.0.0.1:" + listening.getLocalPort(),
              "-R",
              "-n",
              "1M",
              "--rcv-timeout",
              "300");
      assertThat(ended.code()).as("%s", ended.err()).isEqualTo(5);
      assertThat(ended.err()).contains("nothing came from the server for 300 ms");
      server.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void whatAServerThatWentAwayHasNotToldIsNotKnown() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> server =
          CompletableFuture.runAsync(() -> serve(listening, 1_000_000));
      CommandRunner.Ended ended =
          CommandRunner.run(
              new NetClientCommand(),
              "net",
              "client",
              "127.0.0.1:" + listening.getLocalPort(),
              "-t",
              "3600",
              "-J");
      assertThat(ended.code()).as("%s", ended.err()).isEqualTo(5);
      ResultRecord result = ResultRecord.fromJson(ended.out().strip());
      assertThat(result.complete()).isFalse();
      assertThat(result.rows()).isNotEmpty();
      assertThat(result.figures().get("up_sent_bytes").longValue()).isPositive();
      assertThat(result.figures())
          .containsEntry("up_received_bytes", null)
          .containsEntry("up_received_rate_bits_per_second", null);
      assertThat(ended.err()).hasLineCount(1);
      server.get(1, TimeUnit.MINUTES);
    }
  }
}
