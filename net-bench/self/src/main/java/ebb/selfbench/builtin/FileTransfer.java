package ebb.selfbench.builtin;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.SeededRandom;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.process.ScratchDirectory;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code ebb ledbat send} to {@code ebb ledbat receive}: a file from disk to disk, SHA-256 on both
 * sides, in two processes as users start them.
 */
final class FileTransfer implements Subject {
  private static final String NAME = "file";
  private static final String MAIN = "ebb.launcher.Main";
  private static final String LISTENING = "listening on ";

  /** Enough that a process's first seconds, in which its code is compiled, are not all of it. */
  static final long BYTES_PER_MILLI = 1_000_000;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String what() {
    return "ebb ledbat send, file to file, SHA-256 on both sides";
  }

  @Override
  public String missing(BenchContext context) {
    try {
      Class.forName(MAIN, false, FileTransfer.class.getClassLoader());
      return "";
    } catch (ClassNotFoundException e) {
      return "ebb ledbat send is not on the class path";
    }
  }

  @Override
  public List<Target> targets() {
    return List.of(Target.rates(9, "file to file with SHA-256 / stream", NAME, "ebb").atLeast(0.8));
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    long bytes = BYTES_PER_MILLI * period.millis();
    try (ScratchDirectory scratch = new ScratchDirectory(context.directory())) {
      Path file = scratch.directory().resolve("content");
      ScratchDirectory.fill(file, bytes, new SeededRandom(1));
      Path to = Files.createDirectory(scratch.directory().resolve("to"));
      return transfer(bytes, file, to);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "file: " + e.getMessage(), e);
    }
  }

  private static Sample transfer(long bytes, Path file, Path to)
      throws IOException, InterruptedException {
    try (PeerProcess receiver =
        PeerProcess.withErrors(
            "ebb ledbat receive",
            command(
                "receive",
                "--port",
                "0",
                "--bind",
                "127.0.0.1",
                "--dir",
                to.toString(),
                "--once",
                "--json"))) {
      // "ebb: listening on 127.0.0.1:40123, files go to ..."
      String listening = receiver.awaitLine(LISTENING);
      int from = listening.indexOf(LISTENING) + LISTENING.length();
      String address = listening.substring(from, listening.indexOf(',', from));
      try (PeerProcess sender =
          new PeerProcess("ebb ledbat send", command("send", "--json", file.toString(), address))) {
        Map<String, Object> sent = JSON.std.mapFrom(sender.readAll());
        receiver.readAll();
        receiver.end();
        sender.end();
        double rate = figure(sent, "rate_bytes_per_second");
        double cpu = (double) (receiver.cpuNanos() + sender.cpuNanos()) / bytes;
        if (figure(sent, "content_bytes") != bytes) {
          throw new EbbException(ExitCode.INCOMPLETE, "not the whole file was sent");
        }
        return new Sample(rate / 1e6, cpu, Map.of());
      }
    }
  }

  private static double figure(Map<String, Object> result, String name) {
    if (result != null
        && result.get("figures") instanceof Map<?, ?> figures
        && figures.get(name) instanceof Number number) {
      return number.doubleValue();
    }
    throw new EbbException(ExitCode.INCOMPLETE, "the sender told no " + name);
  }

  private static List<String> command(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseParallelGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(MAIN, "ledbat"));
    command.addAll(List.of(words));
    return command;
  }
}
