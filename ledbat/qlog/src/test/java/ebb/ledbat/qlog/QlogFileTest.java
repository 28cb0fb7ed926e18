package ebb.ledbat.qlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.trace.EndpointTrace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files written of connections of the real engine on virtual time. */
final class QlogFileTest {
  private static final long SECOND = 1_000_000;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<String> failures = new ArrayList<>();

  private QlogFile file() throws IOException {
    return QlogFile.to(bytes, "test", QlogClock.VIRTUAL, failures::add);
  }

  private static LedbatConfig traced(EndpointTrace trace) {
    return LedbatConfig.defaults().toBuilder().trace(trace).build();
  }

  @Test
  void everyKindOfEventIsWrittenAsTheSchemaSays() throws IOException {
    try (QlogFile file = file()) {
      file.scenario("everything", 1);
      LedbatConfig config = traced(file).toBuilder().receiveController("dtl:4").build();
      World world = new World(1, config, 3_000_000, 0);
      world.pair.rateBytesPerSecond = 1_000_000;
      world.pair.loss = 0.01;
      world.pair.reorder = 0.02;
      world.connect();
      assertThat(world.pair.runUntil(30 * SECOND, () -> world.server.read > 500_000)).isTrue();
      world.client.connection.setController("ledbat++", world.pair.nowMicros);
      world.pair.inject(EndpointPair.LEFT, forged(world));
      long silentUntil = world.pair.nowMicros + 3 * SECOND;
      world.pair.tap = (from, datagram) -> world.pair.nowMicros > silentUntil;
      assertThat(world.pair.runUntil(120 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    }

    QlogRecords records = QlogRecords.valid(bytes.toByteArray());

    assertThat(records.names()).isEqualTo(QlogRecords.namesInSchema());
    assertThat(records.data("ledbat:controller_updated"))
        .extracting(d -> d.path("controller"))
        .extracting(JsonNode::asText)
        .containsExactly("ledbat", "ledbat", "ledbat++");
    assertThat(records.data("ledbat:connection_closed").get(0).path("reason").asText())
        .isEqualTo("finished");
    assertThat(records.data("ledbat:packet_received"))
        .anyMatch(data -> data.path("selective_acks").size() > 0);
    assertThat(failures).isEmpty();
  }

  @Test
  void withoutPacketsTheRestIsTheSameAndFiguresComeNowAndThen() throws IOException {
    List<QlogRecords> both = new ArrayList<>();
    for (boolean packets : List.of(true, false)) {
      bytes.reset();
      try (QlogFile file = packets ? file() : file().withoutPackets()) {
        World world = new World(1, traced(file), 3_000_000, 0);
        world.pair.loss = 0.01;
        assertThat(world.runToEnd(60 * SECOND)).isTrue();
      }
      both.add(QlogRecords.valid(bytes.toByteArray()));
    }
    QlogRecords all = both.get(0);
    QlogRecords brief = both.get(1);
    Set<String> ofPackets =
        Set.of("ledbat:packet_sent", "ledbat:packet_received", "ledbat:packets_acked");

    assertThat(all.names()).containsAll(ofPackets).contains("ledbat:packet_lost");
    assertThat(brief.names()).doesNotContainAnyElementsOf(ofPackets);
    for (String name : all.names()) {
      if (!ofPackets.contains(name) && !name.equals("ledbat:metrics_updated")) {
        assertThat(brief.data(name)).as(name).isEqualTo(all.data(name));
      }
    }
    List<Double> times =
        brief.ofGroup("1").stream()
            .filter(event -> event.path("name").asText().equals("ledbat:metrics_updated"))
            .map(event -> event.path("time").asDouble())
            .toList();
    assertThat(times).hasSizeGreaterThan(10);
    for (int i = 1; i < times.size(); i++) {
      assertThat(times.get(i) - times.get(i - 1)).isGreaterThanOrEqualTo(9.999);
    }
  }

  /** A packet that acknowledges what nobody sent, from the peer's address. */
  private static byte[] forged(World world) {
    byte[] packet = new byte[20];
    byte[] last = new byte[4];
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.LEFT)) {
            last[2] = datagram[2];
            last[3] = datagram[3];
          }
          return true;
        };
    assertThat(world.pair.runUntil(SECOND, () -> last[2] != 0 || last[3] != 0)).isTrue();
    packet[0] = 0x21;
    packet[2] = last[2];
    packet[3] = last[3];
    packet[18] = 0x40;
    return packet;
  }

  @Test
  void aFileSaysWhatTheConnectionsCounted() throws IOException {
    World world;
    try (QlogFile file = file()) {
      world = new World(3, traced(file), 400_000, 0);
      assertThat(world.runToEnd(60 * SECOND)).isTrue();
    }
    ConnectionStats stats = world.client.connection.stats(world.pair.nowMicros);

    QlogRecords records = QlogRecords.valid(bytes.toByteArray());

    assertThat(records.groups()).isEqualTo(Set.of("1", "2"));
    List<JsonNode> clients = records.ofGroup("1");
    assertThat(clients.get(0).path("name").asText()).isEqualTo("ledbat:connection_started");
    assertThat(clients.get(0).path("time").asDouble()).isZero();
    assertThat(clients.get(0).path("data").path("remote_ip").asText()).isEqualTo("10.0.0.2");
    assertThat(clients.stream().filter(e -> e.path("name").asText().equals("ledbat:packet_sent")))
        .hasSize((int) stats.datagramsSent());
    long acked =
        clients.stream()
            .filter(e -> e.path("name").asText().equals("ledbat:packets_acked"))
            .mapToLong(e -> e.path("data").path("payload_length").asLong())
            .sum();
    assertThat(acked).isEqualTo(400_000);
    assertThat(records.events()).extracting(e -> e.path("time").asDouble()).isSorted();
    double endMillis = records.events().get(records.events().size() - 1).path("time").asDouble();
    assertThat(endMillis).isBetween(50.0, 60_000.0);
  }

  @Test
  void theHeaderComesFirstEvenWhereNothingHappened() throws IOException {
    file().close();

    String text = bytes.toString(StandardCharsets.UTF_8);
    assertThat(text.substring(0, 256))
        .contains("urn:ietf:params:qlog:file:sequential", "application/qlog+json-seq");
    QlogRecords records = QlogRecords.valid(bytes.toByteArray());
    assertThat(records.events()).isEmpty();
    assertThat(records.header().path("trace").path("event_schemas").get(0).asText())
        .isEqualTo(QlogFile.EVENT_SCHEMA);
  }

  @Test
  void namesCannotForgeRecords() throws IOException {
    String name = "\u001e{\"time\":0}\n\"";
    try (QlogFile file = QlogFile.to(bytes, name, QlogClock.MONOTONIC, failures::add)) {
      World world = new World(1, traced(file.named(name)), 1_000, 0);
      assertThat(world.runToEnd(10 * SECOND)).isTrue();
    }

    QlogRecords records = QlogRecords.valid(bytes.toByteArray());

    assertThat(records.header().path("title").asText()).isEqualTo(name);
    assertThat(records.groups()).isEqualTo(Set.of(name + " 1", name + " 2"));
  }

  @Test
  void aFullDiskIsSaidOnceAndHoldsNothingUp() throws IOException {
    OutputStream full =
        new OutputStream() {
          private int left = 100_000;

          @Override
          public void write(int b) throws IOException {
            write(new byte[1], 0, 1);
          }

          @Override
          public void write(byte[] buffer, int offset, int length) throws IOException {
            left -= length;
            if (left < 0) {
              throw new IOException("No space left on device");
            }
          }
        };
    QlogFile file = QlogFile.to(full, "test", QlogClock.VIRTUAL, failures::add);
    World world = new World(1, traced(file), 1_000_000, 0);

    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    file.close();

    world.assertDelivered();
    assertThat(failures).containsExactly("No space left on device");
  }

  @Test
  void aFileThatCannotBeCreatedIsRefusedAtOnce(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("missing").resolve("a.sqlog");
    assertThatThrownBy(() -> QlogFile.create(file, "test", QlogClock.MONOTONIC, failures::add))
        .isInstanceOf(IOException.class);

    Path old = Files.writeString(directory.resolve("old.sqlog"), "something long".repeat(1_000));
    QlogFile created = QlogFile.create(old, "test", QlogClock.MONOTONIC, failures::add);
    created.close();
    created.close();
    QlogRecords records = QlogRecords.valid(old);
    JsonNode common = records.header().path("trace").path("common_fields");
    assertThat(common.path("reference_time").has("wall_clock_time")).isTrue();
  }

  @Test
  void whatIsToldAfterTheEndIsDropped() throws IOException {
    QlogFile file = file();
    World world = new World(1, traced(file), 1_000_000, 0);
    world.connect();
    assertThat(world.pair.runUntil(10 * SECOND, () -> world.server.read > 0)).isTrue();
    file.close();
    int size = bytes.size();

    assertThat(world.pair.runUntil(60 * SECOND, () -> world.client.closedCalls > 0)).isTrue();

    assertThat(bytes.size()).isEqualTo(size);
    assertThat(QlogRecords.valid(bytes.toByteArray()).events()).isNotEmpty();
  }
}
