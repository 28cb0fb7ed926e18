package ebb.ledbat.qlog;

import com.fasterxml.jackson.core.JsonGenerator;
import ebb.ledbat.trace.Metrics;
import java.io.IOException;

/** The figures of one connection that were written last; writes those that are others now. */
final class Figures {
  private static final long NONE = Long.MIN_VALUE;
  private static final int BITS_PER_BYTE = 8;

  private long cwndBytes = NONE;
  private long flightSizeBytes = NONE;
  private long pacingBytesPerSecond = NONE;
  private long smoothedRttMicros = NONE;
  private long latestRttMicros = NONE;
  private long minRttMicros = NONE;
  private long queuingDelayMicros = NONE;
  private long baseDelayMicros = NONE;
  private long targetDelayMicros = NONE;

  void writeChanged(JsonGenerator data, Metrics now) throws IOException {
    if (cwndBytes != now.cwndBytes()) {
      cwndBytes = now.cwndBytes();
      data.writeNumberField("congestion_window", cwndBytes);
    }
    if (flightSizeBytes != now.flightSizeBytes()) {
      flightSizeBytes = now.flightSizeBytes();
      data.writeNumberField("bytes_in_flight", flightSizeBytes);
    }
    if (pacingBytesPerSecond != now.pacingBytesPerSecond()) {
      pacingBytesPerSecond = now.pacingBytesPerSecond();
      data.writeNumberField("pacing_rate", BITS_PER_BYTE * pacingBytesPerSecond);
    }
    smoothedRttMicros = delay(data, "smoothed_rtt", smoothedRttMicros, now.smoothedRttMicros());
    latestRttMicros = delay(data, "latest_rtt", latestRttMicros, now.latestRttMicros());
    minRttMicros = delay(data, "min_rtt", minRttMicros, now.minRttMicros());
    queuingDelayMicros = delay(data, "queuing_delay", queuingDelayMicros, now.queuingDelayMicros());
    baseDelayMicros = delay(data, "base_delay", baseDelayMicros, now.baseDelayMicros());
    targetDelayMicros = delay(data, "target_delay", targetDelayMicros, now.targetDelayMicros());
  }

  static long delay(JsonGenerator data, String field, long oldMicros, long nowMicros)
      throws IOException {
    if (oldMicros != nowMicros) {
      QlogFile.millis(data, field, nowMicros);
    }
    return nowMicros;
  }
}
