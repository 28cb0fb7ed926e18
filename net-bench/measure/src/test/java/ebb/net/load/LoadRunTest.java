package ebb.net.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.kompics.KompicsSystem;
import ebb.core.result.ResultRecord;
import ebb.net.echo.MarkCounts;
import ebb.net.port.RunDirector;
import ebb.net.report.RunPage;
import ebb.net.server.LoopbackServer;
import ebb.net.server.NetServer;
import ebb.net.tcp.TcpOptions;
import io.netty.channel.epoll.Epoll;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A load and its probe over loopback. */
class LoadRunTest {
  private static LoadPlan plan(InetSocketAddress server) {
    return new LoadPlan(
        server,
        List.of(new Load("TCP", "tcp", new TcpOptions().opening())),
        List.of(Load.Way.BOTH),
        2,
        500_000,
        400_000,
        100_000,
        5_000,
        0x68,
        0x20,
        null,
        30_000);
  }

  @Test
  void aProbeGoesBesideEveryLoadAndEachIsARow() throws Exception {
    List<String> said = new ArrayList<>();
    try (NetServer server = LoopbackServer.start();
        KompicsSystem<RunDirector> runs = RunDirector.start()) {
      LoadRun run =
          new LoadRun(plan(server.localAddress()), runs.handle(), new CompletableFuture<>());
      LoadOutcome outcome = run.measure(120, said::add);
      assertThat(outcome.failure()).isNull();
      assertThat(said).startsWith("idle").contains("TCP both");
      assertThat(said)
          .filteredOn(line -> line.contains("up "))
          .isNotEmpty()
          .allMatch(line -> line.matches("TCP both  [\u2581-\u2588]{1,24}  up .*  down .*"));
      assertThat(said.get(said.size() - 1)).startsWith("pause");
      assertThat(outcome.cells()).hasSize(2);
      LoadCell idle = outcome.cells().get(0);
      LoadCell loaded = outcome.cells().get(1);
      assertThat(idle.load()).isEqualTo(LoadCell.IDLE);
      // A busy machine may send none in either stretch, but not in all of the time.
      assertThat(outcome.probe().counts().transmitted()).isPositive();
      assertThat(idle.upBitsPerSecond()).isNaN();
      assertThat(loaded.upBitsPerSecond()).isPositive();
      assertThat(loaded.downBitsPerSecond()).isPositive();
      assertThat(loaded.fromMicros()).isGreaterThan(idle.toMicros());
      assertThat(run.soFar().cells()).isEqualTo(outcome.cells());
      assertThat(RunPage.running(run.soFar(), 61_000_000).toParts())
          .contains(
              "It has run for 1m01s", "The probe over time", "TCP both", "Round trips a minute");
      // Over loopback every mark that was answered came as it went.
      assertThat(outcome.marks()).hasSize(8);
      assertThat(outcome.marks())
          .filteredOn(mark -> Epoll.isAvailable() && mark.answered() > 0)
          .isNotEmpty()
          .allMatch(MarkCounts::kept);
      assertThat(LoadText.lines(outcome)).hasSizeGreaterThanOrEqualTo(6);
      assertThat(LoadText.lines(outcome)).allMatch(line -> line.length() <= 100);

      ResultRecord.Builder result = ResultRecord.of("net load");
      LoadRecord.add(outcome, result);
      ResultRecord read = ResultRecord.fromJson(result.build(true, 0).toJson());
      assertThat(read.rows()).filteredOn(row -> row.get(LoadRecord.MARK) == null).hasSize(2);
      assertThat(read.rows())
          .filteredOn(row -> "af31".equals(row.get(LoadRecord.MARK)))
          .allMatch(row -> row.get("tos").equals(0x68L) || row.get("tos").equals(0x68));
      assertThat(read.rows().get(1)).containsEntry("way", "both").containsKey("grade");
    }
  }

  @Test
  void whatWasMeasuredBeforeAnInterruptionIsKept() throws Exception {
    CompletableFuture<Void> interrupted = new CompletableFuture<>();
    try (NetServer server = LoopbackServer.start();
        KompicsSystem<RunDirector> runs = RunDirector.start()) {
      LoadOutcome outcome =
          new LoadRun(plan(server.localAddress()), runs.handle(), interrupted)
              .measure(
                  0,
                  words -> {
                    if (words.equals("TCP both")) {
                      interrupted.complete(null);
                    }
                  });
      assertThat(outcome.cells()).hasSize(1);
      EbbException failure = outcome.failure();
      assertThat(failure).isNotNull();
      assertThat(failure.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    }
  }

  @Test
  void aServerThatIsNotThereIsOneLine() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (KompicsSystem<RunDirector> runs = RunDirector.start()) {
      LoadRun run = new LoadRun(plan(nobody), runs.handle(), new CompletableFuture<>());
      assertThatThrownBy(() -> run.measure(0, words -> {}))
          .isInstanceOf(EbbException.class)
          .hasMessageContaining("connection refused");
    }
  }
}
