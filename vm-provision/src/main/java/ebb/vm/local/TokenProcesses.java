package ebb.vm.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Processes that have a token in their environment, which children inherit whatever session they
 * are in: no number of a process is written down, so none can come to mean another.
 */
public final class TokenProcesses {
  /** The variable. */
  public static final String NAME = "EBB_LOCAL_VM";

  private static final Duration AT_MOST = Duration.ofSeconds(10);

  private static final int LOOKS_AGAIN = 5;
  private static final long BETWEEN_LOOKS_NANOS = 10_000_000;

  private TokenProcesses() {}

  /**
   * Those that are there. A process that is about to become another program shows no environment
   * for a moment; so nobody is only what was found some times in a row.
   */
  static List<ProcessHandle> find(String token) {
    byte[] wanted = (NAME + "=" + token).getBytes(StandardCharsets.UTF_8);
    List<ProcessHandle> found = look(wanted);
    for (int again = 0; again < LOOKS_AGAIN && found.isEmpty(); again++) {
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
      found = look(wanted);
    }
    return found;
  }

  private static List<ProcessHandle> look(byte[] wanted) {
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path one : all) {
        if (has(one.resolve("environ"), wanted)) {
          Optional<ProcessHandle> process =
              ProcessHandle.of(Long.parseLong(one.getFileName().toString()));
          process.ifPresent(found::add);
        }
      }
    } catch (IOException noProc) {
      return found;
    }
    return found;
  }

  private static boolean has(Path file, byte[] wanted) {
    byte[] all;
    try {
      all = Files.readAllBytes(file);
    } catch (IOException notOurs) {
      return false; // Of somebody else, or over.
    }
    int begin = 0;
    for (int i = 0; i <= all.length; i++) {
      if (i == all.length || all[i] == 0) {
        if (Arrays.equals(all, begin, i, wanted, 0, wanted.length)) {
          return true;
        }
        begin = i + 1;
      }
    }
    return false;
  }

  /**
   * Kills them until there are none.
   *
   * @return whether there are none
   */
  public static boolean kill(String token) throws InterruptedException {
    long end = System.nanoTime() + AT_MOST.toNanos();
    while (true) {
      // One that is being started while the others are listed is found the next time.
      List<ProcessHandle> found = find(token);
      if (found.isEmpty()) {
        return true;
      }
      found.forEach(ProcessHandle::destroyForcibly);
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(20);
    }
  }
}
