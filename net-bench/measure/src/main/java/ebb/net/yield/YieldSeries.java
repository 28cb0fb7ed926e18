package ebb.net.yield;

import ebb.core.report.Series;
import ebb.net.yield.YieldTrace.LedbatSample;
import ebb.net.yield.YieldTrace.TcpSample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

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

  /** Mbit/s in steps, each in the middle of its own. */
  List<Series> rates(String tcpName) {
    long[] times = trace.arrivalTimes();
    long last = times.length == 0 ? startMicros : times[times.length - 1];
    int steps = (int) Math.max(0, (last - startMicros) / STEP_MICROS);
    double[] at = new double[steps];
    double[] ledbat = new double[steps];
    double[] tcp = new double[steps];
    for (int i = 0; i < steps; i++) {
      long from = startMicros + i * STEP_MICROS;
      at[i] = seconds(from + STEP_MICROS / 2);
      ledbat[i] = trace.ledbatBitsPerSecond(from, from + STEP_MICROS) / 1e6;
      tcp[i] = trace.tcpBitsPerSecond(from, from + STEP_MICROS) / 1e6;
    }
    return List.of(new Series("LEDBAT", at, ledbat), new Series(tcpName, at.clone(), tcp));
  }

  Series ledbat(String name, ToDoubleFunction<LedbatSample> value) {
    return series(name, trace.ledbat(), LedbatSample::micros, LedbatSample::connection, value);
  }

  Series tcp(String name, ToDoubleFunction<TcpSample> value) {
    return series(name, trace.tcp(), TcpSample::micros, TcpSample::flow, value);
  }

  /** A gap between connections. */
  private <S> Series series(
      String name,
      List<S> samples,
      ToLongFunction<S> time,
      ToLongFunction<S> connection,
      ToDoubleFunction<S> value) {
    List<Double> at = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    long current = -1;
    for (S sample : samples) {
      double x = seconds(time.applyAsLong(sample));
      if (connection.applyAsLong(sample) != current) {
        current = connection.applyAsLong(sample);
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
