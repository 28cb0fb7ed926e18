package ebb.vm.run;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A directory on this machine in place of a bucket, for VMs that are on it, too. */
final class DirectoryRunStore implements RunStore {
  private static final String PART = ".part";
  private static final int MAX_ATTEMPTS = 20;

  private final Path root;
  private final Path results;

  /** A store for one run. */
  DirectoryRunStore(Path root) {
    this.root = root.toAbsolutePath().normalize();
    results = this.root.resolve("results");
  }

  @Override
  public String results() {
    return results.toString();
  }

  @Override
  public String jar() {
    return root.resolve("ebb.jar").toString();
  }

  @Override
  public void putJar(Path jar) throws IOException {
    Files.createDirectories(results);
    Path part = root.resolve("ebb.jar" + PART);
    Files.deleteIfExists(part);
    try {
      // The very file: only for that is the archive of classes good that was made with it.
      Files.createLink(part, jar.toRealPath());
    } catch (IOException | UnsupportedOperationException elsewhere) {
      Files.copy(jar, part, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(part, Path.of(jar()), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void put(String key, String text) throws IOException {
    Path file = results.resolve(key);
    Files.createDirectories(results.resolve(key).getParent());
    Path part = file.resolveSibling(file.getFileName() + PART);
    Files.writeString(part, text);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public Optional<String> get(String key) throws IOException {
    try {
      return Optional.of(Files.readString(results.resolve(key)));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  @Override
  public List<String> keys() throws IOException {
    if (!Files.isDirectory(results)) {
      return List.of();
    }
    List<String> keys = new ArrayList<>();
    // Not Files.walk, which fails when a VM renames a file meanwhile.
    Files.walkFileTree(
        results,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String key = results.relativize(file).toString();
            if (!key.contains(PART)) {
              keys.add(key);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    keys.sort(null);
    return keys;
  }

  @Override
  public void copyTo(Path directory) throws IOException {
    for (String key : keys()) {
      Path to = directory.resolve(key);
      Files.createDirectories(to.getParent());
      Files.copy(results.resolve(key), to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void remove() throws IOException {
    if (!Files.isDirectory(root)) {
      return;
    }
    Files.deleteIfExists(Path.of(jar()));
    for (int attempt = 1; Files.isDirectory(root); attempt++) {
      try {
        removeOnce();
      } catch (NoSuchFileException | DirectoryNotEmptyException e) {
        // Somebody still writes there.
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void removeOnce() throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException gone)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void close() {
    // Files need no closing.
  }
}
