package ebb.ledbat.qlog;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;

/**
 * Packets that one acknowledgement acknowledged, to be one event. A window of packets is the most
 * that there are.
 */
final class AckedPackets {
  private int[] seqNrs = new int[64];
  private int count;
  private long bytes;
  private String group = "";
  private long micros;

  boolean isEmpty() {
    return count == 0;
  }

  String group() {
    return group;
  }

  long micros() {
    return micros;
  }

  /** Whether a packet of this connection, acknowledged now, belongs to them. */
  boolean takes(String ofGroup, long nowMicros) {
    return count == 0 || (micros == nowMicros && group.equals(ofGroup));
  }

  void add(String ofGroup, int seqNr, int payloadBytes, long nowMicros) {
    if (count == seqNrs.length) {
      seqNrs = Arrays.copyOf(seqNrs, 2 * count);
    }
    seqNrs[count++] = seqNr;
    bytes += payloadBytes;
    group = ofGroup;
    micros = nowMicros;
  }

  /** Writes them and begins anew. */
  void writeTo(JsonGenerator data) throws IOException {
    data.writeFieldName("seq_nrs");
    data.writeArray(seqNrs, 0, count);
    data.writeNumberField("payload_length", bytes);
    count = 0;
    bytes = 0;
  }
}
