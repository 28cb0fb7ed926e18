package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.Program;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.process.ScratchDirectory;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code rsync} to a daemon of its own: what {@code ebb ledbat send} is held against. Whole files,
 * and small ones flushed as Ebb's are. The time is that of the client from its start to its end;
 * the CPU time is not known, for the daemon's is that of its children.
 */
final class Rsync implements Subject {
  private static final String PROGRAM = "rsync";
  private static final int TRIES = 100;
  private static final long TRY_MILLIS = 50;

  private final SourceFiles files;

  Rsync(SourceFiles files) {
    this.files = files;
  }

  @Override
  public String name() {
    return files == SourceFiles.LARGE ? "rsync" : "rsync-small";
  }

  @Override
  public String what() {
    return files == SourceFiles.LARGE
        ? "rsync -W to a daemon, the same file"
        : "rsync -a --fsync to a daemon, the same files";
  }

  @Override
  public boolean isCommand() {
    return true;
  }

  @Override
  public String missing(BenchContext context) {
    return Program.isInstalled(PROGRAM) ? "" : "rsync is not installed";
  }

  @Override
  @SuppressWarnings("try") // the daemon is there to be ended
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    long bytes = files.bytes(period.millis());
    try (ScratchDirectory scratch = new ScratchDirectory(context.directory())) {
      Path source = files.make(scratch.directory(), period.millis());
      Path to = Files.createDirectory(scratch.directory().resolve("to"));
      int port = freePort();
      Path settings = settings(scratch.directory(), to);
      List<String> daemon =
          List.of(
              PROGRAM,
              "--daemon",
              "--no-detach",
              "--address=127.0.0.1",
              "--port=" + port,
              "--config=" + settings);
      try (PeerProcess server = new PeerProcess("rsync --daemon", daemon)) {
        awaitListening(port);
        List<String> client = new ArrayList<>(List.of(PROGRAM));
        client.addAll(files == SourceFiles.LARGE ? List.of("-W") : List.of("-a", "--fsync"));
        client.addAll(List.of(source.toString(), "rsync://127.0.0.1:" + port + "/to/"));
        double rate = copy(client, bytes);
        check(to, bytes);
        return new Sample(rate, Double.NaN, Map.of());
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, name() + ": " + e.getMessage(), e);
    }
  }

  private double copy(List<String> client, long bytes) throws InterruptedException {
    long nanos = System.nanoTime();
    try (PeerProcess sender = PeerProcess.withErrors(PROGRAM, client)) {
      String said = sender.readAll();
      sender.end();
      nanos = System.nanoTime() - nanos;
      if (!said.isEmpty()) {
        throw new EbbException(
            ExitCode.INCOMPLETE, name() + ": " + said.lines().findFirst().orElse(""));
      }
      return bytes * 1e3 / nanos;
    }
  }

  private void check(Path to, long bytes) throws IOException {
    long came = 0;
    try (var all = Files.walk(to)) {
      for (Path one : all.filter(Files::isRegularFile).toList()) {
        came += Files.size(one);
      }
    }
    if (came != bytes) {
      throw new EbbException(ExitCode.INCOMPLETE, name() + ": " + came + " bytes of " + bytes);
    }
  }

  /** A daemon that was started by root would become nobody, who may not write here. */
  private static Path settings(Path directory, Path to) throws IOException {
    boolean root = "root".equals(System.getProperty("user.name"));
    String text =
        (root ? "uid = root\ngid = root\n" : "")
            + "use chroot = no\n"
            + ("log file = " + directory.resolve("log") + "\n")
            + ("[to]\npath = " + to + "\nread only = false\n");
    return Files.writeString(directory.resolve("rsyncd.conf"), text);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitListening(int port) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException notYet) {
        if (attempt == TRIES) {
          throw notYet;
        }
        Thread.sleep(TRY_MILLIS);
      }
    }
  }
}
