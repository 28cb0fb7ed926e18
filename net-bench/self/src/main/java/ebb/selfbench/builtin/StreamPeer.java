package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import java.util.List;
import java.util.Map;

/**
 * One of the programs with the command line of {@code ledbat/interop/peers/README.md}, with itself:
 * a fixed number of bytes, made and hashed by the program, from its first byte to the last.
 */
final class StreamPeer implements Subject {
  private static final int LIMIT_SECONDS = 120;

  private final String name;
  private final String what;
  private final long bytesPerSecond;

  /**
   * One by its name among the programs of others.
   *
   * @param bytesPerSecond about what it reaches, so that it takes about the asked time
   */
  StreamPeer(String name, String what, long bytesPerSecond) {
    this.name = name;
    this.what = what;
    this.bytesPerSecond = bytesPerSecond;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String what() {
    return what;
  }

  @Override
  public String missing(BenchContext context) {
    return context.peers().missing(name);
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    String program = context.peers().program(name).toString();
    long bytes = bytesPerSecond * period.millis() / 1_000;
    String size = String.valueOf(bytes);
    String limit = String.valueOf(LIMIT_SECONDS);
    try (PeerProcess receiver =
        new PeerProcess(
            name,
            List.of(
                program,
                "listen",
                "127.0.0.1",
                "0",
                "--receive",
                size,
                "--close",
                "second",
                "--timeout",
                limit))) {
      Object port = receiver.await("listening").get("port");
      try (PeerProcess sender =
          new PeerProcess(
              name,
              List.of(
                  program,
                  "connect",
                  "127.0.0.1",
                  String.valueOf(port),
                  "--send",
                  size,
                  "--close",
                  "first",
                  "--timeout",
                  limit))) {
        Map<String, Object> done = receiver.await("done");
        sender.await("done");
        if (!(done.get("seconds") instanceof Number seconds)
            || !(done.get("received") instanceof Number received)
            || received.longValue() != bytes) {
          throw new EbbException(ExitCode.INCOMPLETE, name + ": " + done.get("end"));
        }
        receiver.end();
        sender.end();
        double cpu = (double) (receiver.cpuNanos() + sender.cpuNanos()) / bytes;
        return new Sample(bytes / 1e6 / seconds.doubleValue(), cpu, Map.of());
      }
    }
  }
}
