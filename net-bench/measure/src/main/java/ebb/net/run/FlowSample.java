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
 * @param arrivedBytes of this interval: what came, or what the peer acknowledged of what was sent,
 *     or was sent where nobody acknowledges
 * @param values what the transport says, by column; what is not known is not there
 * @param limits what held a sender in this interval
 */
public record FlowSample(
    int stream,
    boolean sending,
    FlowCounts counts,
    long arrivedBytes,
    Map<Column, Long> values,
    Limits limits) {
  /** What the transport says; null when it says nothing. */
  public @Nullable Long value(Column column) {
    return values.get(column);
  }
}
