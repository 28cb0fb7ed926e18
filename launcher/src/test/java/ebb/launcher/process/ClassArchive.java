package ebb.launcher.process;

import ebb.core.process.ThisProgram;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The tests' class path with an archive of its classes as they are after loading, as {@code ./ebb}
 * has one: tests start many short processes, and loading is a third of what such a one does. The
 * first test that needs it makes it, below {@code target}; all later ones, in other JVMs too, use
 * it until a class or a library changes. Where none can be made, processes start without.
 */
final class ClassArchive {
  private static final Path PARENT = Path.of("target", "class-archive").toAbsolutePath();

  /** The words for java, made when the first process of this JVM starts. */
  private static final class Words {
    static final List<String> OF_JAVA = make();
  }

  private ClassArchive() {}

  /** What java is to be told: the class path, and where the archive is. */
  static List<String> words() {
    return Words.OF_JAVA;
  }

  private static List<String> make() {
    List<Path> given =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::exists)
            .toList();
    try {
      Files.createDirectories(PARENT);
      try (FileChannel lock =
          FileChannel.open(
              PARENT.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        lock.lock(); // Until it is closed: two JVMs run tests at once.
        Path home = PARENT.resolve(fingerprint(given));
        Path archive = home.resolve("classes.jsa");
        List<Path> jars = new ArrayList<>();
        for (Path path : given) {
          // An archive can be made of jars only.
          jars.add(Files.isDirectory(path) ? home.resolve(jars.size() + ".jar") : path);
        }
        if (!Files.exists(home)) {
          renew(home);
          for (int i = 0; i < jars.size(); i++) {
            if (Files.isDirectory(given.get(i))) {
              pack(given.get(i), jars.get(i));
            }
          }
          train(home, archive, jars);
        }
        return Files.exists(archive)
            ? words(jars, "-XX:SharedArchiveFile=" + archive)
            : words(given, "-Xshare:auto");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What Java has to say about archives is not part of a command's output. */
  private static List<String> words(List<Path> classPath, String sharing) {
    String path = String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList());
    return List.of(sharing, "-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-cp", path);
  }

  /** Of names, sizes and times of all that is on the class path, and of the Java. */
  private static String fingerprint(List<Path> classPath) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    digest.update(System.getProperty("java.vm.version").getBytes(StandardCharsets.UTF_8));
    for (Path path : classPath) {
      for (Path file : files(path)) {
        String seen = file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + "\n";
        digest.update(seen.getBytes(StandardCharsets.UTF_8));
      }
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 8);
  }

  private static List<Path> files(Path below) throws IOException {
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Those of older classes go; whoever runs from one keeps its files. */
  private static void renew(Path home) throws IOException {
    try (Stream<Path> all = Files.walk(PARENT)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(PARENT) && !path.endsWith("lock")) {
          Files.delete(path);
        }
      }
    }
    Files.createDirectory(home);
  }

  private static void pack(Path directory, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.setLevel(Deflater.BEST_SPEED);
      for (Path path : files(directory)) {
        zip.putNextEntry(
            new ZipEntry(directory.relativize(path).toString().replace(File.separatorChar, '/')));
        Files.copy(path, zip);
        zip.closeEntry();
      }
    }
  }

  /** By a sender that nobody listens to: it has loaded nearly all that transfers need. */
  private static void train(Path home, Path archive, List<Path> jars) throws IOException {
    List<String> command = new ArrayList<>(List.of(ThisProgram.java()));
    command.addAll(EbbProcess.FLAGS);
    command.addAll(words(jars, "-XX:ArchiveClassesAtExit=" + archive));
    String file = Files.writeString(home.resolve("file"), "hello").toString();
    command.addAll(List.of("ebb.launcher.Main", "ledbat", "send", file, "127.0.0.1:1"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("said.txt").toFile())
            .start();
    try {
      if (!process.waitFor(EbbProcess.BOUND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        Files.deleteIfExists(archive);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
