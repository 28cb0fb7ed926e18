package ebb.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One small packet and its acknowledgement on each connection in turn, which moves the deadlines of
 * both: what the others' timers and the larger table cost is the difference between the rows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TimersBenchmark {
  /** Connections of the endpoint. */
  @Param({"1", "100", "10000"})
  public int connections;

  private TwoEndpoints endpoints = new TwoEndpoints(1, false);

  /** All connected, each with its keepalive timer. */
  @Setup(Level.Trial)
  public void setUp() {
    endpoints = new TwoEndpoints(connections, false);
  }

  @Benchmark
  public long exchange() {
    return endpoints.move(100);
  }
}
