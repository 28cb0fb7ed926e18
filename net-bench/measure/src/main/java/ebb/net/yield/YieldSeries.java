package ebb.net.yield;

import ebb.core.report.Series;
import ebb.net.yield.YieldTrace.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The lines of a time line: seconds since the run began, with gaps where a flow is not there. */
final class YieldSeries {
  private static final long STEP_MICROS = 200_000;

  private final YieldTrace trace;
  private final long startMicros;

  YieldSeries(YieldTrace trace, long startMicros) {
    this.trace = trace;
    this.startMicros = startMicros;
  }

  double seconds(long micros) {
    return (micros - startMicros) / 1e6;
  }

  /** Bits a second in steps, each in the middle of its own. */
  List<Series> rates(String yielder, String tcpName) {
    long last = trace.lastArrivalMicros(startMicros);
    int steps = (int) Math.max(0, (last - startMicros) / STEP_MICROS);
    double[] at = new double[steps];
    double[] ledbat = new double[steps];
    double[] tcp = new double[steps];
    for (int i = 0; i < steps; i++) {
      long from = startMicros + i * STEP_MICROS;
      at[i] = seconds(from + STEP_MICROS / 2);
      ledbat[i] = trace.ledbat.bitsPerSecond(from, from + STEP_MICROS);
      tcp[i] = trace.tcp.bitsPerSecond(from, from + STEP_MICROS);
    }
    return List.of(new Series(yielder, at, ledbat), new Series(tcpName, at.clone(), tcp));
  }

  /** The probe's round trips, each when it was sent. */
  Series echoes(String name) {
    // They are told as they come back.
    List<YieldTrace.Echo> echoes =
        trace.echoes().stream()
            .sorted(Comparator.comparingLong(YieldTrace.Echo::sentMicros))
            .toList();
    return new Series(
        name,
        echoes.stream().mapToDouble(echo -> seconds(echo.sentMicros())).toArray(),
        echoes.stream().mapToDouble(YieldTrace.Echo::roundTripMicros).toArray());
  }

  Series ledbat(String name, ToDoubleFunction<Sample> value) {
    return series(name, trace.ledbat.samples(), value);
  }

  Series tcp(String name, ToDoubleFunction<Sample> value) {
    return series(name, trace.tcp.samples(), value);
  }

  /** A gap between flows. */
  private Series series(String name, List<Sample> samples, ToDoubleFunction<Sample> value) {
    List<Double> at = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    int current = -1;
    for (Sample sample : samples) {
      double x = seconds(sample.micros());
      if (sample.flow() != current) {
        current = sample.flow();
        at.add(x);
        values.add(Double.NaN);
      }
      at.add(x);
      values.add(value.applyAsDouble(sample));
    }
    return new Series(name, array(at), array(values));
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
