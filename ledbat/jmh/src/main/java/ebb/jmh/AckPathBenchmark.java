package ebb.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A packet through both engines: sent, received, read, acknowledged; in order. Per packet. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class AckPathBenchmark {
  private static final int PACKETS = 512;
  private static final int PAYLOAD_BYTES = 1_380;

  private TwoEndpoints endpoints = new TwoEndpoints(1, false);

  /** A connection of its own for each iteration. */
  @Setup(Level.Trial)
  public void setUp() {
    endpoints = new TwoEndpoints(1, false);
  }

  @Benchmark
  @OperationsPerInvocation(PACKETS)
  public long packetInOrder() {
    return endpoints.move(PACKETS * PAYLOAD_BYTES);
  }
}
