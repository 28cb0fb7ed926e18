package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.net.Mechanisms;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoSchedule;
import ebb.net.report.RunPage;
import ebb.net.run.NetPlan;
import ebb.net.server.LoopbackServer;
import ebb.net.server.NetServer;
import ebb.net.udp.UdpClientOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Echoes over loopback: once, on and on, and as Prometheus sees them. */
class EchoPingTest {
  @TempDir Path dir;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Output output =
      new Output(
          new PrintStream(said, true, StandardCharsets.UTF_8),
          new PrintStream(said, true, StandardCharsets.UTF_8),
          false);
  private final ResultRecord.Builder result = ResultRecord.of("net ping");

  private static NetPlan plan(NetServer server, EchoLog log, int count, long interval) {
    TestSpec spec =
        TestSpec.of("udp", Mode.ECHO)
            .messageBytes(64)
            .amountBytes(64L * count)
            .maxMicros(count == 0 ? 600_000_000 : 0)
            .parameter(EchoSchedule.INTERVAL, interval)
            .build();
    return NetPlan.of(server.localAddress(), Mechanisms.get("udp"), spec)
        .flows(UdpClientOptions.counting(log))
        .intervalMicros(interval)
        .durationMicros(spec.maxMicros())
        .connectTimeoutMillis(30_000)
        .build();
  }

  private String text() {
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachEchoIsARowAndThePageShowsThem() throws Exception {
    EchoLog log = new EchoLog(20_000_000, true, reply -> {});
    try (NetServer server = LoopbackServer.start();
        NetSession session = NetSession.open()) {
      EchoPing ping = new EchoPing(plan(server, log, 50, 2_000), log, null, output);
      ping.facts(result);
      ping.once(session, result);
    }
    ResultRecord record = result.build(true, 0);
    assertThat(record.figures()).containsEntry("transmitted", 50L).containsEntry("received", 50L);
    assertThat(record.figures()).containsEntry("up_lost_messages", 0L);
    assertThat(record.facts()).containsEntry("mode", "echo");
    assertThat(record.rows()).hasSize(50);
    assertThat(record.rows().get(49)).containsEntry("seq", 50L);
    assertThat((Long) record.rows().get(7).get("round_trip_micros")).isPositive();
    assertThat(text()).contains("50 packets transmitted, 50 received, 0% packet loss");
    ResultRecord read = ResultRecord.fromJson(record.toJson());
    assertThat(RunPage.of(List.of(read)).toHtml())
        .contains("Round trip", "How many round trips took at most so long")
        .doesNotContain("Lost, echoes");
  }

  @Test
  void anEndlessPingGoesOnUntilItIsInterruptedAndAfterwardsSaysWhatItWas() throws Exception {
    EchoLog log = new EchoLog(1_000_000, false, reply -> {});
    AtomicInteger rows = new AtomicInteger();
    Path csv = dir.resolve("ping.csv");
    try (NetServer server = LoopbackServer.start();
        NetSession session = NetSession.openEndless();
        CsvLines lines = CsvLines.open(csv)) {
      EchoPing ping = new EchoPing(plan(server, log, 0, 10_000), log, null, output);
      ping.endlessly(
          session,
          result,
          row -> {
            lines.add(row);
            if (rows.incrementAndGet() == 3) {
              Thread stopper = new Thread(session::interrupt, "interrupts");
              stopper.setDaemon(true);
              stopper.start();
            }
          });
      assertThat(ping.connected()).isFalse();
    }
    assertThat(rows.get()).isGreaterThanOrEqualTo(3);
    assertThat(Files.readAllLines(csv)).hasSize(rows.get() + 1);
    assertThat(Files.readAllLines(csv).get(0)).startsWith("from_micros,to_micros,transmitted,");
    assertThat(text()).contains("packets transmitted", "rtt min/avg/max");
    assertThat(result.build(true, 0).rows()).hasSize(rows.get());
  }

  @Test
  void prometheusIsToldWhatWasCounted() throws Exception {
    EchoLog log = new EchoLog(1_000_000, false, reply -> {});
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (PingMetrics metrics = PingMetrics.serve(any, "there:1", log, () -> true)) {
      log.onSent(0, 0);
      log.onSent(0, 0);
      log.onAnswer(1, 0, 3_000);
      log.onTime(2_000_000);
      String body =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create("http://127.0.0.1:" + metrics.port() + "/metrics"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      assertThat(body)
          .contains(
              "ebb_ping_transmitted_total{server=\"there:1\"} 2.0",
              "ebb_ping_received_total{server=\"there:1\"} 1.0",
              "ebb_ping_lost_echoes{server=\"there:1\"} 1.0",
              "ebb_ping_connected{server=\"there:1\"} 1.0");
    }
  }

  @Test
  void metricsAreForThisMachineAloneUnlessAnAddressIsGiven() {
    assertThat(LiveOption.address("9464", 1).getAddress().isLoopbackAddress()).isTrue();
    assertThat(LiveOption.address("0.0.0.0:9464", 1).getAddress().isAnyLocalAddress()).isTrue();
  }
}
