package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.process.ScratchDirectory;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Zeros out of one pipe and into another, by two programs: {@code ebb ledbat cat}, with a key or
 * without, or {@code socat} over TCP. The time is that from the sender's start to the receiver's
 * end, and the CPU time that of both programs, without who fills and empties the pipes.
 */
final class PipeTransfer implements Subject {
  private static final String LISTENING = "listening on ";
  private static final String LOOPBACK = "127.0.0.1";
  private static final String BLOCK = "131072";

  /** Pipes wait for no disk, and the start of two programs should not be most of it. */
  private static final int TIMES_A_FILE = 2;

  /** What moves the bytes. */
  enum Kind {
    CAT("cat", "ebb ledbat cat to cat, pipe to pipe, with their start"),
    KEYED_CAT("cat-key", "the same with a key"),
    SOCAT("socat", "socat over TCP, pipe to pipe, with its start");

    final String subject;
    final String what;

    Kind(String subject, String what) {
      this.subject = subject;
      this.what = what;
    }
  }

  private final Kind kind;

  PipeTransfer(Kind kind) {
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
    if (kind != Kind.SOCAT) {
      return EbbPrograms.missing();
    }
    for (String directory : System.getenv("PATH").split(":", -1)) {
      if (Files.isExecutable(Path.of(directory, "socat"))) {
        return "";
      }
    }
    return "there is no socat";
  }

  @Override
  public List<Target> targets() {
    String cat = Kind.CAT.subject;
    return switch (kind) {
      case CAT ->
          List.of(
              Target.of(
                      10,
                      "cat / lesser of 0.6 connections and 0.8 socat",
                      run -> byTheLesser(run.rates(cat, "ebb"), run.rates(cat, "socat")),
                      cat,
                      "ebb",
                      "socat")
                  .atLeast(1));
      case KEYED_CAT ->
          List.of(Target.rates(10, "cat with a key / cat", kind.subject, cat).atLeast(0.6));
      case SOCAT -> List.of();
    };
  }

  private static double byTheLesser(double ofConnection, double ofSocat) {
    return Math.max(ofConnection / 0.6, ofSocat / 0.8);
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    long bytes = TIMES_A_FILE * SourceFiles.BYTES_PER_MILLI * period.millis();
    try (ScratchDirectory scratch = new ScratchDirectory(context.directory())) {
      return kind == Kind.SOCAT
          ? socat(scratch.directory(), bytes)
          : cat(scratch.directory(), bytes);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, kind.subject + ": " + e.getMessage(), e);
    }
  }

  private Sample cat(Path directory, long bytes) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of("cat"));
    if (kind == Kind.KEYED_CAT) {
      words.addAll(EbbPrograms.newKey(directory));
    }
    List<String> listen = new ArrayList<>(words);
    listen.addAll(List.of("-l", "0", "--bind", LOOPBACK));
    try (PeerProcess receiver = emptied(directory, EbbPrograms.ledbat(listen))) {
      String line = receiver.awaitLine(LISTENING);
      words.add(line.substring(line.indexOf(LISTENING) + LISTENING.length()).strip());
      return send(receiver, directory, EbbPrograms.ledbat(words), bytes);
    }
  }

  private Sample socat(Path directory, long bytes) throws IOException, InterruptedException {
    int port = freePort();
    String options = ",bind=" + LOOPBACK + ",reuseaddr";
    List<String> listen =
        List.of("socat", "-d", "-d", "-b", BLOCK, "-u", "TCP-LISTEN:" + port + options, "STDOUT");
    try (PeerProcess receiver = emptied(directory, listen)) {
      receiver.awaitLine(LISTENING);
      String to = "TCP:" + LOOPBACK + ":" + port;
      return send(receiver, directory, List.of("socat", "-b", BLOCK, "-u", "STDIN", to), bytes);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** A program whose standard output is a pipe that somebody empties and counts. */
  private static PeerProcess emptied(Path directory, List<String> command) {
    String script =
        "mkfifo \"$0/out\" && { wc -c <\"$0/out\" >\"$0/count\" & } && exec \"$@\" >\"$0/out\"";
    return PeerProcess.withErrors("the receiver", shell(script, directory, command));
  }

  private static Sample send(PeerProcess receiver, Path directory, List<String> command, long bytes)
      throws InterruptedException {
    String script =
        "mkfifo \"$0/in\" && { head -c %d /dev/zero >\"$0/in\" & } && exec \"$@\" <\"$0/in\""
            .formatted(bytes);
    long nanos = System.nanoTime();
    try (PeerProcess sender = new PeerProcess("the sender", shell(script, directory, command))) {
      sender.readAll();
      receiver.readAll();
      nanos = System.nanoTime() - nanos;
      receiver.end();
      sender.end();
      checkCount(directory, bytes);
      double cpu = (double) (receiver.cpuNanos() + sender.cpuNanos()) / bytes;
      return new Sample(bytes * 1e3 / nanos, cpu, Map.of());
    }
  }

  private static void checkCount(Path directory, long bytes) {
    String counted;
    try {
      counted = Files.readString(directory.resolve("count")).strip();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "nothing counted what came: " + e, e);
    }
    if (!counted.equals(Long.toString(bytes))) {
      throw new EbbException(ExitCode.INCOMPLETE, counted + " bytes came of " + bytes);
    }
  }

  private static List<String> shell(String script, Path directory, List<String> command) {
    List<String> all = new ArrayList<>(List.of("sh", "-c", script, directory.toString()));
    all.addAll(command);
    return all;
  }
}
