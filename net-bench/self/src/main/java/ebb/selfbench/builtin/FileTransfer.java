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
  private static final String LISTENING = "listening on ";

  /** Enough that a process's first seconds, in which its code is compiled, are not all of it. */
  static final long BYTES_PER_MILLI = 1_000_000;

  private final boolean keyed;

  /**
   * @param keyed whether both sides have a key
   */
  FileTransfer(boolean keyed) {
    this.keyed = keyed;
  }

  @Override
  public String name() {
    return keyed ? "file-key" : "file";
  }

  @Override
  public String what() {
    return keyed ? "the same with a key" : "ebb ledbat send, file to file, SHA-256 on both sides";
  }

  @Override
  public String missing(BenchContext context) {
    return EbbPrograms.missing();
  }

  @Override
  public List<Target> targets() {
    return keyed
        ? List.of()
        : List.of(
            Target.rates(9, "file to file with SHA-256 / stream", name(), "ebb").atLeast(0.8),
            Target.rates(9, "file to file / file-copy", name(), "file-copy").atLeast(0.95));
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    long bytes = BYTES_PER_MILLI * period.millis();
    try (ScratchDirectory scratch = new ScratchDirectory(context.directory())) {
      Path file = scratch.directory().resolve("content");
      ScratchDirectory.fill(file, bytes, new SeededRandom(1));
      Path to = Files.createDirectory(scratch.directory().resolve("to"));
      List<String> key = keyed ? EbbPrograms.newKey(scratch.directory()) : List.of();
      return transfer(bytes, file, to, key);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, name() + ": " + e.getMessage(), e);
    }
  }

  private static Sample transfer(long bytes, Path file, Path to, List<String> key)
      throws IOException, InterruptedException {
    try (PeerProcess receiver =
        PeerProcess.withErrors(
            "ebb ledbat receive",
            command(
                key,
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
          new PeerProcess(
              "ebb ledbat send", command(key, "send", "--json", file.toString(), address))) {
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

  private static List<String> command(List<String> key, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(key);
    return EbbPrograms.ledbat(all);
  }
}
