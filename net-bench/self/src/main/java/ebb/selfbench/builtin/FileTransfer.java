package ebb.selfbench.builtin;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.process.ScratchDirectory;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Results;
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
 * {@code ebb ledbat send} to {@code ebb ledbat receive}: files from disk to disk, in two processes
 * as users start them. A large file's rate is that of the session; that of small ones is from the
 * sender's start to its end.
 */
final class FileTransfer implements Subject {
  private static final String LISTENING = "listening on ";

  /** What is sent. */
  enum Kind {
    LARGE("file", "ebb ledbat send, file to file, SHA-256 on both sides", SourceFiles.LARGE),
    KEYED("file-key", "the same with a key and without SHA-256", SourceFiles.LARGE),
    SMALL(
        "file-small", "ebb ledbat send -r, 5,000 files of 4 KB, with its start", SourceFiles.SMALL);

    final String subject;
    final String what;
    final SourceFiles files;

    Kind(String subject, String what, SourceFiles files) {
      this.subject = subject;
      this.what = what;
      this.files = files;
    }
  }

  private final Kind kind;

  FileTransfer(Kind kind) {
    this.kind = kind;
  }

  @Override
  public String name() {
    return kind.subject;
  }

  @Override
  public String what() {
    return kind.what;
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
  public List<Target> targets() {
    return switch (kind) {
      case LARGE ->
          List.of(
              Target.rates(9, "file to file with SHA-256 / stream", name(), "ebb").atLeast(0.8),
              Target.rates(9, "file to file / file-copy", name(), "file-copy").atLeast(0.95),
              Target.rates(9, "file to file / rsync -W", name(), "rsync").atLeast(1),
              Target.of(
                      9,
                      "CPU s/GB: file to file / (file-copy + connection)",
                      run -> 1 / (cpu(run, "file-copy") + cpu(run, "ebb")),
                      name(),
                      "file-copy",
                      "ebb")
                  .atMost(1.3));
      case KEYED -> List.of();
      case SMALL ->
          List.of(
              Target.rates(9, "5,000 small files / rsync -a --fsync", name(), "rsync-small")
                  .atLeast(1));
    };
  }

  /** The CPU time of another subject by this one's. */
  private double cpu(Results run, String other) {
    return run.ratio(Sample::cpuSecondsPerGigabyte, other, name());
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    try (ScratchDirectory scratch = new ScratchDirectory(context.directory())) {
      Path source = kind.files.make(scratch.directory(), period.millis());
      Path to = Files.createDirectory(scratch.directory().resolve("to"));
      List<String> key = kind == Kind.KEYED ? EbbPrograms.newKey(scratch.directory()) : List.of();
      return transfer(kind.files.bytes(period.millis()), source, to, key);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, name() + ": " + e.getMessage(), e);
    }
  }

  private Sample transfer(long bytes, Path source, Path to, List<String> key)
      throws IOException, InterruptedException {
    List<String> receiving = new ArrayList<>(receiving(to));
    receiving.addAll(List.of("--once", "--json"));
    receiving.addAll(key);
    try (PeerProcess receiver =
        PeerProcess.withErrors("ebb ledbat receive", EbbPrograms.ledbat(receiving))) {
      String address = address(receiver);
      long nanos = System.nanoTime();
      try (PeerProcess sender =
          new PeerProcess("ebb ledbat send", EbbPrograms.ledbat(sending(source, address, key)))) {
        Map<String, Object> sent = JSON.std.mapFrom(sender.readAll());
        receiver.readAll();
        receiver.end();
        sender.end();
        nanos = System.nanoTime() - nanos;
        double rate =
            kind == Kind.SMALL ? bytes * 1e9 / nanos : figure(sent, "rate_bytes_per_second");
        double cpu = (double) (receiver.cpuNanos() + sender.cpuNanos()) / bytes;
        if (figure(sent, "content_bytes") != bytes) {
          throw new EbbException(ExitCode.INCOMPLETE, "not everything was sent");
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

  /** The words of a receiver on a free port of this machine. */
  static List<String> receiving(Path to) {
    return List.of("receive", "--port", "0", "--bind", "127.0.0.1", "--dir", to.toString());
  }

  /** Where that receiver listens; blocks until it does. */
  static String address(PeerProcess receiver) {
    // "ebb: listening on 127.0.0.1:40123, files go to ..."
    String listening = receiver.awaitLine(LISTENING);
    int from = listening.indexOf(LISTENING) + LISTENING.length();
    return listening.substring(from, listening.indexOf(',', from));
  }

  private static List<String> sending(Path source, String address, List<String> key) {
    List<String> words =
        new ArrayList<>(List.of("send", "-r", "--json", source.toString(), address));
    words.addAll(key);
    return words;
  }
}
