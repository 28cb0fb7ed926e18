package org.example.subject;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.CpuTime;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A subject as somebody else would write it: bytes through a pipe within one process. */
public final class PipeSubject implements Subject {
  private static final int CHUNK_BYTES = 4_096;

  @Override
  public String name() {
    return "example-pipe";
  }

  @Override
  public String what() {
    return "a pipe within one process";
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.of(10, "pipe", run -> run.rate(name()), name()).atLeast(1e-6, "MB/s"),
        Target.rates(11, "pipe / one connection", name(), "ebb").atLeast(1));
  }

  @Override
  public Sample measure(BenchContext context, Period period) {
    try {
      Pipe pipe = Pipe.open();
      try (Pipe.SinkChannel in = pipe.sink();
          Pipe.SourceChannel out = pipe.source()) {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        long bytes = 0;
        long cpu = CpuTime.nanos();
        long start = System.nanoTime();
        long nanos;
        do {
          in.write(chunk.clear());
          chunk.flip();
          bytes += out.read(chunk);
          nanos = System.nanoTime() - start;
        } while (nanos < TimeUnit.MILLISECONDS.toNanos(period.millis()));
        return new Sample(
            bytes * 1e3 / nanos,
            (double) (CpuTime.nanos() - cpu) / bytes,
            Map.of("chunk_bytes", (double) CHUNK_BYTES));
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "no pipe: " + e.getMessage(), e);
    }
  }
}
