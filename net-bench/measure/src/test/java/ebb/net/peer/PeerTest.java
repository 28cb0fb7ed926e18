package ebb.net.peer;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.ExitCode;
import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.KompicsSystem;
import ebb.core.rand.FreshSecret;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.SecureDriverFactory;
import ebb.ledbat.secure.PresharedKey;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import se.sics.kompics.Component;

class PeerTest {
  private static final LedbatConfig CONFIG =
      LedbatConfig.defaults().toBuilder().connectTimeoutMicros(2_000_000).build();

  private static EbbAddress freeAddress() throws IOException {
    try (DatagramSocket socket =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      return EbbAddress.of(socket.getLocalAddress(), socket.getLocalPort());
    }
  }

  private static int ebb(String... args) {
    return CommandRunner.run(new PeerCommand(), args).code();
  }

  @Test
  void everyPackageIsAcknowledgedOnceAndNoneIsLost() throws Exception {
    exchange(3_000, DriverFactory.netty(), DriverFactory.netty());
  }

  @Test
  void aSharedKeyChangesNothing() throws Exception {
    PresharedKey key = new PresharedKey(FreshSecret.bytes(PresharedKey.BYTES));
    exchange(
        3_000,
        new SecureDriverFactory(DriverFactory.netty(), key, "test"),
        new SecureDriverFactory(DriverFactory.netty(), key, "test"));
  }

  @SuppressWarnings("try") // the system is there to be closed
  private void exchange(long millis, DriverFactory serverDriver, DriverFactory clientDriver)
      throws Exception {
    EbbAddress server = freeAddress();
    EbbAddress client = freeAddress();
    CompletableFuture<PeerReport> end = new CompletableFuture<>();
    AtomicReference<PeerReport> received = new AtomicReference<>();
    List<String> lines = new CopyOnWriteArrayList<>();
    PeerClient.Init sender =
        new PeerClient.Init(client, server, 100, millis, lines::add, end::complete);
    PeerServer.Init receiver = new PeerServer.Init(server, line -> {}, received::set);
    PeerReport report;
    // A server and a client in one Kompics.
    try (KompicsSystem<Component> system =
        KompicsSystem.start(
            components -> {
              new PeerNode(CONFIG, serverDriver).assemble(components, receiver);
              return new PeerNode(CONFIG, clientDriver).assemble(components, sender);
            },
            end::completeExceptionally)) {
      report = end.get(60, TimeUnit.SECONDS);
    }
    assertThat(report.failure()).isEmpty();
    assertThat(report.packages()).isGreaterThanOrEqualTo(100);
    assertThat(report.acks()).isEqualTo(report.packages());
    assertThat(report.lost()).isZero();
    assertThat(report.doubled()).isZero();
    assertThat(report.isComplete()).isTrue();
    assertThat(received.get().lost()).isZero();
    assertThat(received.get().doubled()).isZero();
    assertThat(lines)
        .isNotEmpty()
        .allMatch(
            line ->
                line.matches("Received \\d+ packages for effective bandwidth of \\d+\\.\\d KiB/s"));
  }

  @Test
  void aServerThatIsNotThereCannotBeConnectedTo() throws Exception {
    EbbAddress self = freeAddress();
    EbbAddress nobody = freeAddress();
    assertThat(
            ebb("peer", "127.0.0.1", "" + self.getPort(), "127.0.0.1", "" + nobody.getPort(), "1"))
        .isEqualTo(ExitCode.CANNOT_CONNECT.value());
  }

  @Test
  void aPortInUseIsBusy() throws Exception {
    try (DatagramSocket held =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      assertThat(ebb("peer", "127.0.0.1", "" + held.getLocalPort()))
          .isEqualTo(ExitCode.REFUSED_OR_BUSY.value());
    }
  }

  @Test
  void impossibleArgumentsAreRefused() {
    int usage = ExitCode.USAGE.value();
    assertThat(ebb("peer")).isEqualTo(usage);
    assertThat(ebb("peer", "127.0.0.1", "port")).isEqualTo(usage);
    assertThat(ebb("peer", "127.0.0.1", "70000")).isEqualTo(usage);
    assertThat(ebb("peer", "127.0.0.1", "7000", "127.0.0.1")).isEqualTo(usage);
    assertThat(ebb("peer", "127.0.0.1", "7000", "127.0.0.1", "7001", "0")).isEqualTo(usage);
  }
}
