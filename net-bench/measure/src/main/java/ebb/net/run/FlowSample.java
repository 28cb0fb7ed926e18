package ebb.net.run;

import ebb.net.control.FlowCounts;
import ebb.net.flow.Column;
import ebb.net.flow.Limits;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One flow in one interval, as the client sees it.
 *
 * @param stream its number, from 1
 * @param sending whether the client sends
 * @param counts of this interval
 * @param arrivedBytes of this interval: what came; of what was sent what the server says came, or
 *     was acknowledged where it says nothing, or was sent where nobody acknowledges
 * @param micros in which that arrived: the interval, and of the last one until the last byte came
 * @param values what the transport says, by column; what is not known is not there
 * @param limits what held a sender in this interval
 */
public record FlowSample(
    int stream,
    boolean sending,
    FlowCounts counts,
    long arrivedBytes,
    long micros,
    Map<Column, Long> values,
    Limits limits) {
  /** At which rate it arrived, bits a second. */
  public double bitsPerSecond() {
    return arrivedBytes * 8e6 / Math.max(1, micros);
  }

  /** What the transport says; null when it says nothing. */
  public @Nullable Long value(Column column) {
    return values.get(column);
  }
}
