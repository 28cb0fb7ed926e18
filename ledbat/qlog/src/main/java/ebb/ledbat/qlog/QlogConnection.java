package ebb.ledbat.qlog;

import com.fasterxml.jackson.core.JsonGenerator;
import ebb.ledbat.trace.ConnectionTrace;
import ebb.ledbat.trace.ControllerEvent;
import ebb.ledbat.trace.IncomingMetrics;
import ebb.ledbat.trace.LossCause;
import ebb.ledbat.trace.Metrics;
import ebb.ledbat.wire.Packet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;

/**
 * One connection's events as JSON, each as {@code docs/qlog.md} says. Owns what was written last of
 * figures and states, so that only changes are written. Called by one driver.
 */
final class QlogConnection implements ConnectionTrace {
  private static final long FIGURES_INTERVAL_MICROS = 10_000;

  private final QlogFile file;
  private final String group;
  private final boolean packets;
  private final Figures figures = new Figures();
  private final IncomingFigures incoming = new IncomingFigures();
  private String state = "";
  private String controllerState = "";
  private int datagramBytes;
  private long nextFiguresMicros = Long.MIN_VALUE;
  private long nextIncomingMicros = Long.MIN_VALUE;

  /**
   * A connection that has not begun.
   *
   * @param packets whether each packet is written, and figures whenever they change
   */
  QlogConnection(QlogFile file, String group, boolean packets) {
    this.file = file;
    this.group = group;
    this.packets = packets;
  }

  void begin(InetSocketAddress remote, boolean initiator, int receiveId, long nowMicros) {
    event(
        "connection_started",
        nowMicros,
        data -> {
          data.writeStringField("remote_ip", ip(remote));
          data.writeNumberField("remote_port", remote.getPort());
          data.writeBooleanField("initiator", initiator);
          data.writeNumberField("connection_id", receiveId);
        });
  }

  private static String ip(InetSocketAddress remote) {
    return remote.isUnresolved() ? remote.getHostString() : remote.getAddress().getHostAddress();
  }

  private void event(String name, long nowMicros, QlogFile.Data data) {
    file.event(group, "ledbat:" + name, nowMicros, data);
  }

