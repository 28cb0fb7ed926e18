package ebb.net.run;

import ebb.core.stats.LatencyHistogram;
import ebb.net.control.FlowCounts;
import java.util.List;

/**
 * One interval of a run.
 *
 * @param startMicros when the run began, on this host's clock
 * @param fromMicros since the run began
 * @param toMicros since the run began
 * @param warmUp whether it is left out of the result
 * @param flows as this client sees them
 * @param reports what the server has reported in this interval
 * @param serverReceived what the server reported to have received in about this time
 * @param serverMicros the time in which it received that, by its reports
 * @param latency of stop-and-wait, in this interval
 */
public record RunSample(
    long startMicros,
    long fromMicros,
    long toMicros,
    boolean warmUp,
    List<FlowSample> flows,
    List<Report> reports,
    FlowCounts serverReceived,
    long serverMicros,
    LatencyHistogram latency) {
  /**
   * A count of the server's.
   *
   * @param atMicros on this host's clock
   * @param receivedBytes of all flows since they began
   */
  public record Report(long atMicros, long receivedBytes) {}

  public long micros() {
    return Math.max(1, toMicros - fromMicros);
  }

  /** When one direction's part of it ended: the last interval is over when its last byte came. */
  public long toMicros(boolean sending) {
    return fromMicros
        + flows.stream()
            .filter(flow -> flow.sending() == sending)
            .mapToLong(FlowSample::micros)
            .max()
            .orElse(micros());
  }

  /** At which rate all flows of one direction arrived together, bits a second. */
  public double bitsPerSecond(boolean sending) {
    return arrivedBytes(sending) * 8e6 / Math.max(1, toMicros(sending) - fromMicros);
  }

  /** What came of all flows of one direction together. */
  public long arrivedBytes(boolean sending) {
    return flows.stream()
        .filter(f -> f.sending() == sending)
        .mapToLong(FlowSample::arrivedBytes)
        .sum();
  }
}
