package ebb.ledbat.qlog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import ebb.ledbat.trace.ConnectionTrace;
import ebb.ledbat.trace.EndpointTrace;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/**
 * One qlog file, to which the connections of any number of endpoints write. Owns the file, its
 * header, its clock's origin and the order of records; what an event says is {@link
 * QlogConnection}'s. Memory is one buffer of 64 KiB. Thread-safe; the thread that tells an event
 * writes it.
 *
 * <p>A file that cannot be written any more is said once and left as it is; whoever tells events
 * notices nothing.
 */
public final class QlogFile implements EndpointTrace, Closeable {
  /** What the events of {@code docs/qlog.md} go by. */
  public static final String EVENT_SCHEMA = "urn:ebb:qlog:events:ledbat";

  private static final String SIMULATION_SCHEMA = "urn:ietf:params:qlog:events:simulation";
  private static final char RECORD_SEPARATOR = 0x1e;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long MICROS_PER_MILLI = 1_000;

  private final OutputStream out;
  private final JsonGenerator json;
  private final String title;
  private final QlogClock clock;
  private final Consumer<String> onFailure;
  private boolean begun;
  private boolean ended;
  private long originMicros;
  private int connections;
  private boolean packets = true;
  private final AckedPackets acked = new AckedPackets();

  /** The data of one event. */
  @FunctionalInterface
  interface Data {
    void write(JsonGenerator json) throws IOException;
  }

  private QlogFile(OutputStream out, String title, QlogClock clock, Consumer<String> onFailure)
      throws IOException {
    this.title = title;
    this.clock = clock;
    this.onFailure = onFailure;
    JsonFactory factory = new JsonFactoryBuilder().rootValueSeparator("").build();
    this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    json = factory.createGenerator(this.out);
  }

  /**
   * Creates {@code file}, or empties it.
   *
   * @param title for people
   * @param onFailure takes one line, once, when the file cannot be written any more
   * @throws IOException when it cannot be created
   */
  public static QlogFile create(
      Path file, String title, QlogClock clock, Consumer<String> onFailure) throws IOException {
    Consumer<String> named = reason -> onFailure.accept("cannot write " + file + ": " + reason);
    return to(Files.newOutputStream(file), title, clock, named);
  }

  /** As the other {@code create}; {@code packets} is whether it is not {@link #withoutPackets}. */
  public static QlogFile create(
      Path file, String title, QlogClock clock, boolean packets, Consumer<String> onFailure)
      throws IOException {
    QlogFile created = create(file, title, clock, onFailure);
    return packets ? created : created.withoutPackets();
  }

  /** Writes to {@code out}, which {@link #close} closes. */
  public static QlogFile to(
      OutputStream out, String title, QlogClock clock, Consumer<String> onFailure)
      throws IOException {
    return new QlogFile(out, title, clock, onFailure);
  }

  /**
   * Leaves out what there is one of for each packet: packets sent, received, dropped and
   * acknowledged. Figures are written every 10 ms at most. To be called before there are
   * connections.
   */
  public synchronized QlogFile withoutPackets() {
    packets = false;
    return this;
  }

  @Override
  public ConnectionTrace onConnection(
      InetSocketAddress remote, boolean initiator, int receiveId, long nowMicros) {
    return connection("", remote, initiator, receiveId, nowMicros);
  }

  /** The same, for endpoints whose connections' groups are to begin with {@code name}. */
  public EndpointTrace named(String name) {
    return (remote, initiator, receiveId, nowMicros) ->
        connection(name + " ", remote, initiator, receiveId, nowMicros);
  }

  private synchronized ConnectionTrace connection(
      String prefix, InetSocketAddress remote, boolean initiator, int receiveId, long nowMicros) {
    connections++;
    QlogConnection connection = new QlogConnection(this, prefix + connections, packets);
    connection.begin(remote, initiator, receiveId, nowMicros);
    return connection;
  }

