package ebb.vm.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory with a file for each run. A file changes as a whole or not at all, and is on the
 * disk before what it announces is sent.
 */
public final class RunFiles {
  private static final String SUFFIX = ".json";

  private final Path directory;

  /** Nothing is made before the first {@link #save}. */
  public RunFiles(Path directory) {
    this.directory = directory.toAbsolutePath().normalize();
  }

  /** {@code $XDG_STATE_HOME/ebb/vm}, which is {@code ~/.local/state/ebb/vm} unless it is set. */
  public static Path standardDirectory() {
    String state = System.getenv("XDG_STATE_HOME");
    Path base =
        state != null && state.startsWith("/")
            ? Path.of(state)
            : Path.of(System.getProperty("user.home", "."), ".local", "state");
    return base.resolve("ebb").resolve("vm");
  }

  /** Where the local provider keeps its machines. */
  public Path local() {
    return directory.resolve("local");
  }

  public Path file(String runId) {
    return directory.resolve(runId + SUFFIX);
  }

  void save(RunState state) {
    Path file = file(state.runId());
    Path part = directory.resolve("." + state.runId() + "." + ProcessHandle.current().pid());
    try {
      Files.createDirectories(directory);
      try (FileChannel channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        var bytes = ByteBuffer.wrap(state.toJson().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot keep the run's state in " + file + ": " + OneLine.of(e), e);
    }
  }

  /**
   * The state of a run.
   *
   * @throws EbbException USAGE when there is none, or it cannot be read
   */
  public RunState load(String runId) {
    Path file = file(runId);
    try {
      return RunState.fromJson(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new EbbException(
          ExitCode.USAGE,
          "there is no run '" + runId + "' in " + directory + "; there are " + runIds(),
          e);
    } catch (IOException e) {
      throw new EbbException(ExitCode.USAGE, "cannot read " + file + ": " + OneLine.of(e), e);
    }
  }

  /** Forgets a run. */
  void remove(String runId) {
    try {
      Files.deleteIfExists(file(runId));
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot remove " + file(runId) + ": " + OneLine.of(e), e);
    }
  }

  /** Of all runs that have a file here. */
  public List<String> runIds() {
    List<String> ids = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(SUFFIX) && !name.startsWith("."))
            .map(name -> name.substring(0, name.length() - SUFFIX.length()))
            .sorted()
            .forEach(ids::add);
      } catch (IOException e) {
        throw new EbbException(
            ExitCode.INTERNAL, "cannot read " + directory + ": " + OneLine.of(e), e);
      }
    }
    return ids;
  }

  /** The one process that works on a run; ends with it, however that ends. */
  public static final class Lock implements AutoCloseable {
    private final FileChannel channel;

    private Lock(FileChannel channel) {
      this.channel = channel;
    }

    boolean isHeld() {
      return channel.isOpen();
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new EbbException(ExitCode.INTERNAL, OneLine.of(e), e);
      }
    }
  }

  /**
   * Keeps other processes from the same run.
   *
   * @throws EbbException REFUSED_OR_BUSY when one works on it
   */
  public Lock lock(String runId) {
    Path file = directory.resolve("." + runId + ".lock");
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = null;
      try {
        lock = channel.tryLock();
      } catch (OverlappingFileLockException mine) {
        lock = null;
      } finally {
        if (lock == null) {
          channel.close();
        }
      }
      if (lock == null) {
        throw new EbbException(
            ExitCode.REFUSED_OR_BUSY, "another process works on run '" + runId + "'");
      }
      return new Lock(channel);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "cannot lock " + file + ": " + OneLine.of(e), e);
    }
  }
}