  private void packetEvent(String name, long nowMicros, QlogFile.Data data) {
    if (packets) {
      event(name, nowMicros, data);
    }
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  // ---- packets

  @Override
  public void packetSent(Packet packet, boolean again, long nowMicros) {
    packetEvent(
        "packet_sent",
        nowMicros,
        data -> {
          write(data, packet);
          if (again) {
            data.writeBooleanField("retransmission", true);
          }
        });
  }

  @Override
  public void packetReceived(Packet packet, long nowMicros) {
    packetEvent("packet_received", nowMicros, data -> write(data, packet));
  }

  @Override
  public void packetIgnored(Packet packet, long nowMicros) {
    packetEvent("packet_dropped", nowMicros, data -> write(data, packet));
  }

  private static void write(JsonGenerator data, Packet packet) throws IOException {
    data.writeObjectFieldStart("header");
    data.writeStringField("packet_type", lower(packet.type().name()).substring("st_".length()));
    data.writeNumberField("connection_id", packet.connectionId());
    data.writeNumberField("seq_nr", packet.seqNr());
    data.writeNumberField("ack_nr", packet.ackNr());
    data.writeNumberField("window", packet.wndSizeBytes());
    data.writeNumberField("timestamp", Integer.toUnsignedLong(packet.timestampMicros()));
    data.writeNumberField(
        "timestamp_difference", Integer.toUnsignedLong(packet.timestampDifferenceMicros()));
    data.writeEndObject();
    data.writeObjectFieldStart("raw");
    data.writeNumberField("length", packet.datagramBytes());
    data.writeNumberField("payload_length", packet.payloadBytes());
    data.writeEndObject();
    if (packet.selectiveAckBits() > 0) {
      writeSelectiveAcks(data, packet);
    }
  }

  /** As ranges of sequence numbers, both ends included. */
  private static void writeSelectiveAcks(JsonGenerator data, Packet packet) throws IOException {
    data.writeArrayFieldStart("selective_acks");
    int bits = packet.selectiveAckBits();
    for (int bit = 0; bit < bits; bit++) {
      if (packet.isSelectivelyAcked(bit)) {
        int first = bit;
        while (bit + 1 < bits && packet.isSelectivelyAcked(bit + 1)) {
          bit++;
        }
        data.writeStartArray();
        data.writeNumber(packet.ackNr() + 2 + first & 0xffff);
        data.writeNumber(packet.ackNr() + 2 + bit & 0xffff);
        data.writeEndArray();
      }
    }
    data.writeEndArray();
  }

  @Override
  public void packetAcked(int seqNr, int payloadBytes, long nowMicros) {
    if (packets) {
      file.acked(group, seqNr, payloadBytes, nowMicros);
    }
  }

  @Override
  public void packetLost(int seqNr, int payloadBytes, LossCause cause, long nowMicros) {
    event(
        "packet_lost",
        nowMicros,
        data -> {
          writePacket(data, seqNr, payloadBytes);
          data.writeStringField("trigger", lower(cause.name()));
        });
  }

  @Override
  public void packetSpurious(int seqNr, int payloadBytes, boolean sentAgain, long nowMicros) {
    event(
        "packet_spurious",
        nowMicros,
        data -> {
          writePacket(data, seqNr, payloadBytes);
          data.writeBooleanField("retransmitted", sentAgain);
        });
  }

  private static void writePacket(JsonGenerator data, int seqNr, int payloadBytes)
      throws IOException {
    data.writeNumberField("seq_nr", seqNr);
    data.writeObjectFieldStart("raw");
    data.writeNumberField("payload_length", payloadBytes);
    data.writeEndObject();
  }

  // ---- the rate and what decides on it

  @Override
  public void metricsUpdated(Metrics metrics, long nowMicros) {
    if (packets || nowMicros >= nextFiguresMicros) {
      nextFiguresMicros = nowMicros + FIGURES_INTERVAL_MICROS;
      event("metrics_updated", nowMicros, data -> figures.writeChanged(data, metrics));
    }
  }

  @Override
  public void incomingUpdated(IncomingMetrics metrics, long nowMicros) {
    if (packets || nowMicros >= nextIncomingMicros) {
      nextIncomingMicros = nowMicros + FIGURES_INTERVAL_MICROS;
      event("incoming_updated", nowMicros, data -> incoming.writeChanged(data, metrics));
    }
  }

  @Override
  public void limitChanged(String limit, long sinceMicros, long nowMicros) {
    event(
        "limit_updated",
        nowMicros,
        data -> {
          data.writeStringField("limit", lower(limit));
          file.moment(data, "since", sinceMicros);
        });
  }

  @Override
  public void controllerDecided(
      ControllerEvent event, long cwndBeforeBytes, long cwndAfterBytes, long nowMicros) {
    event(
        "controller_decided",
        nowMicros,
        data -> {
          data.writeStringField("trigger", lower(event.name()));
          data.writeNumberField("old_congestion_window", cwndBeforeBytes);
          data.writeNumberField("new_congestion_window", cwndAfterBytes);
        });
  }

  @Override
  public void controllerChanged(String name, long nowMicros) {
    controllerState = "";
    event("controller_updated", nowMicros, data -> data.writeStringField("controller", name));
  }

  @Override
  public void controllerState(String state, String trigger, long nowMicros) {
    String old = controllerState;
    controllerState = state;
    event(
        "controller_state_updated",
        nowMicros,
        data -> {
          writeChange(data, old, state);
          if (!trigger.isEmpty()) {
            data.writeStringField("trigger", trigger);
          }
        });
  }

  @Override
  public void mtuChanged(int bytes, long nowMicros) {
    int old = datagramBytes;
    datagramBytes = bytes;
    event(
        "mtu_updated",
        nowMicros,
        data -> {
          if (old > 0) {
            data.writeNumberField("old", old);
          }
          data.writeNumberField("new", bytes);
        });
  }

  // ---- the connection as a whole

  @Override
  public void stateChanged(String name, long nowMicros) {
    String old = state;
    state = lower(name);
    event("connection_state_updated", nowMicros, data -> writeChange(data, old, lower(name)));
  }

  @Override
  public void closed(String reason, long nowMicros) {
    event("connection_closed", nowMicros, data -> data.writeStringField("reason", lower(reason)));
  }

  private static void writeChange(JsonGenerator data, String old, String now) throws IOException {
    if (!old.isEmpty()) {
      data.writeStringField("old", old);
    }
    data.writeStringField("new", now);
  }
}
