package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Headline;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Target;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How long a command takes that has hardly anything to do: starting Java is most of it. */
final class StartTime implements Subject {
  private static final String PREFIX = "start_";
  private static final int STARTS = 9;

  private final String word;
  private final String what;
  private final double mostMillis;
  private final Opener opener;

  /** What is started, several times. */
  interface Starts extends AutoCloseable {
    /** The program of the start of that number, from 0. */
    List<String> command(int number) throws IOException;

    /** Why what it printed shows that it failed; empty when it does not. */
    String failure(int number, String printed);

    @Override
    void close() throws IOException;
  }

  private interface Opener {
    Starts open(BenchContext context) throws IOException;
  }

  private StartTime(String word, String what, double mostMillis, Opener opener) {
    this.word = word;
    this.what = what;
    this.mostMillis = mostMillis;
    this.opener = opener;
  }

  /**
   * A command that only says something.
   *
   * @param word such as {@code --version}
   * @param mostMillis what is wanted
   */
  static StartTime saying(String word, double mostMillis) {
    return new StartTime(word.substring(2), "ebb " + word, mostMillis, context -> new Saying(word));
  }

  /**
   * A command that sends a file of six bytes to a receiver that is there.
   *
   * @param mostMillis what is wanted
   */
  static StartTime sending(double mostMillis) {
    return new StartTime("send", "ebb ledbat send of 6 bytes", mostMillis, SixBytes::open);
  }

  private record Saying(String word) implements Starts {
    @Override
    public List<String> command(int number) {
      return EbbPrograms.brief(List.of(word));
    }

    @Override
    public String failure(int number, String printed) {
      return printed.isBlank() ? "ebb " + word + " said nothing" : "";
    }

    @Override
    public void close() {}
  }

  @Override
  public String name() {
    return "start-" + word;
  }

  @Override
  public String what() {
    return what + ", from its start to its end";
  }

  @Override
  public boolean isCommand() {
    return true;
  }

  @Override
  public String missing(BenchContext context) {
    return EbbPrograms.missing();
  }

  @Override
  public Headline headline() {
    return Headline.latency(PREFIX);
  }

  @Override
  public List<Target> targets() {
    String median = headline().p50();
    return List.of(
        Target.of(11, what, run -> run.detail(name(), median) / 1e3, name())
            .atMost(mostMillis, "ms"));
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    double[] micros = new double[STARTS];
    try (Starts starts = opener.open(context)) {
      for (int i = 0; i < STARTS; i++) {
        micros[i] = once(starts, i);
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, name() + ": " + e.getMessage(), e);
    }
    Arrays.sort(micros);
    double longest = micros[STARTS - 1];
    return new Sample(
        Double.NaN,
        Double.NaN,
        Map.of(
            headline().p50(), micros[STARTS / 2],
            headline().p99(), longest,
            headline().p999(), longest));
  }

  private double once(Starts starts, int number) throws IOException, InterruptedException {
    List<String> command = starts.command(number);
    long nanos = System.nanoTime();
    try (PeerProcess program = new PeerProcess(name(), command)) {
      String printed = program.readAll();
      program.end();
      nanos = System.nanoTime() - nanos;
      String failure = starts.failure(number, printed);
      if (!failure.isEmpty()) {
        throw new EbbException(ExitCode.INTERNAL, failure);
      }
      return nanos / 1e3;
    }
  }
}
