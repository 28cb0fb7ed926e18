package ebb.ledbat.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PortProbeTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  @Test
  void aProbeThatIsClosedWaitsForNoAnswer() throws Exception {
    CompletableFuture<Void> result = new CompletableFuture<>();
    try (DatagramSocket silent = new DatagramSocket(0, HERE)) {
      PortProbe probe = PortProbe.start(to(silent.getLocalPort()), result);
      silent.receive(new DatagramPacket(new byte[100], 100));
      probe.close();
      probe.awaitEnd();
    }
    assertThat(result).isNotDone();
  }

  @Test
  void oneThatIsClosedAtOnceEndsToo() throws Exception {
    CompletableFuture<Void> result = new CompletableFuture<>();
    try (DatagramSocket silent = new DatagramSocket(0, HERE)) {
      PortProbe probe = PortProbe.start(to(silent.getLocalPort()), result);
      probe.close();
      probe.awaitEnd();
    }
    assertThat(result).isNotDone();
  }

  @Test
  void aHostThatDeniesThePortIsBelieved() throws Exception {
    int port;
    try (DatagramSocket gone = new DatagramSocket(0, HERE)) {
      port = gone.getLocalPort();
    }
    CompletableFuture<Void> result = new CompletableFuture<>();
    try (PortProbe probe = PortProbe.start(to(port), result)) {
      assertThatThrownBy(() -> result.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(EbbException.class)
          .hasMessageContaining("nobody listens on that port");
      probe.awaitEnd();
    }
  }

  private static InetSocketAddress to(int port) {
    return new InetSocketAddress(HERE, port);
  }
}
