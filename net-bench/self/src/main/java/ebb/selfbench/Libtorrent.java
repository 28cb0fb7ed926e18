package ebb.selfbench;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.SeededRandom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** libtorrent with itself: a file by BitTorrent over uTP, pieces hashed, file to file. */
final class Libtorrent implements Subject {
  private static final long BYTES_PER_SECOND = 30_000_000;

  private final String missing;
  private final Path program;

  Libtorrent(String missing, Path program) {
    this.missing = missing;
    this.program = program;
  }

  @Override
  public String name() {
    return "libtorrent";
  }

  @Override
  public String what() {
    return "libtorrent: BitTorrent over uTP, file to file, hashed";
  }

  @Override
  public String missing() {
    return missing;
  }

  @Override
  public Sample measure(Period period) throws InterruptedException {
    long bytes = BYTES_PER_SECOND * period.millis() / 1_000;
    try (Scratch scratch = new Scratch(null)) {
      Path from = Files.createDirectory(scratch.directory().resolve("from"));
      Path to = Files.createDirectory(scratch.directory().resolve("to"));
      Path file = from.resolve("content");
      Scratch.fill(file, bytes, new SeededRandom(1));
      Path torrent = scratch.directory().resolve("torrent");
      run(List.of("make-torrent", file.toString(), torrent.toString()));
      return transfer(bytes, torrent, from, to);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "libtorrent: " + e.getMessage(), e);
    }
  }

  private void run(List<String> arguments) throws InterruptedException {
    try (Program once = start(arguments)) {
      once.readAll();
      once.end();
    }
  }

  private Sample transfer(long bytes, Path torrent, Path from, Path to)
      throws InterruptedException {
    try (Program seed = start(List.of("seed", torrent.toString(), from.toString()))) {
      Object port = seed.await("listening").get("port");
      try (Program download =
          start(
              List.of(
                  "download",
                  torrent.toString(),
                  to.toString(),
                  "--connect",
                  "127.0.0.1:" + port))) {
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

  private Program start(List<String> arguments) {
    List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
    command.addAll(arguments);
    return new Program("libtorrent", command);
  }
}
