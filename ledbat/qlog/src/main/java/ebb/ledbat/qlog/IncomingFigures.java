package ebb.ledbat.qlog;

import com.fasterxml.jackson.core.JsonGenerator;
import ebb.ledbat.trace.IncomingMetrics;
import java.io.IOException;
import java.util.Locale;

/** The figures of what comes in that were written last; writes those that are others now. */
final class IncomingFigures {
  private static final long NONE = Long.MIN_VALUE;

  private long windowBytes = NONE;
  private long smoothedRttMicros = NONE;
  private long queuingDelayMicros = NONE;
  private long targetDelayMicros = NONE;
  private String limit = "";

  void writeChanged(JsonGenerator data, IncomingMetrics now) throws IOException {
    if (windowBytes != now.windowBytes()) {
      windowBytes = now.windowBytes();
      data.writeNumberField("window", windowBytes);
    }
    smoothedRttMicros =
        Figures.delay(data, "smoothed_rtt", smoothedRttMicros, now.smoothedRttMicros());
    queuingDelayMicros =
        Figures.delay(data, "queuing_delay", queuingDelayMicros, now.queuingDelayMicros());
    targetDelayMicros =
        Figures.delay(data, "target_delay", targetDelayMicros, now.targetDelayMicros());
    if (!limit.equals(now.limitName())) {
      limit = now.limitName();
      data.writeStringField("limit", limit.toLowerCase(Locale.ROOT));
    }
  }
}
