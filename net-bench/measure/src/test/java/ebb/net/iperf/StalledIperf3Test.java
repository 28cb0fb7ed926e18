package ebb.net.iperf;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
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

/** A client whose iperf3 server begins a test and then sends nothing. */
final class StalledIperf3Test {
  private static void serve(ServerSocket listening) {
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
        while (in.read() >= 0) {
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
      CompletableFuture<Void> server = CompletableFuture.runAsync(() -> serve(listening));
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
}