  /** A simulation begins, whose connections have groups that begin with {@code name}. */
  public void scenario(String name, long seed) {
    event(
        name,
        "simulation:scenario",
        0,
        data -> {
          data.writeStringField("name", name);
          data.writeObjectFieldStart("details");
          data.writeNumberField("seed", seed);
          data.writeEndObject();
        });
  }

  /** Writes one event. */
  synchronized void event(String group, String name, long nowMicros, Data data) {
    if (ended) {
      return;
    }
    try {
      begin(nowMicros);
      flushAcked();
      record(group, name, nowMicros, data);
    } catch (IOException e) {
      fail(e);
    }
  }

  /** A packet was acknowledged; it is written with others of the same acknowledgement. */
  synchronized void acked(String group, int seqNr, int payloadBytes, long nowMicros) {
    if (ended) {
      return;
    }
    try {
      if (!acked.takes(group, nowMicros)) {
        flushAcked();
      }
      acked.add(group, seqNr, payloadBytes, nowMicros);
    } catch (IOException e) {
      fail(e);
    }
  }

  private void flushAcked() throws IOException {
    if (!acked.isEmpty()) {
      record(acked.group(), "ledbat:packets_acked", acked.micros(), acked::writeTo);
    }
  }

  private void record(String group, String name, long nowMicros, Data data) throws IOException {
    json.writeRaw(RECORD_SEPARATOR);
    json.writeStartObject();
    millis(json, "time", nowMicros - originMicros);
    json.writeStringField("name", name);
    json.writeStringField("group_id", group);
    json.writeObjectFieldStart("data");
    data.write(json);
    json.writeEndObject();
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void begin(long nowMicros) throws IOException {
    if (begun) {
      return;
    }
    begun = true;
    originMicros = nowMicros;
    json.writeRaw(RECORD_SEPARATOR);
    json.writeStartObject();
    json.writeStringField("file_schema", "urn:ietf:params:qlog:file:sequential");
    json.writeStringField("serialization_format", "application/qlog+json-seq");
    json.writeStringField("title", title);
    json.writeObjectFieldStart("trace");
    json.writeObjectFieldStart("common_fields");
    json.writeStringField("time_format", "relative_to_epoch");
    json.writeObjectFieldStart("reference_time");
    json.writeStringField("clock_type", clock.type);
    json.writeStringField("epoch", "unknown");
    if (clock == QlogClock.MONOTONIC) {
      String wallClock = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
      json.writeStringField("wall_clock_time", wallClock);
    }
    json.writeEndObject();
    json.writeEndObject();
    json.writeArrayFieldStart("event_schemas");
    json.writeString(EVENT_SCHEMA);
    if (clock == QlogClock.VIRTUAL) {
      json.writeString(SIMULATION_SCHEMA);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
    json.writeRaw('\n');
  }

  /** A time in milliseconds, to the microsecond. */
  static void millis(JsonGenerator json, String field, long micros) throws IOException {
    if (micros % MICROS_PER_MILLI == 0) {
      json.writeNumberField(field, micros / MICROS_PER_MILLI);
    } else {
      json.writeNumberField(field, BigDecimal.valueOf(micros, 3));
    }
  }

  /** A moment in milliseconds since the file's first event. */
  void moment(JsonGenerator data, String field, long atMicros) throws IOException {
    millis(data, field, atMicros - originMicros);
  }

  private void fail(IOException cause) {
    ended = true;
    onFailure.accept(String.valueOf(cause.getMessage()));
    try {
      out.close();
    } catch (IOException again) {
      // It was said that this file cannot be written.
    }
  }

  /** Writes what is left and closes the file; events that are told later are dropped. */
  @Override
  public synchronized void close() {
    if (ended) {
      return;
    }
    try {
      begin(0);
      flushAcked();
      json.close();
      ended = true;
    } catch (IOException e) {
      fail(e);
    }
  }
}
