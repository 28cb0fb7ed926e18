package ebb.vm.local;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.process.Program;
import ebb.core.process.ThisProgram;
import ebb.vm.plan.PlannedLink;
import ebb.vm.provider.ProviderCall;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The links between the namespaces of a run, which a process of their own carries ({@link
 * LinkHub}): started with the first machine, ended with the last. What it is to do stands in the
 * run's directory, so that it needs nobody to stay.
 */
final class Links {
  /** What lies between zones, a line each. */
  static final String PATHS = "paths";

  /** Begins the name of a file that asks for a machine's end of the links. */
  static final String ASKED = "vm-";

  /** Begins the name of a file that says that it is there. */
  static final String UP = "up-";

  static final String LOG = "log";

  private static final String TOKEN = "token";
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration LEAST = Duration.ofMinutes(1);
  private static final long AT_MOST_MICROS = 30_000_000;

  private final Path root;
  private final LocalNetwork network;

  Links(Path root, LocalNetwork network) {
    this.root = root;
    this.network = network;
  }

  private Path directory(LocalVm vm) {
    return root.resolve(vm.labels().runId());
  }

  /** Gives a machine's namespace its end, which takes a moment. */
  void attach(LocalVm vm, Duration maxRun, ProviderCall call)
      throws IOException, InterruptedException, RequestFailedException {
    Path directory = directory(vm);
    Files.createDirectories(directory);
    synchronized (Links.class) {
      try (FileChannel channel =
              FileChannel.open(
                  root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (lock.isValid()) {
          ensureHub(directory, maxRun);
        }
      }
    }
    Path up = directory.resolve(UP + vm.ref().name());
    Files.deleteIfExists(up);
    write(
        directory.resolve(ASKED + vm.ref().name()),
        vm.namespace() + " " + vm.address() + " " + vm.ref().zone() + "\n");
    long end = call.elapsedMicros() + AT_MOST_MICROS;
    while (!Files.exists(up)) {
      if (call.elapsedMicros() > end || TokenProcesses.find(token(directory)).isEmpty()) {
        throw new RequestFailedException(
            FailureKind.OPERATION_FAILED, "the links do not come up: " + lastLine(directory));
      }
      call.sleep(LOOK);
    }
  }

  /**
   * Starts the links again if they have ended before their time, as when somebody kills them.
   *
   * @return whether they had
   */
  boolean heal(LocalVm vm) throws IOException, InterruptedException {
    Path directory = directory(vm);
    // Only what has been up can have ended.
    if (!Files.exists(directory.resolve(UP + vm.ref().name()))
        || !TokenProcesses.find(token(directory)).isEmpty()) {
      return false;
    }
    synchronized (Links.class) {
      try (FileChannel channel =
              FileChannel.open(
                  root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (!lock.isValid() || !TokenProcesses.find(token(directory)).isEmpty()) {
          return false;
        }
        Duration left = Duration.between(Instant.now(), vm.labels().expires());
        // A machine that is still there has a moment left.
        startHub(directory, left.compareTo(LEAST) < 0 ? LEAST : left);
        return true;
      }
    }
  }

  private static String lastLine(Path directory) throws IOException {
    String text = Files.readString(directory.resolve(LOG)).strip();
    return text.substring(text.lastIndexOf('\n') + 1);
  }

  private static String token(Path directory) throws IOException {
    Path file = directory.resolve(TOKEN);
    return Files.exists(file) ? Files.readString(file).strip() : "-";
  }

  private void ensureHub(Path directory, Duration maxRun) throws IOException, InterruptedException {
    if (!TokenProcesses.find(token(directory)).isEmpty()) {
      return;
    }
    List<String> lines = new ArrayList<>();
    for (PlannedLink link : network.links()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s %s %d %d %d %s",
              link.zone(),
              link.other(),
              link.rate().bitsPerSecond(),
              link.delay().micros(),
              link.buffer().micros(),
              link.loss()));
    }
    write(directory.resolve(PATHS), String.join("\n", lines) + "\n");
    startHub(directory, maxRun);
  }

  /** Starts the process that carries packets along the paths that stand in the directory. */
  private static void startHub(Path directory, Duration maxRun)
      throws IOException, InterruptedException {
    String token = UUID.randomUUID().toString();
    write(directory.resolve(TOKEN), token);
    List<String> flags = new ArrayList<>(List.of("-Xmx512m"));
    if (Runtime.version().feature() >= 24) {
      flags.add("--enable-native-access=ALL-UNNAMED");
    }
    List<String> words = ThisProgram.running(LinkHub.class.getName(), flags);
    words.addAll(List.of(directory.toString(), Long.toString(maxRun.toSeconds())));
    // On a busy machine a link that waits for a processor has other delays than those asked for.
    words.addAll(
        0,
        List.of(
            "setsid",
            "sh",
            "-c",
            "chrt -r 2 true 2>/dev/null && exec chrt -r 2 \"$@\"; exec \"$@\"",
            "ebb-links"));
    ProcessHandle hub =
        Program.of(words).with(TokenProcesses.NAME, token).startAlone(directory.resolve(LOG));
    // Between its birth and its first program it has this process's environment.
    while (hub.isAlive() && TokenProcesses.find(token).isEmpty()) {
      Thread.sleep(LOOK.toMillis());
    }
  }

  static void write(Path file, String text) throws IOException {
    Path part = file.resolveSibling("." + file.getFileName());
    Files.writeString(part, text);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Takes a machine's end away; with the last one the links end. */
  void detach(LocalVm vm) throws IOException, InterruptedException {
    Path directory = directory(vm);
    if (!Files.isDirectory(directory)) {
      return;
    }
    synchronized (Links.class) {
      try (FileChannel channel =
              FileChannel.open(
                  root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        Files.deleteIfExists(directory.resolve(ASKED + vm.ref().name()));
        Files.deleteIfExists(directory.resolve(UP + vm.ref().name()));
        if (lock.isValid() && !isAsked(directory)) {
          TokenProcesses.kill(token(directory));
          try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
              Files.deleteIfExists(file);
            }
          }
        }
      }
    }
  }

  private static boolean isAsked(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return true; // Another one has just removed it.
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, ASKED + "*")) {
      return files.iterator().hasNext();
    }
  }
}
