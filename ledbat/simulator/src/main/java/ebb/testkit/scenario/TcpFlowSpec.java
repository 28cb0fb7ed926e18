package ebb.testkit.scenario;

import ebb.testkit.tcp.BbrModel;
import ebb.testkit.tcp.CubicModel;
import ebb.testkit.tcp.MulTcpModel;
import ebb.testkit.tcp.RenoModel;
import ebb.testkit.tcp.TcpFlow;
import ebb.testkit.tcp.TcpWindow;
import java.util.function.Supplier;

/**
 * One flow of a TCP model in a scenario. Times are virtual.
 *
 * @param window makes the flow's congestion window
 * @param stopMicros when it stops sending new data; {@link Long#MAX_VALUE} for never
 * @param accessDelayMicros added to the bottleneck's delay in each direction
 */
public record TcpFlowSpec(
    String name,
    Supplier<TcpWindow> window,
    long startMicros,
    long stopMicros,
    TcpFlow.Options options,
    long accessDelayMicros) {

  public static TcpFlowSpec reno(String name) {
    return new TcpFlowSpec(name, RenoModel::new, 0, Long.MAX_VALUE, TcpFlow.Options.DEFAULTS, 0);
  }

  public static TcpFlowSpec cubic(String name) {
    return new TcpFlowSpec(name, CubicModel::new, 0, Long.MAX_VALUE, TcpFlow.Options.DEFAULTS, 0);
  }

  /** CUBIC as kernels have it: paced, leaving slow start by HyStart++. */
  public static TcpFlowSpec pacedCubic(String name) {
    return new TcpFlowSpec(
        name,
        CubicModel::withHyStart,
        0,
        Long.MAX_VALUE,
        TcpFlow.Options.DEFAULTS.withPacing(true),
        0);
  }

  /** BBR, version 1. */
  public static TcpFlowSpec bbr(String name) {
    return new TcpFlowSpec(name, BbrModel::new, 0, Long.MAX_VALUE, TcpFlow.Options.DEFAULTS, 0);
  }

  /** MulTCP: as aggressive as {@code weight} Reno flows. */
  public static TcpFlowSpec mulTcp(String name, double weight) {
    return new TcpFlowSpec(
        name, () -> new MulTcpModel(weight), 0, Long.MAX_VALUE, TcpFlow.Options.DEFAULTS, 0);
  }

  public TcpFlowSpec during(long fromMicros, long toMicros) {
    return new TcpFlowSpec(name, window, fromMicros, toMicros, options, accessDelayMicros);
  }

  public TcpFlowSpec startingAt(long micros) {
    return during(micros, stopMicros);
  }

  public TcpFlowSpec with(TcpFlow.Options value) {
    return new TcpFlowSpec(name, window, startMicros, stopMicros, value, accessDelayMicros);
  }

  public TcpFlowSpec withAccessDelay(long micros) {
    return new TcpFlowSpec(name, window, startMicros, stopMicros, options, micros);
  }
}
