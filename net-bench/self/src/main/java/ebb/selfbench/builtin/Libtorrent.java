package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.SeededRandom;
import ebb.selfbench.process.PeerProcess;
import ebb.selfbench.process.ScratchDirectory;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** libtorrent with itself: a file by BitTorrent over uTP, pieces hashed, file to file. */
final class Libtorrent implements Subject {
  private static final long BYTES_PER_SECOND = 30_000_000;

  @Override
  public String name() {
    return "libtorrent";
  }

  @Override
  public String what() {
    return "libtorrent: BitTorrent over uTP, file to file, hashed";
  }

  @Override
  public String missing(BenchContext context) {
    return context.peers().missing(name());
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    Path program = context.peers().program(name());
    long bytes = BYTES_PER_SECOND * period.millis() / 1_000;
    try (ScratchDirectory scratch = new ScratchDirectory(null)) {
      Path from = Files.createDirectory(scratch.directory().resolve("from"));
      Path to = Files.createDirectory(scratch.directory().resolve("to"));
      Path file = from.resolve("content");
      ScratchDirectory.fill(file, bytes, new SeededRandom(1));
      Path torrent = scratch.directory().resolve("torrent");
      try (PeerProcess once = start(program, "make-torrent", file.toString(), torrent.toString())) {
        once.readAll();
        once.end();
      }
      return transfer(program, bytes, torrent, from, to);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "libtorrent: " + e.getMessage(), e);
    }
  }

  private static Sample transfer(Path program, long bytes, Path torrent, Path from, Path to)
      throws InterruptedException {
    try (PeerProcess seed = start(program, "seed", torrent.toString(), from.toString())) {
      Object port = seed.await("listening").get("port");
      try (PeerProcess download =
          start(
              program,
              "download",
              torrent.toString(),
              to.toString(),
              "--connect",
              "127.0.0.1:" + port)) {
        download.await("connected");
        long cpu = seed.cpuNanos() + download.cpuNanos();
        Map<String, Object> done = download.await("done");
        cpu = seed.cpuNanos() + download.cpuNanos() - cpu;
        if (!(done.get("seconds") instanceof Number seconds) || done.get("fileSha256") == null) {
          throw new EbbException(ExitCode.INCOMPLETE, "libtorrent: " + done.get("end"));
        }
        return new Sample(bytes / 1e6 / seconds.doubleValue(), (double) cpu / bytes, Map.of());
      }
    }
  }

  private static PeerProcess start(Path program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return new PeerProcess("libtorrent", command);
  }
}
